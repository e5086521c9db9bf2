import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/platform/config.ts';
import { startProgram } from '../../src/program.ts';
import { type FakeProvider, newKey, type SigningKey, startFakeProvider } from '../support/identity-provider.ts';
import { CLIENT_SECRET, freePort, signInAtProvider, startRealProvider } from '../support/openid-provider.ts';
import { letTimePass, withTimeoutsWithin } from '../support/passing-time.ts';
import { clientOf, type Platform, startPlatform } from '../support/platform.ts';

const AUDIENCE = 'partidas-client';
let platform: Platform;
/** Like the platform, but it makes the users it does not know. */
let provisioning: Platform;
let fake: FakeProvider;
let azure: FakeProvider;
let key: SigningKey;
/** Its signatures have two valid spellings each. */
let mirrorable: SigningKey;

/** A provider of its own for tests that break one. */
let broken: FakeProvider;

beforeAll(async () => {
  [fake, azure, broken] = (await Promise.all([AUDIENCE, AUDIENCE, AUDIENCE].map(startFakeProvider))) as [
    FakeProvider,
    FakeProvider,
    FakeProvider,
  ];
  key = await newKey('key-1');
  mirrorable = await newKey('key-mirrorable', 'ES256');
  for (const each of [fake, azure]) each.keys = [key.publicJwk, mirrorable.publicJwk];
  const providers = [
    { name: 'FAKE', issuer: fake.issuer, audience: AUDIENCE, jwksUri: fake.jwksUri },
    { name: 'AZURE', issuer: azure.issuer, audience: AUDIENCE, jwksUri: azure.jwksUri },
    { name: 'BROKEN', issuer: broken.issuer, audience: AUDIENCE, jwksUri: broken.jwksUri },
    { name: 'REAL', issuer: 'http://127.0.0.1:1', audience: AUDIENCE, jwksUri: 'http://127.0.0.1:1/keys' },
  ];
  const IDENTITY_PROVIDERS = JSON.stringify(providers);
  platform = await startPlatform({ IDENTITY_PROVIDERS });
  provisioning = await startPlatform({ IDENTITY_PROVIDERS, AUTO_PROVISION: 'on' });
  await createUser('ligada', [{ provider: 'FAKE', subject: 'subject' }], { email: 'ligada@exemplo.com.br' });
  await createUser('diretorio', [{ provider: 'AZURE', subject: 'oid-1' }]);
  await createUser('quebrada', [{ provider: 'BROKEN', subject: 'subject' }]);
});
afterAll(async () => {
  for (const each of [fake, azure, broken]) each?.close();
  await platform?.stop();
  await provisioning?.stop();
});
afterEach(() => {
  broken.answer = undefined;
});

async function createUser(
  username: string,
  identities: unknown[],
  more: Record<string, unknown> = {},
): Promise<number> {
  const user = { username, identities, ...more };
  const answer = await platform.admin.post('authentication', '/api/admin/users', user);
  expect(answer.status).toBe(201);
  return answer.body.id;
}

const login = (provider: string, token: unknown, on: Pick<Platform, 'withToken'> = platform) =>
  on.withToken('').post('authentication', '/api/auth/external-login', { provider, token, tokenType: 'ID_TOKEN' });

const whoIs = async (answer: { body: { accessToken: string } }, on = platform) =>
  (await on.withToken(answer.body.accessToken).get('authentication', '/api/auth/me')).body;

test('an id token signs in the user that it is linked with', async () => {
  const answer = await login('FAKE', await fake.idToken(key));
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ accessToken: expect.any(String), tokenType: 'Bearer', expiresIn: 3600 });
  expect((await whoIs(answer)).username).toBe('ligada');
});

test('the enterprise directory is matched by oid when there is one, other providers never', async () => {
  const answer = await login('AZURE', await azure.idToken(key, { oid: 'oid-1', sub: 'pairwise' }));
  expect((await whoIs(answer)).username).toBe('diretorio');
  expect((await login('FAKE', await fake.idToken(key, { oid: 'subject', sub: 'another' }))).status).toBe(404);
});

test('sub and oid are never taken for each other', async () => {
  expect((await login('AZURE', await azure.idToken(key, { sub: 'oid-1' }))).status).toBe(404);
  await createUser('por sub', [{ provider: 'AZURE', subject: 'par-1', claim: 'sub' }]);
  await createUser('por oid', [{ provider: 'AZURE', subject: 'par-1' }]);
  const as = async (claims: Record<string, unknown>) =>
    (await whoIs(await login('AZURE', await azure.idToken(key, claims)))).username;
  expect(await as({ sub: 'par-1' })).toBe('por sub');
  expect(await as({ sub: 'par-1', oid: 'another' })).toBe('por sub');
  expect(await as({ sub: 'other', oid: 'par-1' })).toBe('por oid');
  expect(await as({ sub: 'par-1', oid: 'par-1' })).toBe('por oid');
  const stored = await platform.admin.get('authentication', '/api/admin/users?search=por%20sub');
  expect(stored.body.content[0].identities).toEqual([{ provider: 'AZURE', claim: 'sub', subject: 'par-1' }]);
});

test('an id token signs in once, in every process', async () => {
  const config = readConfig({
    AUTH_PORT: '0',
    SERVICES: 'authentication',
    JOBS: 'off',
    DATABASE_CONNECTIONS: '4',
    IDENTITY_PROVIDERS: JSON.stringify([
      { name: 'FAKE', issuer: fake.issuer, audience: AUDIENCE, jwksUri: fake.jwksUri },
    ]),
  });
  const other = await startProgram(config, { connectionString: platform.ownerUrl, silent: true });
  try {
    const there = { withToken: (token: string) => clientOf(() => other.addresses.authentication!, token) };
    for (const claims of [{}, { jti: undefined, nonce: 'a' }, { jti: 7, nonce: 'b' }]) {
      const token = await fake.idToken(key, claims);
      const answers = await Promise.all(
        [1, 2, 3, 4, 5, 6].map((turn) => login('FAKE', token, turn % 2 ? platform : there)),
      );
      expect(answers.map((each) => each.status).sort()).toEqual([200, 401, 401, 401, 401, 401]);
      expect((await login('FAKE', token, there)).status).toBe(401);
    }
    // Another token under a name that was used.
    const named = { jti: 'the same', nonce: 'c' };
    expect((await login('FAKE', await fake.idToken(key, named))).status).toBe(200);
    expect((await login('FAKE', await fake.idToken(key, { ...named, nonce: 'd' }))).status).toBe(401);
  } finally {
    await other.stop();
  }
});

test('a signature in another spelling does not make another token', async () => {
  const token = await fake.idToken(mirrorable, { jti: undefined });
  expect((await login('FAKE', token)).status).toBe(200);
  const [header, payload, signature] = token.split('.') as [string, string, string];
  const bytes = Buffer.from(signature, 'base64url');
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const s = order - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const mirrored = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')]);
  expect((await login('FAKE', `${header}.${payload}.${mirrored.toString('base64url')}`)).status).toBe(401);
});

test('nobody is matched by e-mail, by name, or by the subject of another provider', async () => {
  const claims = {
    sub: 'stranger',
    email: 'ligada@exemplo.com.br',
    email_verified: true,
    preferred_username: 'ligada',
  };
  expect((await login('FAKE', await fake.idToken(key, claims))).body).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  expect((await login('AZURE', await azure.idToken(key, { sub: 'subject' }))).status).toBe(404);
});

test('an inactive user stays out', async () => {
  const id = await createUser('desligada', [{ provider: 'FAKE', subject: 'gone' }], { active: false });
  expect((await login('FAKE', await fake.idToken(key, { sub: 'gone' }))).status).toBe(401);
  expect(id).toBeGreaterThan(0);
});

test('with AUTO_PROVISION a user without rights is made, once', async () => {
  const claims = { sub: 'new', name: 'Nova Pessoa', email: 'nova@exemplo.com.br' };
  const first = async () => login('FAKE', await fake.idToken(key, claims), provisioning);
  const answers = await Promise.all([first(), first(), first(), first()]);
  expect(answers.map((each) => each.status)).toEqual([200, 200, 200, 200]);
  const users = await Promise.all(answers.map((each) => whoIs(each, provisioning)));
  expect(new Set(users.map((each) => each.id)).size).toBe(1);
  expect(users[0]).toMatchObject({
    name: 'Nova Pessoa',
    email: 'nova@exemplo.com.br',
    admin: false,
    permissions: [],
    identities: [{ provider: 'FAKE', claim: 'sub', subject: 'new' }],
  });
  const all = await provisioning.admin.get('authentication', '/api/admin/users?search=Nova');
  expect(all.body.totalElements).toBe(1);
});

const now = () => Math.floor(Date.now() / 1000);

test.each<[string, () => Promise<string> | string]>([
  ['another issuer', () => fake.idToken(key, { iss: 'https://accounts.example.com' })],
  ['another audience', () => fake.idToken(key, { aud: 'somebody-else' })],
  ['an end in the past', () => fake.idToken(key, { iat: now() - 700, exp: now() - 60 })],
  ['no end', () => fake.idToken(key, { exp: undefined })],
  ['an end decades away', () => fake.idToken(key, { exp: now() + 1_000_000_000 })],
  ['a beginning in the future', () => fake.idToken(key, { nbf: now() + 600 })],
  ['an issue date in the future', () => fake.idToken(key, { iat: now() + 600, exp: now() + 900 })],
  ['no subject', () => fake.idToken(key, { sub: undefined })],
  ['an empty subject', () => fake.idToken(key, { sub: '' })],
  ['a blank subject', () => fake.idToken(key, { sub: '  ' })],
  ['a number as subject', () => fake.idToken(key, { sub: 7 })],
  ['an object as subject', () => fake.idToken(key, { sub: { $ne: '' } })],
  ['a list as subject', () => fake.idToken(key, { sub: ['subject'] })],
  ['a subject of 256 characters', () => fake.idToken(key, { sub: 's'.repeat(256) })],
  ['a subject with NUL', () => fake.idToken(key, { sub: 'subject\0' })],
  ['an empty oid beside the subject', () => fake.idToken(key, { oid: '' })],
  ['a number as oid beside the subject', () => fake.idToken(key, { oid: 7 })],
  ['one audience, asked for by another', () => fake.idToken(key, { azp: 'x' })],
  ['several audiences, asked for by nobody', () => fake.idToken(key, { aud: [AUDIENCE, 'x'] })],
  ['azp that is no text', () => fake.idToken(key, { azp: [AUDIENCE] })],
  ['the issuer with a slash behind it', () => fake.idToken(key, { iss: `${fake.issuer}/` })],
  ['an issue date that is no number', () => fake.idToken(key, { iat: 'now' })],
  ['several audiences, asked for by another', () => fake.idToken(key, { aud: [AUDIENCE, 'x'], azp: 'x' })],
  ['the type of an access token', () => fake.idToken(key, {}, { typ: 'at+jwt' })],
  ['a key of somebody else', async () => fake.idToken({ ...(await newKey('key-1')), kid: 'key-1' })],
  ['an algorithm that is not in the list', async () => fake.idToken(await newKey('key-1', 'RS384'))],
  ['our own access token', () => platform.admin.token],
  ['a truncated token', async () => (await fake.idToken(key)).slice(0, -20)],
  ['15 KB', async () => `${await fake.idToken(key)}${'A'.repeat(15_000)}`],
  ['no token', () => 'x'],
])('%s is 401', async (_what, make) => {
  expect((await login('FAKE', await make())).body).toMatchObject({ status: 401, code: 'BAD_CREDENTIALS' });
});

test('none and HS256 with the published key are 401', async () => {
  const { SignJWT } = await import('jose');
  const payload = (await fake.idToken(key)).split('.')[1];
  const none = `${Buffer.from('{"alg":"none","kid":"key-1"}').toString('base64url')}.${payload}.`;
  expect((await login('FAKE', none)).status).toBe(401);
  const secret = Buffer.from(JSON.stringify(key.publicJwk));
  const claims = { iss: fake.issuer, aud: AUDIENCE, sub: 'subject', iat: now(), exp: now() + 60 };
  const hs256 = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: 'key-1' }).sign(secret);
  expect((await login('FAKE', hs256)).status).toBe(401);
});

test('addresses inside a token are not visited', async () => {
  const other = await startFakeProvider(AUDIENCE);
  const stranger = await newKey('stranger');
  other.keys = [stranger.publicJwk];
  const header = { jku: other.jwksUri, x5u: other.jwksUri, jwk: stranger.publicJwk };
  expect((await login('FAKE', await fake.idToken(stranger, {}, header))).status).toBe(401);
  expect(other.visits).toBe(0);
  other.close();
});

test.each([
  ['an unknown provider', { provider: 'GOOGLE', token: 'x', tokenType: 'ID_TOKEN' }],
  ['another kind of token', { provider: 'FAKE', token: 'x', tokenType: 'ACCESS_TOKEN' }],
  ['no token', { provider: 'FAKE', tokenType: 'ID_TOKEN' }],
  ['an object as token', { provider: 'FAKE', token: { alg: 'none' }, tokenType: 'ID_TOKEN' }],
  ['NUL in the provider', { provider: 'FAKE\0', token: 'x', tokenType: 'ID_TOKEN' }],
])('%s is 400', async (_what, body) => {
  expect((await platform.withToken('').post('authentication', '/api/auth/external-login', body)).status).toBe(400);
});

test('keys are read once, read again for an unknown one, and not again within the pause', async () => {
  await login('FAKE', await fake.idToken(key));
  const before = fake.visits;
  for (let turn = 0; turn < 5; turn++) await login('FAKE', await fake.idToken(key));
  expect(fake.visits).toBe(before);
  letTimePass(5_100);
  const next = await newKey('key-2', 'ES256');
  fake.keys = [next.publicJwk, key.publicJwk];
  expect((await login('FAKE', await fake.idToken(next))).status).toBe(200);
  expect(fake.visits).toBe(before + 1);
  const strangers = await Promise.all(Array.from({ length: 5 }, (_, at) => newKey(`stranger-${at}`, 'ES256')));
  for (const each of strangers) expect((await login('FAKE', await fake.idToken(each))).status).toBe(401);
  expect(fake.visits).toBe(before + 1);
  expect((await login('FAKE', await fake.idToken(key))).status).toBe(200);
});

const JSON_TYPE = 'application/json';
/** The keys that would let the token in, if they came as they should. */
const rightKeys = () => JSON.stringify({ keys: [key.publicJwk] });

test.each<[string, FakeProvider['answer']]>([
  ['slow', () => {}],
  ['an HTML page', (_, response) => response.setHeader('content-type', 'text/html').end(rightKeys())],
  ['huge', (_, response) => response.setHeader('content-type', JSON_TYPE).end(rightKeys() + ' '.repeat(300_000))],
  [
    'redirecting',
    (_, response) => response.writeHead(302, { location: fake.jwksUri, 'content-type': JSON_TYPE }).end(rightKeys()),
  ],
  ['failing', (_, response) => response.writeHead(500, { 'content-type': JSON_TYPE }).end(rightKeys())],
  ['no key set', (_, response) => response.setHeader('content-type', JSON_TYPE).end('{"keys":7}')],
  ['not JSON', (_, response) => response.setHeader('content-type', JSON_TYPE).end('<html>')],
  [
    'a stream without end',
    (_, response) => {
      response.setHeader('content-type', JSON_TYPE);
      const timer = setInterval(() => response.write(' '), 50);
      response.on('close', () => clearInterval(timer));
    },
  ],
  ['closing the connection', (request) => request.socket.destroy()],
])('a key set that is %s: 503 within five seconds', async (_what, answer) => {
  broken.answer = answer;
  const visits = fake.visits;
  const longest = await withTimeoutsWithin(300, async () => {
    const { body, headers } = await login('BROKEN', await broken.idToken(key));
    expect(body).toMatchObject({ status: 503, code: 'IDENTITY_PROVIDER_UNAVAILABLE' });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  });
  expect(longest).toBeLessThan(5_000);
  expect(fake.visits).toBe(visits);
});

test('keys that were read before go on working while the provider is down', async () => {
  broken.keys = [key.publicJwk];
  expect((await login('BROKEN', await broken.idToken(key))).status).toBe(200);
  broken.answer = (_, response) => response.writeHead(500).end();
  expect((await login('BROKEN', await broken.idToken(key))).status).toBe(200);
  expect((await login('BROKEN', await broken.idToken(await newKey('unknown')))).status).toBe(503);
  expect((await login('BROKEN', await broken.idToken(key))).status).toBe(200);
});

test('a provider that cannot be reached: 503', async () => {
  const token = await fake.idToken(key, { iss: 'http://127.0.0.1:1' });
  expect((await login('REAL', token)).status).toBe(503);
});

test('the whole code flow of a real OpenID provider, before and after its keys change', async () => {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  let real = await startProvider(port, await newKey('real-1'));
  const IDENTITY_PROVIDERS = JSON.stringify([{ name: 'REAL', issuer, audience: AUDIENCE, jwksUri: `${issuer}/jwks` }]);
  const own = await startPlatform({ IDENTITY_PROVIDERS, SERVICES: 'authentication', JOBS: 'off' });
  try {
    const user = { username: 'real', identities: [{ provider: 'REAL', subject: 'pessoa-1' }] };
    await own.admin.post('authentication', '/api/admin/users', user);
    const token = await idTokenByCodeFlow(issuer, 'pessoa-1');
    const first = await login('REAL', token, own);
    expect((await whoIs(first, own)).username).toBe('real');
    expect((await login('REAL', token, own)).status).toBe(401);
    expect((await login('REAL', await idTokenByCodeFlow(issuer, 'pessoa-2'), own)).status).toBe(404);
    // What the provider gives out for its own services is no id token.
    await real.close();
    real = await startProvider(port, await newKey('real-2'));
    const second = await login('REAL', await idTokenByCodeFlow(issuer, 'pessoa-1'), own);
    expect((await whoIs(second, own)).username).toBe('real');
    const idToken = await idTokenByCodeFlow(issuer, 'pessoa-1');
    expect((await own.withToken(idToken).get('authentication', '/api/auth/me')).status).toBe(401);
  } finally {
    await real.close();
    await own.stop();
  }
});

const REDIRECT = 'https://client.example.com/callback';

const startProvider = (port: number, signingKey: SigningKey) =>
  startRealProvider({ port, signingKey, clientId: AUDIENCE, redirectUri: REDIRECT });

/** The id token that the provider gives for the code of a sign-in. */
async function idTokenByCodeFlow(issuer: string, account: string): Promise<string> {
  const query = new URLSearchParams({
    client_id: AUDIENCE,
    redirect_uri: REDIRECT,
    response_type: 'code',
    scope: 'openid',
  });
  const location = await signInAtProvider(`${issuer}/auth?${query}`, account, REDIRECT);
  const token = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${AUDIENCE}:${CLIENT_SECRET.replace(' ', '%20')}`).toString('base64')}`,
    },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: new URL(location).searchParams.get('code') ?? '',
      redirect_uri: REDIRECT,
    }),
  });
  return ((await token.json()) as { id_token: string }).id_token;
}
