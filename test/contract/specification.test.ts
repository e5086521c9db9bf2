import { readFile } from 'node:fs/promises';
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { SERVICE_NAMES, type ServiceName } from '../../src/platform/config.ts';
import { SERVICES } from '../../src/services/services.ts';

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
