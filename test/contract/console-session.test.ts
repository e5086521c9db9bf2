import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, browserOf, signedInBrowser } from '../support/browser-client.ts';
import { ADMIN, type Platform, startPlatform } from '../support/platform.ts';

const clock = new Date('2026-03-10T12:00:00Z');
let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({}, { now: () => clock });
});
afterAll(() => platform?.stop());

const SESSION = '/api/console/session';
const me = (browser: Browser) => browser.call('GET', '/api/authentication/api/auth/me');

test('a session is opened, says who is signed in, reaches the services and ends', async () => {
  const browser = browserOf(platform);
  expect((await browser.call('GET', SESSION)).body).toMatchObject({ status: 401, code: 'SESSION_REQUIRED' });
  const opened = await browser.call('POST', SESSION, ADMIN);
  expect(opened.status).toBe(201);
  expect(opened.headers.get('set-cookie')).toMatch(
    /^__Host-partidas=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
  );
  expect(opened.body).toMatchObject({
    user: { username: 'admin', admin: true },
    companies: [],
    deniedRoutines: [],
    expiresAt: '2026-03-11T00:00:00.000Z',
    idleMinutes: 30,
  });
  expect(opened.text).not.toContain('eyJ');
  expect((await browser.call('GET', SESSION)).body).toEqual(opened.body);
  expect((await me(browser)).body).toMatchObject({ username: 'admin' });
  const { cookie } = browser;
  const ended = await browser.call('DELETE', SESSION);
  expect(ended.headers.get('set-cookie')).toMatch(/^__Host-partidas=; Max-Age=0; Path=\/; Secure/);
  browser.cookie = cookie;
  expect((await browser.call('GET', SESSION)).status).toBe(401);
  expect((await me(browser)).body).toMatchObject({ code: 'SESSION_REQUIRED' });
});

test('only the digest of the cookie is kept', async () => {
  const browser = await signedInBrowser(platform);
  expect((await me(browser)).status).toBe(200);
});
