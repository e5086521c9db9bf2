import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { startProgram } from '../../src/program.ts';
import { shownCode } from '../support/authenticator-app.ts';
import { createBank } from '../support/banks.ts';
import { type Browser, browserOf, signedInBrowser } from '../support/browser-client.ts';
import { letTimePass } from '../support/passing-time.ts';
import { ADMIN, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

let clock = new Date('2026-03-10T12:00:00Z');
let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({}, { now: () => clock });
});
afterAll(() => platform?.stop());
beforeEach(async () => {
  await owned('DELETE FROM signin_failure');
});

const SESSION = '/api/console/session';
const SESSIONS = '/api/console/sessions';
const ME = '/api/authentication/api/auth/me';

const owned = (text: string, values: unknown[] = []) =>
  withOwnerConnection(platform.ownerUrl, async (client) => (await client.query(text, values)).rows);

/** Moves the clock of the program, and whatever it remembers grows old. */
function passMinutes(minutes: number): void {
  clock = new Date(clock.getTime() + minutes * 60_000);
  letTimePass(minutes * 60_000);
}

const me = async (browser: Browser) => {
  const { status, body } = await browser.call('GET', ME);
  return status === 200 ? body.username : body.code;
};

/** A user of its own, signed in. */
async function someone(
  username: string,
): Promise<{ id: number; username: string; password: string; browser: Browser }> {
  const user = await createUser(await freshAdmin(), { username });
  return { ...user, browser: await signedInBrowser(platform, user) };
}

/** The administrator's token ends with time, too. */
const freshAdmin = () => platform.as(ADMIN.username, ADMIN.password);

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
    deniedRoutines: [],
    signedInAt: '2026-03-10T12:00:00.000Z',
    expiresAt: '2026-03-11T00:00:00.000Z',
    idleMinutes: 30,
  });
  expect((await browser.call('GET', SESSION)).body).toEqual(opened.body);
  expect(await me(browser)).toBe('admin');
  const { cookie } = browser;
  const ended = await browser.call('DELETE', SESSION);
  expect(ended.headers.get('set-cookie')).toMatch(/^__Host-partidas=; Max-Age=0; Path=\/; Secure/);
  // Replayed: the cookie opens nothing any more.
  browser.cookie = cookie;
  expect((await browser.call('GET', SESSION)).status).toBe(401);
  expect(await me(browser)).toBe('SESSION_REQUIRED');
  expect((await browser.call('DELETE', SESSION)).body).toEqual({ success: true });
  const trail = await owned(`SELECT action, username FROM audit WHERE entity = 'session' ORDER BY id DESC LIMIT 2`);
  expect(trail).toEqual([
    { action: 'SIGN_OUT', username: 'admin' },
    { action: 'SIGN_IN', username: 'admin' },
  ]);
});

test('the database has the digest of the cookie, from where and by what it came, and no token leaves the server', async () => {
  const browser = await signedInBrowser(platform);
  const answers = [await browser.call('GET', SESSION), await browser.call('GET', ME)];
  for (const { text, headers } of answers) expect(text + JSON.stringify([...headers])).not.toMatch(/eyJ[\w-]{10}/);
  const [, value] = browser.cookie!.split('=');
  const hash = createHash('sha256').update(value!).digest();
  const [kept] = await owned('SELECT * FROM console_session WHERE token_hash = $1', [hash]);
  expect(kept).toMatchObject({ how: 'PASSWORD', address: '127.0.0.1', agent: 'test browser', credential_version: 1 });
  const everything = JSON.stringify(await owned('SELECT console_session::text FROM console_session'));
  expect(everything).not.toContain(value);
});

test('the user sees the companies and branches that the permissions reach, by code, and the routines denied', async () => {
  const admin = await freshAdmin();
  await createBank(admin, { company: 'VISTA', branch: '0001' });
  await createBank(admin, { company: 'OCULTA', branch: '0001' });
  const user = await createUser(admin, { username: 'vera', permissions: [{ company: 'VISTA', branch: '0001' }] });
  const browser = browserOf(platform);
  const { body } = await browser.call('POST', SESSION, { username: 'vera', password: user.password });
  expect(body.companies).toEqual([
    { code: 'VISTA', name: expect.any(String), branches: [{ code: '0001', name: expect.any(String) }] },
  ]);
  expect(body.deniedRoutines).toContain('PURGING');
  expect(body.deniedRoutines).not.toContain('IMPORT');
  expect((await browser.call('GET', '/api/masterdata/companies')).text).not.toContain('OCULTA');
});

test('it ends after thirty minutes without a use, and only then', async () => {
  const { browser } = await someone('ines');
  for (let turn = 0; turn < 3; turn++) {
    passMinutes(29);
    expect(await me(browser)).toBe('ines');
  }
  passMinutes(31);
  expect(await me(browser)).toBe('SESSION_REQUIRED');
  expect((await browser.call('GET', SESSION)).status).toBe(401);
});

test('what a page asks for by itself does not keep it open', async () => {
  const { browser } = await someone('otto');
  passMinutes(20);
  const byItself = await browser.call('GET', ME, undefined, { 'x-partidas-background': '1' });
  expect(byItself.status).toBe(200);
  passMinutes(11);
  expect(await me(browser)).toBe('SESSION_REQUIRED');
});

test('it ends after twelve hours, however busy', async () => {
  const { browser } = await someone('doze');
  for (let turn = 0; turn < 28; turn++) {
    passMinutes(25);
    expect(await me(browser)).toBe('doze');
  }
  passMinutes(21);
  expect(await me(browser)).toBe('SESSION_REQUIRED');
});

test.each<[string, (admin: Awaited<ReturnType<typeof freshAdmin>>, id: number) => Promise<{ status: number }>]>([
  ['deactivated', (admin, id) => admin.call('authentication', 'DELETE', `/api/admin/users/${id}`)],
  [
    'given another password',
    (admin, id) =>
      admin.call('authentication', 'PUT', `/api/admin/users/${id}/password`, { password: 'outra senha comprida' }),
  ],
  ['signed out everywhere', (admin, id) => admin.post('authentication', `/api/admin/users/${id}/signout-everywhere`)],
  [
    'expired',
    (admin, id) =>
      admin.call('authentication', 'PUT', `/api/admin/users/${id}`, {
        username: `expired ${id}`,
        expiresAt: new Date(clock.getTime() - 1_000).toISOString(),
      }),
  ],
])('it ends when its user is %s', async (what, end) => {
  const { browser, id, username } = await someone(`fim ${what.replaceAll(' ', '')}`);
  expect(await me(browser)).toBe(username);
  expect((await end(await freshAdmin(), id)).status).toBeLessThan(300);
  expect(await me(browser)).toBe('SESSION_REQUIRED');
  expect((await browser.call('GET', SESSION)).status).toBe(401);
});

test('the own new password ends the session, and the new one opens another', async () => {
  const { browser, username, password } = await someone('nova');
  const changed = await browser.call('POST', '/api/authentication/api/auth/password', {
    currentPassword: password,
    newPassword: 'outra senha comprida',
  });
  expect(changed.status).toBe(200);
  expect(await me(browser)).toBe('SESSION_REQUIRED');
  const again = await browser.call('POST', SESSION, { username, password: 'outra senha comprida' });
  expect(again.status).toBe(201);
  expect(await me(browser)).toBe(username);
});

test('a sign-in replaces the session that the browser had', async () => {
  const { browser, username, password } = await someone('troca');
  const { cookie } = browser;
  await browser.call('POST', SESSION, { username, password });
  expect(browser.cookie).not.toBe(cookie);
  const thief = browserOf(platform);
  thief.cookie = cookie;
  expect(await me(thief)).toBe('SESSION_REQUIRED');
});

test('refused sign-ins: the same answer for all, counted, and then a wait that says how long', async () => {
  const browser = browserOf(platform);
  const attempt = (username: string) => browser.call('POST', SESSION, { username, password: 'errada' });
  const wrong = await attempt('admin');
  expect(wrong).toMatchObject({ status: 401, body: { code: 'BAD_CREDENTIALS' } });
  expect(wrong.headers.get('set-cookie')).toBeNull();
  expect((await attempt('ninguem')).body.detail).toBe(wrong.body.detail);
  for (let turn = 0; turn < 8; turn++) await attempt('admin');
  await attempt('admin');
  const late = await browser.call('POST', SESSION, ADMIN);
  expect(late).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(60);
  for (const body of [{}, { username: 'admin' }, { ...ADMIN, extra: 1 }, 'x'.repeat(20_000)]) {
    expect((await browser.call('POST', SESSION, body, { 'content-type': 'application/json' })).status).toBeLessThan(
      414,
    );
  }
});

test('a second factor is asked for, and set up, without a session', async () => {
  const admin = await freshAdmin();
  const user = await createUser(admin, { username: 'fator', admin: true });
  const credentials = { username: user.username, password: user.password };
  const browser = browserOf(platform);
  const enrolled = await browser.call('POST', '/api/authentication/api/auth/mfa/enrolment', credentials);
  expect(enrolled.status).toBe(201);
  const { secret } = enrolled.body;
  const first = await browser.call('POST', SESSION, { ...credentials, totp: shownCode(secret, clock) });
  expect(first.status).toBe(201);
  const [{ how }] = (await browser.call('GET', SESSIONS)).body.content;
  expect(how).toBe('PASSWORD_AND_CODE');
  const without = await browserOf(platform).call('POST', SESSION, credentials);
  expect(without).toMatchObject({ status: 401, body: { code: 'MFA_REQUIRED' } });
});

test('a user has twenty sessions: the longest unused makes room for another', async () => {
  const { browser, username, password } = await someone('muitas');
  for (let turn = 0; turn < 19; turn++) {
    passMinutes(0.5);
    await signedInBrowser(platform, { username, password });
  }
  expect(await me(browser)).toBe(username);
  passMinutes(1.5);
  expect(await me(browser)).toBe(username);
  await signedInBrowser(platform, { username, password });
  expect(await me(browser)).toBe(username);
  const { body } = await browser.call('GET', SESSIONS);
  expect(body).toMatchObject({ totalElements: 20 });
});

test('users see and end their own sessions, administrators those of everybody', async () => {
  const { browser, username, password, id } = await someone('lista');
  const other = await signedInBrowser(platform, { username, password });
  const third = await signedInBrowser(platform, { username, password });
  const { body } = await browser.call('GET', SESSIONS);
  expect(body.totalElements).toBe(3);
  expect(body.content.filter((each: { current: boolean }) => each.current)).toHaveLength(1);
  expect(body.content[0]).toMatchObject({ username, address: '127.0.0.1', agent: 'test browser', how: 'PASSWORD' });
  const newest = body.content.find((each: { current: boolean }) => !each.current);
  expect((await browser.call('DELETE', `${SESSIONS}/${newest.id}`)).body).toEqual({ success: true });
  expect(await me(third)).toBe('SESSION_REQUIRED');
  expect((await browser.call('DELETE', SESSIONS)).body).toEqual({ ended: 1 });
  expect(await me(other)).toBe('SESSION_REQUIRED');

  const admin = await signedInBrowser(platform);
  const ofAdmin = (await admin.call('GET', SESSIONS)).body.content.find((each: { current: boolean }) => each.current);
  for (const path of [`${SESSIONS}?everyone=true`, `${SESSIONS}?userId=1`]) {
    expect((await browser.call('GET', path)).body).toMatchObject({ status: 403, code: 'ADMIN_ONLY' });
  }
  expect((await browser.call('DELETE', `${SESSIONS}/${ofAdmin.id}`)).body).toMatchObject({ status: 404 });
  const everybody = (await admin.call('GET', `${SESSIONS}?everyone=true`)).body.content;
  expect(new Set(everybody.map((each: { username: string }) => each.username)).size).toBeGreaterThan(1);
  const [his] = (await admin.call('GET', `${SESSIONS}?userId=${id}`)).body.content;
  expect((await admin.call('DELETE', `${SESSIONS}/${his.id}`)).status).toBe(200);
  expect(await me(browser)).toBe('SESSION_REQUIRED');
  const [ended] = await owned(
    `SELECT username, entity_id, after FROM audit WHERE action = 'END_SESSION' ORDER BY id DESC`,
  );
  expect(ended).toMatchObject({ username: 'admin', entity_id: String(id), after: { username } });
});

test.each([
  ['of nobody', `__Host-partidas=${'A'.repeat(43)}`],
  ['too long', `__Host-partidas=${'A'.repeat(5_000)}`],
  ['empty', '__Host-partidas='],
  ['with SQL', "__Host-partidas=' OR true --"],
  ['of another name', 'partidas=SESSION'],
])('a cookie %s opens nothing', async (_what, cookie) => {
  const signedIn = await signedInBrowser(platform);
  const value = signedIn.cookie!.split('=')[1]!;
  const answer = await browserOf(platform).call('GET', ME, undefined, { cookie: cookie.replace('SESSION', value) });
  expect(answer).toMatchObject({ status: 401, body: { code: 'SESSION_REQUIRED' } });
});

test('of two cookies of the name none is taken', async () => {
  const { cookie } = await signedInBrowser(platform);
  const twice = await browserOf(platform).call('GET', ME, undefined, { cookie: `${cookie}; ${cookie}` });
  expect(twice.status).toBe(401);
  const beside = await browserOf(platform).call('GET', ME, undefined, { cookie: `theme=dark; ${cookie}; a=b` });
  expect(beside.status).toBe(200);
});

test('two processes share the sessions, and their ends', async () => {
  const { config } = platform.program.app;
  const second = await startProgram(
    { ...config, services: ['console'], jobs: false, ports: { ...config.ports, console: 0 } },
    { connectionString: platform.ownerUrl, silent: true, now: () => clock },
  );
  try {
    const elsewhere = { address: () => second.addresses.console! };
    const browser = await signedInBrowser(platform);
    const there = browserOf(elsewhere);
    there.cookie = browser.cookie;
    expect((await there.call('GET', SESSION)).body.user.username).toBe('admin');
    await browser.call('DELETE', SESSION);
    letTimePass(5_000);
    expect((await there.call('GET', SESSION)).status).toBe(401);
  } finally {
    await second.stop();
  }
});
