import { afterAll, beforeAll, expect, test } from 'vitest';
import { newKey, startFakeProvider } from '../support/identity-provider.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
let provider: Awaited<ReturnType<typeof startFakeProvider>>;
const PASSWORD = 'uma senha qualquer';

beforeAll(async () => {
  provider = await startFakeProvider('client');
  platform = await startPlatform({
    TRUSTED_PROXIES: '127.0.0.1',
    IDENTITY_PROVIDERS: JSON.stringify([
      { name: 'FAKE', issuer: provider.issuer, audience: 'client', jwksUri: provider.jwksUri },
    ]),
  });
});
afterAll(async () => {
  provider?.close();
  await platform?.stop();
});

const create = (user: Record<string, unknown>) =>
  platform.admin.post('authentication', '/api/admin/users', { password: PASSWORD, ...user });
const signIn = (username: string, password: string, from: string) =>
  platform
    .withToken('')
    .post('authentication', '/api/auth/signin', { username, password }, { 'x-forwarded-for': from });
const trail = async (username: string) =>
  (
    await platform.admin.get(
      'authentication',
      `/api/admin/audit?entity=session&username=${encodeURIComponent(username)}&size=1000`,
    )
  ).body.content as { action: string; address: string; userId: number; after: Record<string, string> }[];

test('sign-ins and rejections are in the trail: who, from where, and why', async () => {
  const { id } = (await create({ username: 'rita' })).body;
  await create({ username: 'parada', active: false });
  await create({ username: 'passada', expiresAt: '2020-01-01T00:00:00Z' });
  await signIn('rita', PASSWORD, '192.0.2.1');
  await signIn('RITA', 'a senha errada', '192.0.2.2');
  await signIn('parada', PASSWORD, '192.0.2.3');
  await signIn('passada', PASSWORD, '192.0.2.3');
  await signIn('quem?', PASSWORD, '192.0.2.3');
  const reasons = async (name: string) => (await trail(name)).map((each) => each.after.reason ?? each.after.how);
  expect(await trail('rita')).toMatchObject([
    { action: 'SIGN_IN_REFUSED', address: '192.0.2.2', userId: id, after: { reason: 'WRONG_PASSWORD' } },
    { action: 'SIGN_IN', address: '192.0.2.1', userId: id, after: { how: 'PASSWORD' } },
  ]);
  expect(await reasons('parada')).toEqual(['INACTIVE']);
  expect(await reasons('passada')).toEqual(['EXPIRED']);
  expect(await reasons('quem?')).toEqual(['UNKNOWN_USER']);
  expect(JSON.stringify(await trail('rita'))).not.toContain('senha');
});

test('a flood of rejections does not fill the trail', async () => {
  await create({ username: 'alvo' });
  for (let turn = 0; turn < 14; turn++) await signIn('alvo', 'a senha errada', '198.51.100.1');
  expect((await trail('alvo')).length).toBe(5);
  for (let turn = 0; turn < 40; turn++) await signIn(`nome${turn}`, 'a senha errada', '203.0.113.77');
  const { body } = await platform.admin.get('authentication', '/api/admin/audit?entity=session&size=1000');
  const of = (address: string) => body.content.filter((each: { address: string }) => each.address === address).length;
  expect(of('203.0.113.77')).toBe(30);
  // Whoever gets in is always written.
  await signIn('alvo', PASSWORD, '203.0.113.200');
  expect((await trail('alvo'))[0]).toMatchObject({ action: 'SIGN_IN', address: '203.0.113.200' });
}, 30_000);

test('external logins too', async () => {
  const key = await newKey('key-1');
  provider.keys = [key.publicJwk];
  await create({ username: 'externa', identities: [{ provider: 'FAKE', subject: 'subject' }] });
  const login = (token: string) =>
    platform
      .withToken('')
      .post('authentication', '/api/auth/external-login', { provider: 'FAKE', token, tokenType: 'ID_TOKEN' });
  const token = await provider.idToken(key);
  await login(token);
  await login(token);
  await login(await provider.idToken(key, { sub: 'stranger' }));
  await login(await provider.idToken(key, { azp: 'other' }));
  const told = async (name: string) => (await trail(name)).map((each) => each.after.reason ?? each.after.how);
  expect(await told('externa')).toEqual(['TOKEN_USED', 'FAKE']);
  expect(await told('FAKE stranger')).toEqual(['NOT_LINKED']);
  expect(await told('FAKE')).toEqual(['TOKEN_REFUSED']);
});
