import type { FieldSchema } from './form-schema.ts';

/** What stands in a form: texts, numbers, truths, lists and records, as they are sent. Undefined is an empty field. */
export type FormRecord = Readonly<Record<string, unknown>>;

/** The body that a form sends: without what is empty, and without what is only answered. */
export function bodyOf(schema: FieldSchema, value: unknown): unknown {
  if (schema.kind === 'readOnly' || value === undefined || value === null || value === '') return undefined;
  if (schema.kind === 'list') return (value as readonly unknown[]).map((each) => bodyOf(schema.item!, each));
  if (schema.kind !== 'record') return value;
  const fields = Object.entries(schema.fields ?? {}).flatMap(([name, field]) => {
    const sent = bodyOf(field, (value as FormRecord)[name]);
    return sent === undefined ? [] : [[name, sent] as const];
  });
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

/** What a new record begins with: the presets of the document, then those given. */
export function newRecord(schema: FieldSchema, initial: FormRecord): FormRecord {
  const presets = Object.entries(schema.fields ?? {}).flatMap(([name, field]) =>
    field.default === undefined ? [] : [[name, field.default] as const],
  );
  return { ...Object.fromEntries(presets), ...initial };
}

/** Fields in a path by points, as in 'lines.0.valor'; refusals write some with brackets. */
export function byPoints(problems: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(problems).map(([field, problem]) => [
      field.replaceAll(/\[(\d+)\]/g, '.$1').replace(/^\./, ''),
      problem,
    ]),
  );
}
