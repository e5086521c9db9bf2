import type { z } from 'zod';

/**
 * Domain paths that problems name, and the wire names that a route has for them: `{ 'lines[].amount': 'lines.[].valor' }`.
 * A path that is itself the name of one of the route's inputs needs no entry; null: what the route does not take from
 * its caller, so that the problem names no field.
 */
export type FieldNames = Readonly<Record<string, string | null>>;

/** The wire name of a domain path on a route; undefined: the route has none, which is a defect of its table. */
export function wireNameOf(path: string, names: FieldNames, inputs: ReadonlySet<string>): string | null | undefined {
  const indexes: string[] = [];
  const pattern = path.replace(/\[(\d+)\]/g, (_, index: string) => {
    indexes.push(index);
    return '[]';
  });
  const name = names[pattern];
  if (name === null) return null;
  if (name !== undefined) return name.replace(/\[\]/g, () => indexes.shift() ?? '');
  return inputs.has(path) ? path : undefined;
}

/** Names of what is no field of a schema: a header, an uploaded file, the record that a path names. */
const OF_ANY_ROUTE: FieldNames = { idempotencyKey: 'Idempotency-Key', file: 'file', id: 'id' };

/** How a route names domain paths. */
export function namesOf(route: {
  readonly fieldNames?: FieldNames;
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
}): (path: string) => string | null | undefined {
  const names = { ...OF_ANY_ROUTE, ...route.fieldNames };
  const inputs = new Set([route.params, route.query, route.body].flatMap(inputNames));
  return (path) => wireNameOf(path, names, inputs);
}

/** The names of a schema's top fields; empty for what is no object. */
export function inputNames(schema: z.ZodType | undefined): readonly string[] {
  const { shape, options, innerType, in: input } = (schema?._zod.def ?? {}) as SchemaParts;
  if (shape) return Object.keys(shape);
  if (options) return options.flatMap(inputNames);
  const inner = innerType ?? input;
  return inner ? inputNames(inner) : [];
}

interface SchemaParts {
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly options?: readonly z.ZodType[];
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
}
