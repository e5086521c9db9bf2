import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportSPKI, generateKeyPair, importJWK, type JWTHeaderParameters, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVICE_NAMES, type ServiceName } from '../../src/platform/config.ts';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { recordFigure } from '../support/figures.ts';
import { letTimePass } from '../support/passing-time.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
/** Counts whoever comes to fetch the keys that forged tokens name. */
let decoy: Server;
let visits = 0;
/** A guarded operation of each service. */
const guarded = new Map<ServiceName, { method: string; path: string }>();
let key: { kid: string; private_jwk: Record<string, string> };
let foreign: Awaited<ReturnType<typeof generateKeyPair>>;
let adminId: string;
const counts = { forged: 0, accepted: 0, valid: 0, accepting: 0 };

beforeAll(async () => {
  decoy = createServer((_request, response) => {
    visits++;
    response.setHeader('content-type', 'application/json').end('{"keys":[]}');
  }).listen(0, '127.0.0.1');
  platform = await startPlatform();
  for (const service of SERVICE_NAMES) {
    const { paths } = (await platform.admin.get(service, '/v3/api-docs')).body;
    for (const [path, operations] of Object.entries<Record<string, { security?: readonly unknown[] }>>(paths)) {
      const [method] = Object.entries(operations).find(([, operation]) => operation.security?.length) ?? [];
      if (method && !guarded.has(service)) {
        guarded.set(service, { method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, '1') });
      }
    }
    if (!guarded.has(service)) console.log(`tokens: the ${service} service has no guarded operation yet`);
  }
  const { rows } = await withOwnerConnection(platform.ownerUrl, (client) =>
    client.query('SELECT kid, private_jwk FROM signing_key'),
  );
  key = rows[0];
  foreign = await generateKeyPair('ES256');
  adminId = String((await platform.admin.get('authentication', '/api/auth/me')).body.id);
});
afterAll(async () => {
  decoy?.close();
  await platform?.stop();
  recordFigure({
    part: 'tokens',
    what: `${FORGERIES.length} kinds of forged tokens to ${guarded.size} services`,
    figure: `accepted ${counts.accepted} of ${counts.forged}, keys fetched that a token names ${visits}`,
    control: `the same forger with the right key and claims: accepted ${counts.accepting} of ${counts.valid}`,
  });
});

const now = () => Math.floor(Date.now() / 1000);
const decoyAddress = () => `http://127.0.0.1:${(decoy.address() as AddressInfo).port}/keys`;

/** A token as the platform makes it, but for what is given. */
async function forged(
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
  signer?: CryptoKey,
): Promise<string> {
  const payload = {
    iss: 'partidas',
    aud: 'partidas-services',
    sub: adminId,
    iat: now(),
    exp: now() + 600,
    jti: 'x',
    ver: 1,
    ...claims,
  };
  const protectedHeader = { alg: 'ES256', kid: key.kid, typ: 'at+jwt', ...header } as JWTHeaderParameters;
  const signingKey = signer ?? (await importJWK(key.private_jwk, 'ES256'));
  return new SignJWT(payload).setProtectedHeader(protectedHeader).sign(signingKey);
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

const FORGERIES: [string, () => Promise<string> | string][] = [
  ['none', async () => `${part({ alg: 'none', typ: 'at+jwt', kid: key.kid })}.${(await forged()).split('.')[1]}.`],
  [
    'HS256 with the public key as its secret',
    async () => {
      const { d: _, ...publicJwk } = key.private_jwk;
      const spki = await exportSPKI((await importJWK(publicJwk, 'ES256', { extractable: true })) as CryptoKey);
      const header = { alg: 'HS256', kid: key.kid, typ: 'at+jwt' };
      return new SignJWT(JSON.parse(Buffer.from((await forged()).split('.')[1]!, 'base64url').toString()))
        .setProtectedHeader(header)
        .sign(Buffer.from(spki));
    },
  ],
  ['a key of somebody else', () => forged({}, {}, foreign.privateKey)],
  ['another issuer', () => forged({ iss: 'https://accounts.example.com' })],
  ['another audience', () => forged({ aud: 'another-service' })],
  ['the type of an id token', () => forged({}, { typ: 'JWT' })],
  ['no type', () => forged({}, { typ: undefined })],
  ['an end in the past', () => forged({ iat: now() - 700, exp: now() - 100 })],
  ['no end', () => forged({ exp: undefined })],
  ['an end decades away', () => forged({ exp: now() + 40 * 365 * 86_400 })],
  ['a beginning in the future', () => forged({ nbf: now() + 3_600 })],
  ['an issue date in the future', () => forged({ iat: now() + 3_600, exp: now() + 7_200 })],
  ['a life longer than ACCESS_TOKEN_TTL', () => forged({ iat: now(), exp: now() + 3_601 })],
  ['no credential version', () => forged({ ver: undefined })],
  ['a credential version that is no number', () => forged({ ver: '1' })],
  ['an older credential version', () => forged({ ver: 0 })],
  ['a later credential version', () => forged({ ver: 2 })],
  ['no subject', () => forged({ sub: undefined })],
  ['a subject that is no user', () => forged({ sub: '999999' })],
  ['a subject that is no number', () => forged({ sub: '1; DROP TABLE app_user' })],
  ['an unknown kid', () => forged({}, { kid: 'unknown' })],
  ['no kid', () => forged({}, { kid: undefined })],
  ['a kid that is a path', () => forged({}, { kid: '../../../../dev/null' })],
  ['a kid that is SQL', () => forged({}, { kid: "' UNION SELECT 'x' --" })],
  ['a kid that is a name of every object', () => forged({}, { kid: '__proto__' })],
  ['jku', () => forged({}, { jku: decoyAddress(), kid: 'decoy' }, foreign.privateKey)],
  ['x5u', () => forged({}, { x5u: decoyAddress(), kid: 'decoy2' }, foreign.privateKey)],
  [
    'jwk',
    async () => {
      const { exportJWK } = await import('jose');
      return forged({}, { jwk: await exportJWK(foreign.publicKey), kid: undefined }, foreign.privateKey);
    },
  ],
  ['a truncated token', async () => (await forged()).slice(0, -10)],
  ['a changed payload', async () => (await forged()).replace(/\.(.)/, (_, first) => `.${first === 'e' ? 'f' : 'e'}`)],
  ['two parts', async () => (await forged()).split('.').slice(0, 2).join('.')],
  ['200 KB', async () => `${await forged()}${'A'.repeat(200_000)}`],
  ['200 KB of points', () => '.'.repeat(200_000)],
  ['no token at all', () => ''],
];

test('the forger can make a valid token', async () => {
  for (const [service, { method, path }] of guarded) {
    const answer = await platform.withToken(await forged()).call(service, method, path);
    counts.valid++;
    if (answer.status !== 401) counts.accepting++;
    expect(answer.status, `${service} ${method} ${path}`).not.toBe(401);
  }
});

test.each(FORGERIES)('%s: 401 on every service, and no key is fetched', async (_what, make) => {
  const token = await make();
  for (const [service, { method, path }] of guarded) {
    const answer = await platform.withToken(token).call(service, method, path);
    counts.forged++;
    if (answer.status !== 401) counts.accepted++;
    expect(answer.status, `${service} ${method} ${path}`).toBe(401);
    expect(answer.body).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  }
  expect(visits).toBe(0);
});

test.each(['Basic YWRtaW46eA==', 'Bearer', 'Bearer  x y', 'bearer,x', 'Token x'])(
  'Authorization: %s is 401',
  async (authorization) => {
    const answer = await platform
      .withToken('')
      .call('authentication', 'GET', '/api/auth/me', undefined, { authorization });
    expect(answer.status).toBe(401);
  },
);

test('a deactivated user and a changed right take effect in another process within five seconds', async () => {
  const { readConfig } = await import('../../src/platform/config.ts');
  const { startProgram } = await import('../../src/program.ts');
  const ports = Object.fromEntries(
    ['AUTH', 'MASTERDATA', 'MOVEMENTS', 'QUERIES', 'REPORTS', 'COMPLIANCE'].map((name) => [`${name}_PORT`, '0']),
  );
  const config = readConfig({ ...ports, SERVICES: 'authentication', JOBS: 'off', DATABASE_CONNECTIONS: '4' });
  // A second program on the same database: it shares nothing with the first but the tables.
  const other = await startProgram(config, { connectionString: platform.ownerUrl, silent: true });
  try {
    const user = { username: 'longe', password: 'uma senha qualquer', admin: true };
    const { id } = (await platform.admin.post('authentication', '/api/admin/users', user)).body;
    const { token } = await platform.as(user.username, user.password);
    const there = async (path: string) =>
      (await fetch(`${other.addresses.authentication}${path}`, { headers: { authorization: `Bearer ${token}` } }))
        .status;
    expect(await there('/api/admin/users')).toBe(200);
    await platform.admin.call('authentication', 'PUT', `/api/admin/users/${id}`, {
      ...user,
      password: undefined,
      admin: false,
    });
    letTimePass(4_900);
    expect(await there('/api/admin/users')).toBe(403);
    await platform.admin.call('authentication', 'DELETE', `/api/admin/users/${id}`);
    letTimePass(4_900);
    expect(await there('/api/auth/me')).toBe(401);
  } finally {
    await other.stop();
  }
});
