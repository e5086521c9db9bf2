import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/platform/config.ts';
import { type Browser, browserOf } from '../support/browser-client.ts';
import { type FakeProvider, newKey, startFakeProvider } from '../support/identity-provider.ts';
import { CLIENT_SECRET, freePort, signInAtProvider, startRealProvider } from '../support/openid-provider.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

const CLIENT = 'partidas-console';
let platform: Platform;
let real: Awaited<ReturnType<typeof startRealProvider>>;
let plain: FakeProvider;
let issuer: string;
let redirectUri: string;
/** Two accounts of the provider are users here, one of them may not sign in. */
beforeAll(async () => {
  const [consolePort, port] = [await freePort(), await freePort()];
  issuer = `http://127.0.0.1:${port}`;
  redirectUri = `http://127.0.0.1:${consolePort}/entrar/REAL/volta`;
  real = await startRealProvider({ port, signingKey: await newKey('k1'), clientId: CLIENT, redirectUri });
  plain = await startFakeProvider('x');
  const client = { clientId: CLIENT, clientSecret: CLIENT_SECRET };
  platform = await startPlatform({
    CONSOLE_PORT: String(consolePort),
    IDENTITY_PROVIDERS: JSON.stringify([
      {
        name: 'REAL',
        issuer,
        audience: 'another-client',
        jwksUri: `${issuer}/jwks`,
        ...client,
        label: 'Conta do banco',
      },
      { name: 'PLAIN', issuer: plain.issuer, audience: 'x', jwksUri: plain.jwksUri },
      { name: 'AWAY', issuer: 'http://127.0.0.1:1', audience: 'x', jwksUri: 'http://127.0.0.1:1/keys', ...client },
    ]),
  });
  const linked = (username: string, subject: string) =>
    platform.admin.post('authentication', '/api/admin/users', {
      username,
      identities: [{ provider: 'REAL', subject }],
    });
  await linked('rita', 'pessoa-1');
  const { body } = await linked('fora', 'pessoa-2');
  await platform.admin.call('authentication', 'DELETE', `/api/admin/users/${body.id}`);
});
afterAll(async () => {
  plain?.close();
  await platform?.stop();
  await real?.close();
});

/** A navigation of the browser: from its own bar, or from another site. */
const visit = (browser: Browser, path: string, site = 'none') =>
  browser.call('GET', path, undefined, {
    'sec-fetch-site': site,
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'document',
  });

/** To the provider and back; where the browser is sent in the end. */
async function signInWith(
  account: string,
  place = '/0001/0001/2026-10/razao?conta=12',
): Promise<{ browser: Browser; location: string }> {
  const browser = browserOf(platform);
  const begun = await visit(browser, `/entrar/REAL?volta=${encodeURIComponent(place)}`);
  expect(begun.status).toBe(303);
  const back = await signInAtProvider(begun.headers.get('location')!, account, redirectUri);
  const done = await visit(browser, back.slice(new URL(back).origin.length), 'cross-site');
  const cookies = done.headers.getSetCookie();
  browser.cookie = cookies.find((each) => each.startsWith('__Host-partidas='))?.split(';', 1)[0];
  expect(cookies.some((each) => /^__Host-partidas-entrar=; Max-Age=0/.test(each))).toBe(true);
  return { browser, location: done.headers.get('location')! };
}

test('the page where one signs in gets the providers that the console signs in with', async () => {
  expect((await browserOf(platform).call('GET', '/api/console/providers')).body).toEqual([
    { name: 'REAL', label: 'Conta do banco' },
    { name: 'AWAY', label: 'AWAY' },
  ]);
});

test('whoever the provider vouches for has a session, and is where the way began', async () => {
  const { browser, location } = await signInWith('pessoa-1');
  expect(location).toBe('/0001/0001/2026-10/razao?conta=12');
  expect((await browser.call('GET', '/api/console/session')).body.user.username).toBe('rita');
  const [{ how }] = (await browser.call('GET', '/api/console/sessions')).body.content;
  expect(how).toBe('REAL');
});

test('the way to the provider carries state, nonce and a challenge; what answers them stays here', async () => {
  const begun = await visit(browserOf(platform), '/entrar/REAL');
  const { searchParams, origin } = new URL(begun.headers.get('location')!);
  expect(origin).toBe(issuer);
  expect(Object.fromEntries(searchParams)).toMatchObject({
    client_id: CLIENT,
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge_method: 'S256',
    redirect_uri: redirectUri,
  });
  for (const name of ['state', 'nonce', 'code_challenge']) expect(searchParams.get(name)!.length).toBeGreaterThan(30);
  const [cookie] = begun.headers.getSetCookie();
  expect(cookie).toMatch(/^__Host-partidas-entrar=[\w-]+; Max-Age=600; Path=\/; Secure; HttpOnly; SameSite=Lax$/);
  expect(begun.headers.get('location')).not.toContain(CLIENT_SECRET);
});

test.each([
  ['somebody who is no user here', 'desconhecida', 'NOT_FOUND'],
  ['a user who was deactivated', 'pessoa-2', 'BAD_CREDENTIALS'],
])('%s comes back to the page where one signs in', async (_who, account, code) => {
  const { browser, location } = await signInWith(account);
  expect(location).toBe(`/entrar?erro=${code}&volta=%2F0001%2F0001%2F2026-10%2Frazao%3Fconta%3D12`);
  expect(browser.cookie).toBeUndefined();
});

test.each([
  ['https://evil.example/', '/'],
  ['//evil.example/', '/'],
  ['/\\evil.example/', '/'],
  ['/%5cevil.example', '/%5cevil.example'],
  ['/ /evil.example', '/'],
  ['/\t/evil.example', '/'],
  ['javascript:alert(1)', '/'],
  ['evil.example', '/'],
  ['/..//evil.example', '/'],
  ['/./\\evil.example', '/'],
  ['/api/movements/calendar/closeday', '/'],
  ['/entrar/REAL', '/'],
  ['/0001?x=https://evil.example', '/0001?x=https://evil.example'],
])('a saved place %s leads to %s', async (place, led) => {
  expect((await signInWith('pessoa-1', place)).location).toBe(led);
});

test('a code is good for the browser that asked for it, once', async () => {
  const browser = browserOf(platform);
  const begun = await visit(browser, '/entrar/REAL');
  const back = await signInAtProvider(begun.headers.get('location')!, 'pessoa-1', redirectUri);
  const path = back.slice(new URL(back).origin.length);
  const stranger = await visit(browserOf(platform), path, 'cross-site');
  expect(stranger.headers.get('location')).toBe('/entrar?erro=SIGN_IN_EXPIRED');
  const other = browserOf(platform);
  await visit(other, '/entrar/REAL');
  expect((await visit(other, path, 'cross-site')).headers.get('location')).toBe('/entrar?erro=BAD_CREDENTIALS');
  const { cookie } = browser;
  expect((await visit(browser, path, 'cross-site')).headers.get('location')).toBe('/');
  browser.cookie = cookie;
  expect((await visit(browser, path, 'cross-site')).headers.get('location')).toBe('/entrar?erro=BAD_CREDENTIALS');
});

test('a refusal of the provider, and what is nobody, lead back to the page where one signs in', async () => {
  const browser = browserOf(platform);
  const begun = await visit(browser, '/entrar/REAL');
  const state = new URL(begun.headers.get('location')!).searchParams.get('state');
  const query = new URLSearchParams({ error: 'access_denied', state: state!, iss: issuer });
  const denied = await visit(browser, `/entrar/REAL/volta?${query}`, 'cross-site');
  expect(denied.headers.get('location')).toBe('/entrar?erro=SIGN_IN_CANCELLED');
  for (const [path, code] of [
    ['/entrar/PLAIN', 'UNKNOWN_PROVIDER'],
    ['/entrar/NOBODY', 'UNKNOWN_PROVIDER'],
    ['/entrar/AWAY', 'IDENTITY_PROVIDER_UNAVAILABLE'],
    ['/entrar/REAL/volta', 'SIGN_IN_EXPIRED'],
    ['/entrar/REAL/volta?code=x&state=y', 'SIGN_IN_EXPIRED'],
  ] as const) {
    const answer = await visit(browserOf(platform), path);
    expect([path, answer.headers.get('location')]).toEqual([path, `/entrar?erro=${code}`]);
  }
  for (const cookie of ['e30', 'xx', Buffer.from('[]').toString('base64url')]) {
    const answer = await browserOf(platform).call('GET', '/entrar/REAL/volta?code=x', undefined, {
      cookie: `__Host-partidas-entrar=${cookie}`,
    });
    expect(answer.headers.get('location')).toBe('/entrar?erro=SIGN_IN_EXPIRED');
  }
});

test('over plain http of another machine nobody is sent to a provider', async () => {
  const answer = await visit(browserOf(platform, 'books.example.com'), '/entrar/REAL');
  expect(answer.headers.get('location')).toBe('/entrar?erro=INSECURE_CONNECTION');
});

test.each([
  ['a secret to a provider over plain http', { issuer: 'http://idp.example.com', clientId: 'x' }],
  ['a label without an end', { issuer: 'https://idp.example.com', label: 'x'.repeat(101) }],
  ['an unknown field', { issuer: 'https://idp.example.com', scope: 'x' }],
])('the program does not start with %s', (_what, more) => {
  const provider = { name: 'X', audience: 'x', jwksUri: 'https://idp.example.com/keys', ...more };
  expect(() => readConfig({ IDENTITY_PROVIDERS: JSON.stringify([provider]) })).toThrow(/IDENTITY_PROVIDERS/);
});
