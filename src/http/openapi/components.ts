import { innerSchemas, type Schema } from './schema.ts';

/** A schema that an operation takes or answers, with the name that it has where nothing better is known. */
export interface Root {
  readonly schema: Schema;
  readonly name: string;
}

/**
 * Schemas by name. An object that an operation takes or answers has one, and so has what stands in two places; all
 * else stays where it is. A title is a name; equal schemas share the first one that was given.
 */
export class Components {
  readonly #names = new Map<string, string>();
  readonly #schemas = new Map<string, Schema>();

  constructor(roots: readonly Root[]) {
    for (const { schema, name } of roots) if (isObject(schema)) this.#name(schema, name);
    const seen = new Set<string>();
    for (const { schema, name } of roots) this.#nameRepeated(schema, name, seen);
  }

  /** The schemas for `components`, by name. */
  get schemas(): Record<string, Schema> {
    const sorted = [...this.#schemas].sort(([one], [other]) => (one < other ? -1 : 1));
    return Object.fromEntries(sorted.map(([name, schema]) => [name, this.#withInnerRefs(schema)]));
  }

  /** The schema with references in the place of what has a name. */
  refer(schema: Schema): Schema {
    const name = this.#names.get(keyOf(schema));
    return name === undefined ? this.#withInnerRefs(schema) : { $ref: `#/components/schemas/${name}` };
  }

  #withInnerRefs(schema: Schema): Schema {
    const { items, properties, additionalProperties, anyOf, oneOf, allOf } = schema;
    const each = (schemas: Schema[]) => schemas.map((inner) => this.refer(inner));
    return {
      ...schema,
      ...(items && { items: this.refer(items) }),
      ...(properties && {
        properties: Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, this.refer(inner)])),
      }),
      ...(typeof additionalProperties === 'object' && { additionalProperties: this.refer(additionalProperties) }),
      ...(anyOf && { anyOf: each(anyOf) }),
      ...(oneOf && { oneOf: each(oneOf) }),
      ...(allOf && { allOf: each(allOf) }),
    };
  }

  /** Names what has a title, and an object inside that was seen before: by what holds it, and its field. */
  #nameRepeated(schema: Schema, path: string, seen: Set<string>): void {
    const own = this.#names.get(keyOf(schema)) ?? path;
    const named = Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => [
      { inner, name: own + capitalized(name) },
    ]);
    const others = innerSchemas({ ...schema, properties: {} }).map((inner) => ({ inner, name: own }));
    for (const { inner, name } of [...named, ...others]) {
      const key = keyOf(inner);
      if (isObject(inner) && !this.#names.has(key) && (inner.title !== undefined || seen.has(key))) {
        this.#name(inner, singular(name));
      }
      seen.add(key);
      this.#nameRepeated(inner, name, seen);
    }
  }

  #name(schema: Schema, wanted: string): void {
    const key = keyOf(schema);
    if (this.#names.has(key)) return;
    const name = this.#free(schema.title ?? wanted);
    this.#names.set(key, name);
    this.#schemas.set(name, schema);
  }

  #free(wanted: string): string {
    let name = wanted;
    for (let number = 2; this.#schemas.has(name); number++) name = `${wanted}${number}`;
    return name;
  }
}

function isObject({ properties }: Schema): boolean {
  return properties !== undefined && Object.keys(properties).length > 0;
}

function keyOf(schema: Schema): string {
  return JSON.stringify(schema);
}

export function capitalized(name: string): string {
  return name.replace(/(?:^|_)([a-z])/g, (_, first: string) => first.toUpperCase());
}

/** `Company` of `Companies`; a name such as `FundSettings` stays. */
export function singular(name: string): string {
  if (/(?:Settings|Options|Preferences|Access|ss|us)$/.test(name)) return name;
  return name
    .replace(/ies$/, 'y')
    .replace(/(ch|sh|x|ss|r)es$/, '$1')
    .replace(/([^s])s$/, '$1');
}
