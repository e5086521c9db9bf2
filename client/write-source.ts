import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString, type OpenAPI3, type OpenAPITSOptions } from 'openapi-typescript';
import ts from 'typescript';
import { documentOf } from '../src/http/openapi/document.ts';
import { SERVICE_NAMES } from '../src/platform/config.ts';
import { describedService } from '../src/services/services.ts';
import { type Document, operationsOf, problemCodesOf } from './operations-of.ts';

type Described = { readonly service: string; readonly document: object };

/** Writes the client in TypeScript into the folder: src, and what the documents of this very tree say of the operations. */
export async function writeClientSource(folder: string): Promise<void> {
  const generated = join(folder, 'generated');
  rmSync(folder, { recursive: true, force: true });
  cpSync(fileURLToPath(new URL('src', import.meta.url)), folder, { recursive: true });
  mkdirSync(generated, { recursive: true });
  const documents = SERVICE_NAMES.map((service) => ({ service, document: documentOf(describedService(service)) }));
  for (const { service, document } of documents) {
    writeFileSync(join(generated, `${service}.ts`), await typesOf(document));
  }
  const operations = Object.fromEntries(
    documents.map(({ service, document }) => [service, operationsOf(service, document as Document)]),
  );
  writeFileSync(
    join(generated, 'operations.ts'),
    `import type { Operations } from '../create-client.ts';\n\nexport const OPERATIONS: Operations = ${JSON.stringify(operations, null, 1)};\n`,
  );
  writeFileSync(join(folder, 'index.ts'), indexOf(documents));
}

/** The types of a document; exact decimals are text. */
async function typesOf(document: object): Promise<string> {
  const { factory } = ts;
  const reference = (name: string) => factory.createTypeReferenceNode(name);
  const transform: OpenAPITSOptions['transform'] = ({ format, nullable }: { format?: string; nullable?: boolean }) => {
    const type = format === 'decimal' ? reference('Decimal') : format === 'binary' ? reference('Blob') : undefined;
    if (type === undefined || !nullable) return type;
    return factory.createUnionTypeNode([type, factory.createLiteralTypeNode(factory.createNull())]);
  };
  const nodes = await openapiTS(document as OpenAPI3, { transform, alphabetize: true, silent: true });
  return `import type { Decimal } from '../decimal.ts';\n\n${astToString(nodes)}`;
}

/** The entry of the package: the client with its types, and the records of each service. */
function indexOf(documents: readonly Described[]): string {
  const codes = problemCodesOf(documents.map(({ document }) => document as Document));
  const schemas = (service: string) =>
    `export type ${service[0]!.toUpperCase()}${service.slice(1)}Schemas = ${service}Components['schemas'];`;
  return [
    "import { type ClientOptions, clientOf } from './create-client.ts';",
    "import { OPERATIONS } from './generated/operations.ts';",
    "import { PartidasProblem as Problem } from './problem.ts';",
    "import type { ClientOf } from './types.ts';",
    ...SERVICE_NAMES.map(
      (name) =>
        `import type { components as ${name}Components, operations as ${name}Operations } from './generated/${name}.ts';`,
    ),
    "export type { CallOptions } from './call.ts';",
    "export type { Decimal } from './decimal.ts';",
    "export type { StreamEvent } from './events.ts';",
    "export type { FieldError } from './problem.ts';",
    "export type { RetryOptions } from './retries.ts';",
    "export { type Job, type WaitOptions, waitForJob } from './wait.ts';",
    '',
    `export type ServiceName = ${SERVICE_NAMES.map((name) => `'${name}'`).join(' | ')};`,
    '/** The codes of all refusals. */',
    `export type ProblemCode =\n${codes.map((code) => `  | '${code}'`).join('\n')};`,
    '',
    '/** A refusal of the platform. Decide by `code`, which is stable; show `message` to people. */',
    "export type PartidasProblem = Problem<ProblemCode | 'PENDING_APPROVAL'>;",
    'export const PartidasProblem = Problem as unknown as {',
    '  new (...from: ConstructorParameters<typeof Problem>): PartidasProblem;',
    '  readonly prototype: PartidasProblem;',
    '};',
    '',
    '/** The operations of the six services by their names. */',
    `export interface Client extends ClientOf<{ ${SERVICE_NAMES.map((name) => `${name}: ${name}Operations`).join('; ')} }> {}`,
    ...SERVICE_NAMES.map(schemas),
    '',
    '/** A client of the platform: signs in when the first operation is called, and again whenever it must. */',
    'export function createClient(options: ClientOptions<ServiceName>): Client {',
    '  return clientOf(OPERATIONS, options as ClientOptions) as Client;',
    '}',
    '',
  ].join('\n');
}
