import { z } from 'zod';

/** A schema of OpenAPI 3.0, as far as the documents use it. */
export interface Schema {
  title?: string;
  type?: string;
  format?: string;
  description?: string;
  example?: unknown;
  examples?: unknown[];
  enum?: unknown[];
  default?: unknown;
  minimum?: number;
  nullable?: boolean;
  readOnly?: boolean;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
}

/** The schema of what is sent, whose unknown fields are rejected. */
export function sentSchema(schema: z.ZodType): Schema {
  return inOpenApi(schema, 'input');
}

/** The schema of what is answered: clients must bear fields that come later. */
export function answeredSchema(schema: z.ZodType): Schema {
  const answered = inOpenApi(schema, 'output');
  visit(answered, (each) => {
    if (each.additionalProperties === false) delete each.additionalProperties;
  });
  return answered;
}

function inOpenApi(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const converted = z.toJSONSchema(schema, { target: 'openapi-3.0', io, unrepresentable: 'any' }) as Schema;
  visit(converted, sayNullable);
  return converted;
}

/** OpenAPI 3.0 has `nullable` beside a type only, and a list of values must name null itself. */
function sayNullable(schema: Schema): void {
  const variants = schema.anyOf ?? schema.oneOf ?? [];
  if (schema.nullable && schema.type === undefined && variants.length > 0) {
    delete schema.nullable;
    for (const variant of variants) variant.nullable = true;
  }
  if (schema.nullable && schema.enum && !schema.enum.includes(null)) schema.enum.push(null);
}

/** Every schema inside, those outside first. */
function visit(schema: Schema, change: (schema: Schema) => void): void {
  change(schema);
  for (const inner of innerSchemas(schema)) visit(inner, change);
}

export function innerSchemas({ items, properties, additionalProperties, anyOf, oneOf, allOf }: Schema): Schema[] {
  return [
    ...(items ? [items] : []),
    ...Object.values(properties ?? {}),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ...(anyOf ?? []),
    ...(oneOf ?? []),
    ...(allOf ?? []),
  ];
}
