import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, browserOf } from '../support/browser-client.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
let folder: string;
let browser: Browser;
const SCRIPT = `export const text = '${'x'.repeat(5_000)}';`;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'partidas-console-'));
  writeFileSync(join(folder, '..', `${folder.split('/').pop()}.secret.txt`), 'TOPSECRET');
  mkdirSync(join(folder, 'dist/assets'), { recursive: true });
  writeFileSync(join(folder, 'dist/index.html'), '<!doctype html><title>Partidas</title>');
  writeFileSync(join(folder, 'dist/assets/main-abc123.js'), SCRIPT);
  writeFileSync(join(folder, 'dist/assets/main-abc123.js.br'), brotliCompressSync(SCRIPT));
  writeFileSync(join(folder, 'dist/icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(folder, 'dist/.made-of'), 'hash');
  writeFileSync(join(folder, 'secret.txt'), 'TOPSECRET');
  platform = await startPlatform({ JOBS: 'off' }, { consoleFolder: join(folder, 'dist') });
  browser = browserOf(platform);
});
afterAll(async () => {
  await platform?.stop();
  rmSync(folder, { recursive: true, force: true });
  rmSync(`${folder}.secret.txt`, { force: true });
});

const get = (path: string, headers = {}) => browser.call('GET', path, undefined, headers);

test('hashed files stay in caches for a year, packed for whoever takes it; the page is asked for again', async () => {
  const packed = await get('/assets/main-abc123.js', { 'accept-encoding': 'gzip, br' });
  expect(packed.headers.get('content-encoding')).toBe('br');
  const plain = await get('/assets/main-abc123.js');
  expect(plain).toMatchObject({ status: 200, text: SCRIPT });
  expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(plain.headers.get('vary')).toBe('Accept-Encoding');
  const page = await get('/');
  expect(page.headers.get('cache-control')).toBe('no-cache');
  const again = await get('/', { 'if-none-match': page.headers.get('etag')! });
  expect([again.status, again.text]).toEqual([304, '']);
  expect((await browser.call('HEAD', '/')).status).toBe(200);
});

test('every other place is the page, which reads the place itself', async () => {
  for (const path of ['/', '/entrar', '/0001/0001/2026-10/razao?conta=12', '/index.html', '/nowhere/at/all']) {
    const { status, text, headers } = await get(path);
    expect([path, status, text]).toEqual([path, 200, '<!doctype html><title>Partidas</title>']);
    expect(headers.get('content-type')).toContain('text/html');
  }
  expect((await get('/assets/main-old.js')).status).toBe(404);
  expect((await browser.call('POST', '/0001/0001')).status).toBe(404);
});

test.each([
  '/../secret.txt',
  '/..%2fsecret.txt',
  '/%2e%2e/secret.txt',
  '/%2e%2e%2fsecret.txt',
  '/..%5csecret.txt',
  '/..\\secret.txt',
  '/assets/../../secret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/assets/%2e%2e/%2e%2e/secret.txt',
  '//secret.txt',
  '/./secret.txt',
  '/.made-of',
  '/assets/main-abc123.js%00.html',
  '/assets/main-abc123.js.br',
  '/assets/',
  '/assets',
  '/%00',
  '/file:///etc/passwd',
  '/constructor',
  '/__proto__',
])('%s reaches no file', async (path) => {
  const { status, text } = await get(path);
  expect([200, 400, 404]).toContain(status);
  if (status === 200) expect(text).toContain('<title>Partidas</title>');
  expect(text).not.toMatch(/TOPSECRET|hash"|root:/);
});

test('the pages are under a policy that lets in nothing from elsewhere, no frame and no script in the page', async () => {
  for (const path of ['/', '/assets/main-abc123.js', '/api/console/session', '/entrar/NOBODY', '/actuator/health']) {
    const { headers } = await get(path);
    expect(headers.get('content-security-policy'), path).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "manifest-src 'self'; frame-src blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'",
    );
    expect(headers.get('x-frame-options'), path).toBe('DENY');
    expect(headers.get('x-content-type-options'), path).toBe('nosniff');
    expect(headers.get('referrer-policy'), path).toBe('no-referrer');
    expect(headers.get('cross-origin-opener-policy'), path).toBe('same-origin');
    expect(headers.get('strict-transport-security'), path).toContain('max-age');
  }
});

test('a new build is served without a new start', async () => {
  const file = join(folder, 'dist/index.html');
  writeFileSync(file, '<!doctype html><title>Partidas 2</title>');
  utimesSync(file, new Date(), new Date(Date.now() + 5_000));
  expect((await get('/')).text).toContain('Partidas 2');
  writeFileSync(file, '<!doctype html><title>Partidas</title>');
  utimesSync(file, new Date(), new Date(Date.now() + 10_000));
});

test('documents for machines, and no page of them', async () => {
  expect((await get('/v3/api-docs')).body.paths['/api/console/session']).toBeDefined();
  expect((await get('/actuator/health')).body).toEqual({ status: 'UP', service: 'console' });
  expect((await get('/docs/')).text).toContain('<title>Partidas</title>');
});

test('without a build the console says how to get one, and the services work', async () => {
  const own = await startPlatform({ JOBS: 'off' }, { consoleFolder: join(folder, 'none') });
  try {
    const page = await browserOf(own).call('GET', '/');
    expect(page.status).toBe(503);
    expect(page.text).toContain('scripts/build-console.ts');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect((await own.admin.get('queries', '/actuator/health')).status).toBe(200);
  } finally {
    await own.stop();
  }
});
