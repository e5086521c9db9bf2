import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import SwaggerParser from '@apidevtools/swagger-parser';
import { describe, expect, test } from 'vitest';
import { documentOf } from '../../src/http/openapi/document.ts';
import { problemCatalogue } from '../../src/http/openapi/problem-catalogue.ts';
import type { Schema } from '../../src/http/openapi/schema.ts';
import { PROBLEM_TEXTS } from '../../src/http/problem-texts.ts';
import { DOOR_NAMES, type DoorName } from '../../src/platform/config.ts';
import { describedService, SERVICES } from '../../src/services/services.ts';

// The documents say all of themselves: nothing runs here. `house.test.ts` looks at what a running service shows.

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly operationId: string;
  readonly requestBody?: Part;
  readonly responses: Readonly<Record<string, Part>>;
}

interface Part {
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
}

const DOCUMENTS = new Map<DoorName, Document>(
  DOOR_NAMES.map((service) => [service, documentOf(describedService(service)) as unknown as Document]),
);

/** What the specification requests though Redocly's recommended rules do not like it. */
const EXCEPTED: Readonly<Record<string, RegExp>> = {
  'no-path-trailing-slash': /~1$/,
  // Removed: it answers 404 only. Moved: it answers 301 only. The way to an identity provider: it only leads on.
  'operation-2xx-response': /signin-\{legacyProvider\}|~1api~1v1~1consulta-contabil|~1entrar~1/,
  // One is read, the other is posted to: no request fits both.
  'no-ambiguous-paths': /^#\/paths\/~1calendar~1/,
};

/** Examples are checked against their schemas, fields that no schema has included. */
const RULES = {
  extends: ['recommended'],
  rules: Object.fromEntries(
    ['media-type', 'schema', 'parameter'].map((place) => [
      `no-invalid-${place}-examples`,
      { severity: 'error', allowAdditionalProperties: false },
    ]),
  ),
};

test("the documents pass Redocly's recommended rules, and their examples fit", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'partidas-openapi-'));
  try {
    const files = [...DOCUMENTS].map(([service, document]) => ({ path: join(folder, `${service}.json`), document }));
    for (const { path, document } of files) await writeFile(path, JSON.stringify(document));
    const config = join(folder, 'redocly.yaml');
    await writeFile(config, JSON.stringify(RULES));
    const found = (
      await lint(
        config,
        files.map(({ path }) => path),
      )
    ).filter(({ ruleId, location: [place] }) => !EXCEPTED[ruleId]?.test(place?.pointer ?? ''));
    const told = found.map(({ ruleId, message, location: [place] }) => `${ruleId}: ${place?.pointer}: ${message}`);
    expect(told).toEqual([]);
    const trailing = DOOR_NAMES.flatMap((service) => SERVICES[service].routes.filter(({ path }) => path.endsWith('/')));
    expect(trailing.filter(({ addition }) => addition)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

interface Finding {
  readonly ruleId: string;
  readonly message: string;
  readonly location: readonly { readonly pointer?: string }[];
}

/** Redocly ends with 1 where it finds something. */
async function lint(config: string, files: readonly string[]): Promise<Finding[]> {
  const cli = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
  const more = [`--config=${config}`, '--format=json', '--max-problems=1000'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout } = await promisify(execFile)(process.execPath, [cli, 'lint', ...more, ...files], {
    env,
    maxBuffer: 1 << 26,
  }).catch((error: { stdout: string }) => error);
  // One JSON text a document.
  const texts = stdout.split(/^\}/m).filter((each) => each.trim() !== '');
  expect(texts).toHaveLength(files.length);
  return texts.flatMap((each) => (JSON.parse(`${each}}`) as { problems: Finding[] }).problems);
}

test('the catalogue of codes is what npm run codes writes', async () => {
  const kept = await readFile(new URL('../../docs/problem-codes.md', import.meta.url), 'utf8');
  expect(kept).toBe(problemCatalogue());
});

test('what two services both do has one name', () => {
  const names = new Map<string, string>();
  for (const { method, path, summary, operationId } of DOOR_NAMES.flatMap((service) => SERVICES[service].routes)) {
    const done = `${method} ${path} ${summary}`;
    expect(names.get(done) ?? operationId, done).toBe(operationId);
    names.set(done, operationId);
  }
});

/** Numbers that are no amounts: clients may read them as floating point. */
const PLAIN_NUMBERS =
  /\.(percent|durationMs|tempo|status\.anyOf\.\d|bounds\.additionalProperties|metadata\.additionalProperties\.anyOf\.\d)$/;

describe.each(DOOR_NAMES)('the document of %s', (service) => {
  const document = DOCUMENTS.get(service)!;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

  test('is valid OpenAPI 3.0 and lists every route', async () => {
    await SwaggerParser.validate(structuredClone(document) as never);
    const listed = operations.map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    expect(listed.sort()).toEqual(SERVICES[service].routes.map(({ method, path }) => `${method} ${path}`).sort());
  });

  test('names each operation once, with a verb first', () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(names.filter((name) => !/^[a-z]+(?:[A-Z][a-z\d]+)+$/.test(name))).toEqual([]);
    expect(names.filter((name, at) => names.indexOf(name) < at)).toEqual([]);
  });

  test('gives every body and every JSON answer an example', () => {
    const missing = operations.flatMap(({ path, method, operation }) =>
      [operation.requestBody, ...Object.values(operation.responses)].flatMap((part) =>
        Object.entries(part?.content ?? {})
          .filter(([type, { example }]) => type === 'application/json' && example === undefined)
          .map(([type]) => `${method} ${path} ${type}`),
      ),
    );
    expect(missing).toEqual([]);
  });

  test('has a schema for what stands in several places, each with a name of its own', () => {
    const { schemas } = document.components;
    // Two of one name, told apart by a number: one of them needs a title.
    expect(Object.keys(schemas).filter((name) => /\d$/.test(name))).toEqual([]);
    const places = new Map<string, string[]>();
    visit({ paths: document.paths, schemas }, (schema, path) => {
      if (Object.keys(schema.properties ?? {}).length === 0) return;
      const key = JSON.stringify(schema);
      places.set(key, [...(places.get(key) ?? []), path]);
    });
    expect([...places.values()].filter((at) => at.length > 1)).toEqual([]);
  });

  test('says which numbers are exact decimals', () => {
    const plain: string[] = [];
    visit({ paths: document.paths, schemas: document.components.schemas }, (schema, path) => {
      if (schema.type === 'number' && schema.format !== 'decimal') plain.push(path);
    });
    expect(plain.filter((path) => !PLAIN_NUMBERS.test(path))).toEqual([]);
  });

  test('says which texts of a request have a form', () => {
    const formless: string[] = [];
    const forms = { date: /^\d{4}-\d\d-\d\d$/, 'year-month': /^\d{4}-\d\d$/, 'month-year': /^\d\d\/\d{4}$/ };
    const sent = Object.entries(document.components.schemas).filter(([name]) => /(Input|Request)/.test(name));
    visit(Object.fromEntries(sent), ({ example, format }, path) => {
      const [form] = Object.entries(forms).find(([, form]) => typeof example === 'string' && form.test(example)) ?? [];
      if (form !== undefined && format !== form) formless.push(path);
    });
    expect(formless).toEqual([]);
  });

  test('enumerates the codes of refusals, all of the table', () => {
    const codes = Object.entries(document.components.schemas)
      .filter(([name]) => name.endsWith('Problem'))
      .flatMap(([, { properties }]) => properties?.code?.enum ?? []);
    expect(codes.sort()).toEqual(Object.keys(PROBLEM_TEXTS).sort());
    const without = operations.filter(({ operation }) => !Object.keys(operation.responses).some((each) => each >= '4'));
    expect(without).toEqual([]);
  });
});

/** Every object inside, with its path; examples are no schemas. */
function visit(value: unknown, look: (schema: Schema, path: string) => void, path = ''): void {
  if (value === null || typeof value !== 'object') return;
  look(value as Schema, path);
  for (const [name, inner] of Object.entries(value)) if (name !== 'example') visit(inner, look, `${path}.${name}`);
}
