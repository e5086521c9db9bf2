import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString, type OpenAPI3, type OpenAPITSOptions } from 'openapi-typescript';
import ts from 'typescript';
import { documentOf } from '../src/http/openapi/document.ts';
import { SERVICE_NAMES } from '../src/platform/config.ts';
import { describedService } from '../src/services/services.ts';
import { type Document, operationsOf, problemCodesOf } from './operations-of.ts';

// node build.ts FOLDER: the package as it is published, in FOLDER/dist, made of src and of the documents of this very
// tree; nothing runs for it. `npm pack` does it.

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node build.ts FOLDER');
  process.exit(2);
}
const out = resolve(folder);
const source = join(out, 'source');
const generated = join(source, 'generated');
rmSync(source, { recursive: true, force: true });
rmSync(join(out, 'dist'), { recursive: true, force: true });
cpSync(fileURLToPath(new URL('src', import.meta.url)), source, { recursive: true });
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
writeFileSync(join(source, 'index.ts'), indexOf());
compile();

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
function indexOf(): string {
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
    'export type PartidasProblem = Problem<ProblemCode>;',
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

function compile(): void {
  const config = {
    compilerOptions: {
      target: 'ES2022',
      lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
      module: 'NodeNext',
      moduleResolution: 'NodeNext',
      strict: true,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      skipLibCheck: true,
      types: [],
      rootDir: '.',
      outDir: '../dist',
    },
    include: ['.'],
  };
  writeFileSync(join(source, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(join(source, 'package.json'), '{"type":"module"}');
  const tsc = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
  const { status } = spawnSync(process.execPath, [tsc, '-p', source], { stdio: 'inherit' });
  rmSync(source, { recursive: true });
  if (status !== 0) process.exit(1);
}
