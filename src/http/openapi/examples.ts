import type { Schema } from './schema.ts';

/** An example of what a schema describes, put together from the examples of its fields; those that only answers have are
 * left out. */
export function exampleOf(schema: Schema): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.examples?.length) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.enum?.length) return schema.enum[0];
  const [variant] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (variant) return exampleOf(variant);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([, field]) => !field.readOnly)
          .map(([name, field]) => [name, exampleOf(field)]),
      );
    case 'array':
      return schema.items ? [exampleOf(schema.items)] : [];
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1);
    case 'boolean':
      return false;
    case 'string':
      return EXAMPLE_OF_FORMAT[schema.format ?? ''] ?? 'texto';
    default:
      return null;
  }
}

const EXAMPLE_OF_FORMAT: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T18:15:00.000Z',
  byte: 'JVBERi0xLjc=',
};
