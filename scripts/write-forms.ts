import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FieldKind, FieldSchema, OperationForm } from '../console/ui/forms/form-schema.ts';
import { documentOf } from '../src/http/openapi/document.ts';
import type { ServiceName } from '../src/platform/config.ts';
import { describedService } from '../src/services/services.ts';

/** Services with operations that the console fills in from generated forms. */
const SERVICES = ['masterdata', 'movements', 'reports'] as const satisfies readonly ServiceName[];

/** Writes what every operation of these services takes, a file each: the console makes its forms of them. */
export function writeForms(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const service of SERVICES) {
    const lines = Object.entries(formsOf(service)).map(([name, form]) => `  ${name}: ${JSON.stringify(form)},\n`);
    writeFileSync(
      join(folder, `${service}.ts`),
      `import type { OperationForm } from '../../ui/forms/form-schema.ts';\n\nexport const FORMS: Readonly<Record<string, OperationForm>> = {\n${lines.join('')}};\n`,
    );
  }
}

/** What each operation of a service takes, by its name. */
export function formsOf(service: ServiceName): Record<string, OperationForm> {
  const document = documentOf(describedService(service)) as Document;
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  return Object.fromEntries(
    operations.map(({ operationId, parameters = [], requestBody }) => {
      const named = (place: string) => parameters.flatMap((each) => (each.in === place && each.name) || []);
      const body = requestBody?.content['application/json']?.schema;
      const form = {
        path: named('path'),
        query: named('query'),
        ...(body === undefined ? {} : { body: fieldOf(document, body) }),
      };
      return [operationId, form];
    }),
  );
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name?: string; readonly in?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly readOnly?: boolean;
  readonly default?: unknown;
  readonly enum?: readonly (string | null)[];
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}

function fieldOf(document: Document, schema: Schema, required = false): FieldSchema {
  if (schema.$ref !== undefined) {
    return fieldOf(document, document.components.schemas[schema.$ref.split('/').at(-1)!]!, required);
  }
  const { default: preset, enum: values, maxLength, minimum, maximum, maxItems, items, properties } = schema;
  const fields = Object.entries(properties ?? {}).map(([name, each]) => [
    name,
    fieldOf(document, each, schema.required?.includes(name)),
  ]);
  return {
    kind: kindOf(schema),
    ...(required && { required }),
    ...(preset !== undefined && { default: preset }),
    ...(values && { values: values.filter((value) => value !== null) }),
    ...(maxLength !== undefined && { maxLength }),
    ...(minimum !== undefined && { minimum }),
    // The largest whole number that JSON carries says nothing to people.
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && { maximum }),
    ...(maxItems !== undefined && { maxItems }),
    ...(items && { item: fieldOf(document, items) }),
    ...(properties && { fields: Object.fromEntries(fields) }),
  };
}

const FORMATS: readonly string[] = [
  'uuid',
  'date',
  'year-month',
  'month-year',
  'day-month',
  'cnpj',
  'cpf',
  'cep',
  'decimal',
] satisfies FieldKind[];
const TYPES: Readonly<Record<string, FieldKind>> = {
  string: 'text',
  integer: 'integer',
  number: 'decimal',
  boolean: 'flag',
  array: 'list',
  object: 'record',
};

function kindOf({ readOnly, format, type }: Schema): FieldKind {
  if (readOnly) return 'readOnly';
  if (format !== undefined && FORMATS.includes(format)) return format as FieldKind;
  return TYPES[type ?? 'string'] ?? 'text';
}
