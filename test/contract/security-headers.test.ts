import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVICE_NAMES, type ServiceName } from '../../src/platform/config.ts';
import { freshMetrics, type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ BODY_LIMIT_KB: '64' });
});
afterAll(() => platform?.stop());

const anybody = () => platform.withToken('');

test.each(SERVICE_NAMES)(
  '%s: every answer carries the security headers and none names the software',
  async (service) => {
    for (const path of ['/actuator/health', '/v3/api-docs', '/docs/', '/no/such/path']) {
      const { headers } = await anybody().get(service, path);
      expect(headers.get('content-security-policy'), path).toContain("default-src 'self'");
      expect(headers.get('x-content-type-options'), path).toBe('nosniff');
      expect(headers.get('x-frame-options'), path).toBe('SAMEORIGIN');
      expect(headers.get('strict-transport-security'), path).toContain('max-age');
      expect(headers.get('referrer-policy'), path).toBe('no-referrer');
      expect(headers.get('x-powered-by'), path).toBeNull();
      expect(headers.get('server'), path).toBeNull();
      expect(headers.get('access-control-allow-origin'), path).toBeNull();
    }
  },
);

test.each(SERVICE_NAMES)(
  '%s: the policy lets the docs page run: scripts from here, none inside the page',
  async (service) => {
    const page = await anybody().get(service, '/docs/');
    expect(page.status).toBe(200);
    const policy = page.headers.get('content-security-policy')!;
    expect(policy).toMatch(/script-src 'self'(;|$)/);
    expect(policy).toContain("style-src 'self' 'unsafe-inline'");
    expect(policy).toMatch(/img-src 'self' data:/);
    expect(policy).not.toContain('upgrade-insecure-requests');
    const scripts = [...page.text.matchAll(/<script([^>]*)>([^<]*)</g)];
    expect(scripts.length).toBeGreaterThan(1);
    for (const [, attributes, content] of scripts) {
      expect(content!.trim()).toBe('');
      const source = /src="([^"]+)"/.exec(attributes!)![1]!;
      const script = await anybody().get(service, new URL(source, 'http://x/docs/').pathname);
      expect(script.status, source).toBe(200);
      expect(script.headers.get('content-type')).toContain('javascript');
    }
    expect(page.text).not.toMatch(/\son\w+="/);
  },
);

test.each(SERVICE_NAMES)('%s: whoever watches it may ask by HEAD', async (service) => {
  for (const path of ['/actuator/health', '/actuator/info', '/actuator/metrics-export', '/v3/api-docs']) {
    const { status, text } = await anybody().call(service, 'HEAD', path);
    expect({ path, status, text }).toEqual({ path, status: 200, text: '' });
  }
});

test('other origins are let in only where they are configured', async () => {
  const open = await startPlatform({
    CORS_ORIGINS: 'https://books.example.com',
    SERVICES: 'authentication',
    JOBS: 'off',
  });
  try {
    const ask = (origin: string) =>
      open.withToken('').call('authentication', 'OPTIONS', '/api/auth/signin', undefined, {
        origin,
        'access-control-request-method': 'POST',
      });
    const allowed = await ask('https://books.example.com');
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://books.example.com');
    expect((await ask('https://evil.example.com')).headers.get('access-control-allow-origin')).toBeNull();
  } finally {
    await open.stop();
  }
});

/** What a service answers to bytes that no client library would send. */
function exchange(service: ServiceName, bytes: string): Promise<string> {
  const { hostname, port } = new URL(platform.address(service));
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes));
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', (error) => (answer ? resolve(answer) : reject(error)));
    socket.setTimeout(5_000, () => socket.destroy());
  });
}

test.each([
  ['not HTTP', 'hello\r\n\r\n'],
  ['two lengths', 'POST /api/auth/signin HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n{}'],
  [
    'a length and chunks',
    'POST /api/auth/signin HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['headers of 300 KB', `GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'a'.repeat(300_000)}\r\n\r\n`],
  ['a NUL in a header', 'GET / HTTP/1.1\r\nhost: x\r\nx-nul: a\0b\r\n\r\n'],
])('%s: 400 in the common form and the connection ends', async (_what, bytes) => {
  const answer = await exchange('authentication', bytes);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toContain('application/problem+json');
  expect(answer).toContain('connection: close');
});

test('bodies have limits: size, depth, form', async () => {
  const post = (body: string, type = 'application/json') =>
    anybody().post('authentication', '/api/auth/signin', body, { 'content-type': type });
  expect((await post(JSON.stringify({ username: 'a'.repeat(70_000), password: 'x' }))).status).toBe(413);
  expect((await post(`${'['.repeat(1_000)}${']'.repeat(1_000)}`)).status).toBe(400);
  expect((await post('{"username":"a","__proto__":{"admin":true},"password":"x"}')).status).toBe(400);
  expect((await post('{"username":')).status).toBe(400);
  expect((await post('')).status).toBe(400);
  expect((await post('<a/>', 'text/xml')).status).toBe(415);
  expect((await post('username=a', 'text/plain')).status).toBe(415);
});

const SIGN_IN = '{"username":"a","password":"x"}';
test.each<[string, string | Buffer, string, number, string]>([
  ['a key twice', '{"username":"b","username":"a","password":"x"}', '', 400, 'an object has a key twice'],
  ['a key twice, once escaped', '{"\\u0075sername":"b","username":"a","password":"x"}', '', 400, 'a key twice'],
  ['a key twice further in', '{"username":"a","password":"x","y":[{"z":{"k":1,"k":1}}]}', '', 400, 'a key twice'],
  ['colons in texts', '{"username":"a:b","password":":\\":"}', '', 401, ''],
  ['no UTF-8', Buffer.from('{"username":"Jo\xe3o","password":"x"}', 'latin1'), '', 400, 'not UTF-8'],
  ['half a letter', Buffer.from('{"username":"\xc3","password":"x"}', 'latin1'), '', 400, 'not UTF-8'],
  ['bytes packed by gzip', gzipSync(SIGN_IN), 'gzip', 415, ''],
  ['bytes packed twice', gzipSync(gzipSync(SIGN_IN)), 'gzip, gzip', 415, ''],
  ['an encoding that changes nothing', SIGN_IN, 'identity', 401, ''],
  ['a field missing', '{"username":"a"}', '', 400, 'is required'],
  ['a number for a text', '{"username":1,"password":"x"}', '', 400, 'must be a text'],
])('a body with %s: %s', async (_what, body, encoding, status, reason) => {
  const headers = { 'content-type': 'application/json', ...(encoding && { 'content-encoding': encoding }) };
  const answer = await anybody().post('authentication', '/api/auth/signin', body, headers);
  expect([answer.status, answer.body.status]).toEqual([status, status]);
  expect(answer.body.detail).toContain(reason);
});

test('an address that cannot be read, or is too long, is rejected in the common form', async () => {
  for (const [path, status] of [
    ['/companies/bycompany/a%ZZ', 400],
    ['/companies/bycompany/%C3', 400],
    [`/companies/bycompany/${'x'.repeat(2_000)}`, 400],
    [`/companies/${'1'.repeat(20_000)}`, 400],
    [`/${'x'.repeat(20_000)}`, 404],
  ] as const) {
    const answer = await platform.admin.get('masterdata', path);
    expect([path.slice(0, 40), answer.status, answer.body.status]).toEqual([path.slice(0, 40), status, status]);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
  }
});

test.each([
  ['twice the same', ['Bearer TOKEN', 'Bearer TOKEN'], 401],
  ['another one behind', ['Bearer TOKEN', 'Bearer x'], 401],
  ['another one before', ['Basic eDp4', 'Bearer TOKEN'], 401],
  ['in small letters, with blanks', ['bearer   TOKEN'], 200],
  ['in capitals', ['BEARER TOKEN'], 200],
  ['with something behind', ['Bearer TOKEN, Bearer x'], 401],
  ['parted by a tab', ['Bearer\tTOKEN'], 401],
])('a token %s', async (_what, headers, status) => {
  const lines = headers.map((each) => `authorization: ${each.replace('TOKEN', platform.admin.token)}\r\n`);
  const answer = await exchange(
    'masterdata',
    `GET /companies HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${lines.join('')}\r\n`,
  );
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});

test('no metric names a tenant, a user or an id', async () => {
  await platform.admin.get('authentication', '/api/admin/users/4711');
  await anybody().get('authentication', '/wp-admin/0815');
  const text = await freshMetrics(anybody(), 'authentication');
  // The values are left out: some sum of seconds has any four digits.
  const labels = text.match(/\{.*\}/g)!.join('\n');
  expect(labels).toContain('route="/api/admin/users/:id"');
  expect(labels).not.toMatch(/4711|0815|admin"/);
  for (const name of [
    'partidas_request_seconds',
    'partidas_database_connections',
    'partidas_jobs_waiting',
    'partidas_job_seconds',
    'partidas_password_hash_queue',
    'partidas_import_rows_total',
    'partidas_report_pages_total',
    'nodejs_eventloop_lag_p99_seconds',
  ]) {
    expect(text).toContain(name);
  }
});
