import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import SwaggerParser from '@apidevtools/swagger-parser';
import Papa from 'papaparse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SERVICE_NAMES, type ServiceName } from '../../src/platform/config.ts';
import { SERVICES } from '../../src/services/services.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

interface Row {
  readonly service: string;
  readonly method: string;
  readonly path: string;
}

/** Paths that every service answers beside its routes: actuator, documents and the page that shows them. */
const SHARED = /^\/(actuator\/|v3\/api-docs|docs)/;

/** The specification's operations of a service, without query strings, doubled slashes at the end and shared paths. */
async function specified(service: ServiceName): Promise<string[]> {
  const text = await readFile(new URL('../fixtures/specification/endpoints.csv', import.meta.url), 'utf8');
  const rows = Papa.parse<Row>(text, { header: true, skipEmptyLines: true }).data;
  const name = service === 'masterdata' ? 'master-data' : service;
  return rows
    .filter((row) => row.service === name && !SHARED.test(row.path))
    .map((row) => `${row.method} ${bare(row.path)}`)
    .sort();
}

function bare(path: string): string {
  const [plain = ''] = path.split('?');
  // One path of a document has one name for its parameter, where the specification has two.
  const named = plain
    .replace('signin-<legacy_provider>', 'signin-{legacyProvider}')
    .replace('/access/{routineId}', '/access/{id}');
  return named.endsWith('/') ? named.slice(0, -1) : named;
}

test.each(SERVICE_NAMES)(
  '%s serves exactly the operations of the specification, and declares its additions',
  async (service) => {
    const { routes } = SERVICES[service];
    const own = routes
      .filter((route) => !route.addition)
      .map((route) => `${route.method} ${bare(route.path)}`)
      .sort();
    expect(own).toEqual(await specified(service));
    const paths = routes.map((route) => `${route.method} ${bare(route.path)}`);
    expect(new Set(paths).size).toBe(paths.length);
  },
);

test.each(SERVICE_NAMES)('%s names each operation once, with a verb first', (service) => {
  const names = SERVICES[service].routes.map(({ operationId }) => operationId);
  expect(names.filter((name) => !/^[a-z]+(?:[A-Z][a-z\d]+)+$/.test(name))).toEqual([]);
  expect(names.filter((name, at) => names.indexOf(name) < at)).toEqual([]);
});

test('what two services both do has one name', () => {
  const names = new Map<string, string>();
  for (const { method, path, summary, operationId } of SERVICE_NAMES.flatMap((service) => SERVICES[service].routes)) {
    const done = `${method} ${path} ${summary}`;
    expect(names.get(done) ?? operationId, done).toBe(operationId);
    names.set(done, operationId);
  }
});

/** What the specification requests though Redocly's recommended rules do not like it. */
const EXCEPTED: Readonly<Record<string, RegExp>> = {
  'no-path-trailing-slash': /~1$/,
  // Removed: it answers 404 only. Moved: it answers 301 only.
  'operation-2xx-response': /signin-\{legacyProvider\}|~1api~1v1~1consulta-contabil/,
  // One is read, the other is posted to: no request fits both.
  'no-ambiguous-paths': /^#\/paths\/~1calendar~1closeday~1\{company\}~1\{branch\}$/,
};

test("the documents pass Redocly's recommended rules", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'partidas-openapi-'));
  try {
    const files = await Promise.all(
      SERVICE_NAMES.map(async (service) => {
        const path = join(folder, `${service}.json`);
        await writeFile(path, (await platform.withToken('').get(service, '/v3/api-docs')).text);
        return path;
      }),
    );
    const found = (await lint(files)).filter(
      ({ ruleId, location: [place] }) => !EXCEPTED[ruleId]?.test(place?.pointer ?? ''),
    );
    expect(found.map(({ ruleId, message, location: [place] }) => `${ruleId}: ${place?.pointer}: ${message}`)).toEqual(
      [],
    );
    const trailing = SERVICE_NAMES.flatMap((service) =>
      SERVICES[service].routes.filter(({ path }) => path.endsWith('/')),
    );
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
async function lint(files: readonly string[]): Promise<Finding[]> {
  const cli = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));
  const more = ['--extends=recommended', '--format=json', '--max-problems=1000'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { stdout } = await promisify(execFile)(process.execPath, [cli, 'lint', ...more, ...files], {
    env,
    maxBuffer: 1 << 26,
  }).catch((error: { stdout: string }) => error);
  // One JSON text a document.
  return stdout
    .split(/^\}/m)
    .filter((each) => each.trim() !== '')
    .flatMap((each) => (JSON.parse(`${each}}`) as { problems: Finding[] }).problems);
}

describe.each(SERVICE_NAMES)('the document of %s', (service) => {
  test('is valid OpenAPI 3.0 and lists every route', async () => {
    const { body } = await platform.withToken('').get(service, '/v3/api-docs');
    await SwaggerParser.validate(structuredClone(body));
    const listed = Object.entries(body.paths as Record<string, object>).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${bare(path)}`),
    );
    for (const route of SERVICES[service].routes) expect(listed).toContain(`${route.method} ${bare(route.path)}`);
  });

  test('gives every body and every JSON answer an example', async () => {
    const { body } = await platform.withToken('').get(service, '/v3/api-docs');
    const missing: string[] = [];
    for (const [path, operations] of Object.entries(body.paths as Record<string, Record<string, Operation>>)) {
      for (const [method, { requestBody, responses }] of Object.entries(operations)) {
        const parts = [requestBody, ...Object.values(responses ?? {})];
        for (const part of parts) {
          for (const { schema, example, examples } of Object.values(part?.content ?? {})) {
            if (schema?.type === undefined || schema.$ref) continue;
            if (schema.example === undefined && example === undefined && examples === undefined)
              missing.push(`${method} ${path}`);
          }
        }
      }
    }
    expect([...new Set(missing)]).toEqual([]);
  });
});

interface Operation {
  readonly requestBody?: Part;
  readonly responses?: Record<string, Part>;
}
interface Part {
  readonly content?: Record<
    string,
    { schema?: { type?: string; example?: unknown; $ref?: string }; example?: unknown; examples?: unknown }
  >;
}
