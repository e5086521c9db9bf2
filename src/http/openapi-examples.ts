interface Schema {
  type?: string;
  example?: unknown;
  examples?: unknown[];
  enum?: unknown[];
  default?: unknown;
  minimum?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  format?: string;
  nullable?: boolean;
}

interface RouteDocument {
  schema?: { body?: Schema; response?: Record<string, Schema> } & Record<string, unknown>;
}

/**
 * Gives every body and answer of a route's document an example, put together from the examples of its fields, and says
 * `nullable` where OpenAPI 3.0 has it: beside a type.
 */
export function withExamples<Document extends object>(document: Document): Document {
  const { schema } = document as RouteDocument;
  for (const part of [schema?.body, ...Object.values(schema?.response ?? {})]) if (part) moveNullable(part);
  if (schema?.body && schema.body.example === undefined) schema.body.example = exampleOf(schema.body);
  for (const answer of Object.values(schema?.response ?? {})) {
    if (answer && answer.type !== undefined && answer.example === undefined) answer.example = exampleOf(answer);
  }
  return document;
}

function moveNullable(schema: Schema): void {
  const variants = schema.anyOf ?? schema.oneOf ?? [];
  if (schema.nullable && schema.type === undefined && variants.length > 0) {
    delete schema.nullable;
    for (const variant of variants) variant.nullable = true;
  }
  const inner = [schema.items, ...Object.values(schema.properties ?? {}), ...variants, ...(schema.allOf ?? [])];
  for (const each of inner) if (each) moveNullable(each);
}

function exampleOf(schema: Schema): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.examples?.length) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.enum?.length) return schema.enum[0];
  const [variant] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (variant) return exampleOf(variant);
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, field]) => [name, exampleOf(field)]),
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
