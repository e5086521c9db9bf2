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
}

interface RouteDocument {
  schema?: { body?: Schema; response?: Record<string, Schema> } & Record<string, unknown>;
}

/** Gives every body and answer of a route's document an example, put together from the examples of its fields. */
export function withExamples<Document extends object>(document: Document): Document {
  const { schema } = document as RouteDocument;
  if (schema?.body && schema.body.example === undefined) schema.body.example = exampleOf(schema.body);
  for (const answer of Object.values(schema?.response ?? {})) {
    if (answer && answer.type !== undefined && answer.example === undefined) answer.example = exampleOf(answer);
  }
  return document;
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
      return schema.format === 'date-time' ? '2026-01-31T18:15:00.000Z' : 'texto';
    default:
      return null;
  }
}
