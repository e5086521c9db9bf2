import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVICE_NAMES } from '../../src/platform/config.ts';
import { openLog } from '../../src/platform/log.ts';
import { letTimePass } from '../support/passing-time.ts';
import { ADMIN, type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

const PAGES = [
  '/v3/api-docs',
  '/openapi.json',
  '/v3/api-docs.yaml',
  '/docs/',
  '/docs/static/swagger-ui-bundle.js',
  '/docs/static/swagger-ui.css',
];

test.each(SERVICE_NAMES)('%s: whoever has a document or a page need not take it again', async (service) => {
  const nobody = platform.withToken('');
  for (const path of PAGES) {
    const first = await nobody.get(service, path);
    const tag = first.headers.get('etag')!;
    expect([path, first.status, first.headers.get('cache-control')]).toEqual([path, 200, 'no-cache']);
    expect(tag).toMatch(/^"[\w-]{22}"$/);
    const again = await nobody.call(service, 'GET', path, undefined, { 'if-none-match': `"other", W/${tag}` });
    expect([path, again.status, again.text]).toEqual([path, 304, '']);
    const other = await nobody.call(service, 'GET', path, undefined, { 'if-none-match': '"other"' });
    expect([path, other.status, other.text === first.text]).toEqual([path, 200, true]);
  }
});

test.each(['/docs', '/docs-ui.html'])('%s leads to the page', async (path) => {
  const answer = await platform.withToken('').get('masterdata', path);
  expect([answer.status, answer.headers.get('location')]).toEqual([302, 'docs/']);
});

test('answers with data, rejections too, stay in no cache and name their request', async () => {
  const ids = new Set<string>();
  for (const [path, status] of [
    ['/companies', 200],
    ['/companies/999999', 404],
    ['/no/such/path', 404],
    ['/actuator/health', 200],
    ['/actuator/metrics-export', 200],
  ] as const) {
    const answer = await platform.admin.get('masterdata', path);
    expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, status, 'no-store']);
    ids.add(answer.headers.get('x-request-id')!);
  }
  const signIn = await platform.withToken('').post('authentication', '/api/auth/signin', ADMIN);
  expect(signIn.headers.get('cache-control')).toBe('no-store');
  expect(ids.size).toBe(5);
});

test('the metrics are rendered at most once a second', async () => {
  const text = async () => (await platform.withToken('').get('queries', '/actuator/metrics-export')).text;
  letTimePass(1_000);
  const first = await text();
  await platform.withToken('').get('queries', '/no/such/path');
  expect(await text()).toBe(first);
  letTimePass(1_000);
  expect(await text()).not.toBe(first);
});

test('documents and metrics can be shown on an address of their own, or nowhere', async () => {
  const own = await startPlatform({
    DOCS: '127.0.0.1:0',
    METRICS: 'off',
    SERVICES: 'authentication,movements,queries',
    JOBS: 'off',
  });
  try {
    const nobody = own.withToken('');
    for (const path of ['/v3/api-docs', '/docs/', '/v3/api-docs.yaml', '/docs-ui.html', '/actuator/metrics-export'])
      expect([path, (await nobody.get('movements', path)).status]).toEqual([path, 404]);
    expect((await nobody.get('movements', '/actuator/health')).status).toBe(200);
    const [address, ...others] = own.program.sideAddresses;
    expect(others).toEqual([]);
    const shown = async (path: string) => (await fetch(address + path)).status;
    expect(await shown('/movements/docs/static/swagger-ui.css')).toBe(200);
    expect(await shown('/compliance/v3/api-docs')).toBe(404);
    expect(await shown('/queries/actuator/metrics-export')).toBe(404);
    const document = await (await fetch(`${address}/queries/v3/api-docs`)).json();
    expect(document).toMatchObject({ info: { title: 'Partidas: queries' } });
    expect((await fetch(`${address}/queries/docs-ui.html`)).url).toBe(`${address}/queries/docs/`);
  } finally {
    await own.stop();
  }
});

test('both on one address', async () => {
  const place = { DOCS: '127.0.0.1:0', METRICS: '127.0.0.1:0' };
  const own = await startPlatform({ ...place, SERVICES: 'authentication,movements', JOBS: 'off' });
  try {
    const [address] = own.program.sideAddresses;
    for (const path of ['/movements/docs/', '/movements/actuator/metrics-export'])
      expect((await fetch(address + path)).status).toBe(200);
  } finally {
    await own.stop();
  }
});

test('the log names the request, its user and his address; owner and group alone read it', async () => {
  const proxied = await startPlatform({ TRUSTED_PROXIES: '127.0.0.0/8', SERVICES: 'authentication', JOBS: 'off' });
  const folder = await mkdtemp(join(tmpdir(), 'partidas-log-'));
  try {
    const log = await openLog('authentication', { dataDir: folder, level: 'info' });
    log.info({ password: 'x' }, 'request');
    const logs = join(folder, 'logs');
    expect((await stat(logs)).mode & 0o777).toBe(0o750);
    for (const name of await readdir(logs)) {
      expect((await stat(join(logs, name))).mode & 0o777).toBe(0o640);
    }
    const written = () => readFile(join(logs, 'authentication.1.log'), 'utf8');
    await expect.poll(written).toContain('"password":"[removed]"');
    const ask = async (service: Platform, id: string) =>
      (
        await service.withToken('').call('authentication', 'GET', '/no/such', undefined, { 'x-request-id': id })
      ).headers.get('x-request-id');
    expect(await ask(proxied, 'proxy-1:a.b')).toBe('proxy-1:a.b');
    expect(await ask(proxied, 'two words')).toMatch(UUID);
    expect(await ask(proxied, 'a'.repeat(101))).toMatch(UUID);
    expect(await ask(platform, 'proxy-1')).toMatch(UUID);
  } finally {
    await proxied.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
