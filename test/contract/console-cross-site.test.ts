import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, browserOf, signedInBrowser } from '../support/browser-client.ts';
import { build } from '../support/foreign-requests.ts';
import { ADMIN, type Platform, startPlatform } from '../support/platform.ts';
import { inParallel, type PublishedOperation, publishedOperations } from '../support/published-operations.ts';

// What another site can have a browser send: the cookie may come along, where it is the same site, or an old browser.

let platform: Platform;
let browser: Browser;
let operations: PublishedOperation[];
beforeAll(async () => {
  platform = await startPlatform({ JOBS: 'off' });
  browser = await signedInBrowser(platform);
  operations = await publishedOperations(platform.admin);
});
afterAll(() => platform?.stop());

const ELSEWHERE = ['cross-site', 'same-site', 'none', undefined, '', 'Same-Origin', 'same-origin, same-origin'];

test('every operation of every service is refused to whatever is no page of the console', async () => {
  expect(operations.length).toBeGreaterThan(250);
  const let_in: string[] = [];
  await inParallel(operations, 4, async ({ service, method, path, operation }) => {
    const built = build(path, operation, ({ kind }) => (kind === 'id' ? 1 : 'x'));
    for (const site of ['cross-site', undefined]) {
      const sent = method === 'GET' || method === 'DELETE' ? undefined : built.body;
      const answer = await browser.call(method, `/api/${service}${built.path}`, sent, { 'sec-fetch-site': site });
      if (answer.status !== 403 || answer.body.code !== 'CROSS_SITE_REQUEST') {
        let_in.push(`${method} ${service}${path} (${site}): ${answer.status}`);
      }
    }
  });
  expect(let_in).toEqual([]);
}, 60_000);

test.each([
  ['POST', '/api/console/session'],
  ['GET', '/api/console/session'],
  ['DELETE', '/api/console/session'],
  ['GET', '/api/console/sessions'],
  ['DELETE', '/api/console/sessions'],
  ['DELETE', '/api/console/sessions/1'],
  ['GET', '/api/console/providers'],
  ['GET', '/api/movements/calendar/closeday/0001/0001?day=2026-01-31'],
  ['GET', '/api/masterdata/taxquotacalculation/0001/0001?confirmed=true'],
])('%s %s needs a page of the same origin, however it is said', async (method, path) => {
  for (const site of ELSEWHERE) {
    const answer = await browser.call(method, path, method === 'POST' ? ADMIN : undefined, { 'sec-fetch-site': site });
    expect([site, answer.status, answer.body.code]).toEqual([site, 403, 'CROSS_SITE_REQUEST']);
    expect(answer.headers.get('set-cookie')).toBeNull();
  }
  expect((await browser.call('GET', '/api/console/session')).status).toBe(200);
});

test('no other origin is let in, wherever the services let one in', async () => {
  const open = await startPlatform({ CORS_ORIGINS: 'https://app.example.com', JOBS: 'off' });
  try {
    const mine = await signedInBrowser(open);
    const preflight = await mine.call('OPTIONS', '/api/movements/batch', undefined, {
      origin: 'https://app.example.com',
      'sec-fetch-site': 'cross-site',
      'access-control-request-method': 'POST',
    });
    expect(preflight.status).toBeGreaterThanOrEqual(400);
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
    const read = await mine.call('GET', '/api/console/session', undefined, { origin: 'https://app.example.com' });
    expect(read.headers.get('access-control-allow-origin')).toBeNull();
  } finally {
    await open.stop();
  }
});

test.each(['GET', 'POST', 'DELETE'])('over plain http of another machine %s says why nothing goes', async (method) => {
  const away = browserOf(platform, 'books.example.com:7000');
  const body = method === 'POST' ? ADMIN : undefined;
  const answer = await away.call(method, '/api/console/session', body, { 'accept-language': 'pt-BR' });
  expect(answer).toMatchObject({ status: 403, body: { code: 'INSECURE_CONNECTION' } });
  expect(answer.body.detail).toContain('https');
  expect(answer.headers.get('set-cookie')).toBeNull();
});

test.each(['localhost:7000', 'localhost', '127.0.0.1:7000', '127.9.9.9', '[::1]:7000', 'livros.localhost:7000'])(
  '%s is this machine',
  async (host) => {
    expect((await browserOf(platform, host).call('POST', '/api/console/session', ADMIN)).status).toBe(201);
  },
);

test.each(['localhost.evil.example', '127.0.0.1.evil.example', 'evil-localhost', '127.0.0.1@evil.example', '0.0.0.0'])(
  '%s is not',
  async (host) => {
    const answer = await browserOf(platform, host).call('POST', '/api/console/session', ADMIN);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.headers.get('set-cookie')).toBeNull();
  },
);

test('a trusted proxy says that the browser came over https, nobody else', async () => {
  const claims = {
    'x-forwarded-proto': 'https',
    'x-forwarded-host': 'books.example.com',
    'x-forwarded-for': '203.0.113.9',
  };
  const anybody = await browserOf(platform, 'books.example.com').call('POST', '/api/console/session', ADMIN, claims);
  expect(anybody).toMatchObject({ status: 403, body: { code: 'INSECURE_CONNECTION' } });
  const proxied = await startPlatform({ TRUSTED_PROXIES: '127.0.0.1', JOBS: 'off' });
  try {
    const behind = browserOf(proxied, 'inner');
    expect((await behind.call('POST', '/api/console/session', ADMIN, claims)).status).toBe(201);
    const [session] = (await behind.call('GET', '/api/console/sessions', undefined, claims)).body.content;
    expect(session.address).toBe('203.0.113.9');
    expect((await behind.call('GET', '/api/authentication/api/auth/me', undefined, claims)).status).toBe(200);
  } finally {
    await proxied.stop();
  }
});
