import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { networkOf, senderOf } from '../../src/features/access/network.ts';
import { delayAfter } from '../../src/features/access/sign-in-attempts.ts';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { ADMIN, type Platform, startPlatform } from '../support/platform.ts';
import { hashAtRealCost } from '../support/quick-argon2.ts';

let platform: Platform;
/** The address of a proxy that the platform believes is this machine's own, so that a test can be anybody. */
let clock = new Date('2026-03-02T12:00:00Z');

const endRealCost = hashAtRealCost();

beforeAll(async () => {
  platform = await startPlatform({ TRUSTED_PROXIES: '127.0.0.1' }, { now: () => clock });
  for (const username of ['ana', 'bia', 'inativa', 'vencida']) {
    const expiresAt = username === 'vencida' ? { expiresAt: '2026-03-01T00:00:00Z' } : {};
    const active = username !== 'inativa';
    const user = { username, password: PASSWORD, active, ...expiresAt };
    expect((await platform.admin.post('authentication', '/api/admin/users', user)).status).toBe(201);
  }
});
afterAll(async () => {
  endRealCost();
  await platform?.stop();
});
beforeEach(() => withOwnerConnection(platform.ownerUrl, (client) => client.query('DELETE FROM signin_failure')));

const PASSWORD = 'a senha certa 1';

const signIn = (body: unknown, from = '198.51.100.7') =>
  platform.withToken('').post('authentication', '/api/auth/signin', body, { 'x-forwarded-for': from });
const wrong = (username: string, from?: string) => signIn({ username, password: 'a senha errada' }, from);

test('a local user gets a token that all services take', async () => {
  const answer = await signIn({ username: 'ana', password: PASSWORD, azure: false });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ accessToken: expect.any(String), tokenType: 'Bearer', expiresIn: 3600 });
  const claims = JSON.parse(Buffer.from(answer.body.accessToken.split('.')[1], 'base64url').toString());
  expect(Object.keys(claims).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'jti', 'sub', 'username', 'ver']);
});

test('bad credentials of every kind get the same body', async () => {
  const answers = [
    await wrong('ana'),
    await wrong('nobody at all'),
    await signIn({ username: 'inativa', password: PASSWORD }),
    await signIn({ username: 'vencida', password: PASSWORD }),
  ];
  for (const answer of answers) {
    expect(answer.status).toBe(401);
    expect(answer.text).toBe(answers[0]!.text);
  }
  expect(answers[0]!.body).toMatchObject({ code: 'BAD_CREDENTIALS' });
});

test('a password is hashed at the cost that OWASP recommends', async () => {
  const { rows } = await withOwnerConnection(platform.ownerUrl, (client) =>
    client.query<{ hash: string }>('SELECT app_user.password_hash AS hash FROM app_user ORDER BY app_user.id'),
  );
  expect(rows.map(({ hash }) => hash.split('$', 4).join('$'))).toEqual(
    rows.map(() => '$argon2id$v=19$m=19456,t=2,p=1'),
  );
});

test('an absent user takes as long as a wrong password', async () => {
  const timed = async (username: string) => {
    const began = performance.now();
    await wrong(username);
    return performance.now() - began;
  };
  const [present, absent]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < 6; turn++) {
    present.push(await timed('bia'));
    absent.push(await timed(`absent${turn}`));
  }
  // The least of each: what else the machine does only makes some of them longer.
  const [leastPresent, leastAbsent] = [Math.min(...present), Math.min(...absent)];
  expect(leastAbsent).toBeGreaterThan(leastPresent / 2);
  expect(leastAbsent).toBeLessThan(leastPresent * 2);
});

test('azure: true is 400 before any password is looked at', async () => {
  const answer = await signIn({ username: 'ana', password: 'a senha errada', azure: true });
  expect(answer.body).toMatchObject({ status: 400, code: 'INVALID_FIELD', errors: [{ field: 'azure' }] });
  const failures = await withOwnerConnection(platform.ownerUrl, (client) =>
    client.query('SELECT 1 FROM signin_failure'),
  );
  expect(failures.rowCount).toBe(0);
});

test.each(['azure', 'ad', 'google'])('the removed sign-in route of %s is 404', async (provider) => {
  const answer = await platform.withToken('').post('authentication', `/api/auth/signin-${provider}`, { token: 'x' });
  expect(answer.body).toMatchObject({ status: 404, code: 'OPERATION_REMOVED' });
});

test.each([
  ['objects', { username: { $ne: '' }, password: { $ne: '' } }],
  ['arrays', { username: ['ana'], password: [PASSWORD] }],
  ['7,000 characters', { username: 'a'.repeat(7_000), password: 'a'.repeat(7_000) }],
  ['a long password only', { username: 'ana', password: 'a'.repeat(10_000) }],
  ['NUL', { username: 'ana\0', password: `${PASSWORD}\0` }],
  ['NUL in the password only', { username: 'ana', password: `${PASSWORD}\0` }],
  ['a lone surrogate', { username: 'an\ud800', password: PASSWORD }],
  ['nothing', {}],
  ['a number', 7],
  ['null', null],
  ['SQL', { username: "ana' OR 1=1 --", password: "' OR ''='" }],
  ['an unknown field', { username: 'ana', password: PASSWORD, admin: true }],
])('a body with %s is 400 or 401', async (_what, body) => {
  expect([400, 401]).toContain((await signIn(body)).status);
});

test('ten failures from one network shut the user out there, the right password included, and nobody else', async () => {
  for (let turn = 1; turn <= 10; turn++)
    expect((await wrong(turn % 2 ? 'ana' : 'ANA', `203.0.113.${turn}`)).status).toBe(401);
  const answer = await signIn({ username: 'ana', password: PASSWORD }, '203.0.113.99');
  expect(answer.body).toMatchObject({ status: 429, code: 'TOO_MANY_ATTEMPTS' });
  expect(Number(answer.headers.get('retry-after'))).toBe(900);
  expect((await signIn({ username: 'bia', password: PASSWORD }, '203.0.113.99')).status).toBe(200);
  // The owner, elsewhere, gets in as ever.
  expect((await signIn({ username: 'ana', password: PASSWORD })).status).toBe(200);
  expect((await platform.admin.get('authentication', '/api/auth/me')).status).toBe(200);
  const before = clock;
  clock = new Date(before.getTime() + 901_000);
  expect((await signIn({ username: 'ana', password: PASSWORD }, '203.0.113.99')).status).toBe(200);
  clock = before;
});

test('an IPv6 network of 64 bits is one', async () => {
  for (let turn = 1; turn <= 10; turn++) expect((await wrong('ana', `2001:db8:0:1:${turn}::1`)).status).toBe(401);
  expect((await signIn({ username: 'ana', password: PASSWORD }, '2001:db8:0:1:ffff::9')).status).toBe(429);
  expect((await signIn({ username: 'ana', password: PASSWORD }, '2001:db8:0:2::1')).status).toBe(200);
});

test.each(['bİa', 'ｂｉａ', 'BIA'])('%s gives no tries of its own', async (lookAlike) => {
  for (let turn = 0; turn < 10; turn++) await wrong(turn % 2 ? 'bia' : lookAlike, '203.0.113.5');
  const right = { username: lookAlike, password: PASSWORD };
  // A spelling that reaches the user shares its tries.
  const reaches = (await signIn(right, '198.51.100.200')).status === 200;
  if (lookAlike !== 'bİa') expect(reaches).toBe(true);
  if (reaches) expect((await signIn(right, '203.0.113.5')).status).toBe(429);
});

test('tried from many networks, a user is slowed and not rejected', async () => {
  const failed = (count: number) =>
    withOwnerConnection(platform.ownerUrl, (client) =>
      client.query(`INSERT INTO signin_failure SELECT 'user:ana', $1 FROM generate_series(1, $2)`, [clock, count]),
    );
  const timed = async () => {
    const began = performance.now();
    expect((await signIn({ username: 'ana', password: PASSWORD })).status).toBe(200);
    return performance.now() - began;
  };
  for (let turn = 0; turn < 10; turn++) expect((await wrong('ana', `203.0.${turn}.1`)).status).toBe(401);
  expect(await timed()).toBeGreaterThanOrEqual(250);
  await failed(20);
  expect(await timed()).toBeGreaterThanOrEqual(1_000);
  await failed(5_000);
  expect(await timed()).toBeGreaterThanOrEqual(4_000);
  expect([0, 9, 10, 19, 20, 50, 5_000].map(delayAfter)).toEqual([0, 0, 250, 250, 500, 4_000, 4_000]);
}, 20_000);

test('an absent user is shut out the same way', async () => {
  for (let turn = 0; turn < 10; turn++) expect((await wrong('ninguém')).status).toBe(401);
  expect((await wrong('ninguém')).status).toBe(429);
});

test('a burst does not pass the limit', async () => {
  const answers = await Promise.all(Array.from({ length: 30 }, () => wrong('ana')));
  const let401 = answers.filter((each) => each.status === 401).length;
  expect(let401).toBeGreaterThanOrEqual(10);
  expect(let401).toBeLessThanOrEqual(11);
  expect(answers.filter((each) => each.status === 429).length).toBe(30 - let401);
});

test('a hundred failures shut one address out, and no other', async () => {
  await withOwnerConnection(platform.ownerUrl, (client) =>
    client.query(`INSERT INTO signin_failure SELECT 'address:192.0.2.1', $1 FROM generate_series(1, 99)`, [clock]),
  );
  expect((await wrong('x1', '192.0.2.1')).status).toBe(401);
  const answer = await signIn({ username: 'bia', password: PASSWORD }, '192.0.2.1');
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await signIn({ username: 'bia', password: PASSWORD }, '192.0.2.2')).status).toBe(200);
});

test('addresses of one IPv6 network are one, mapped IPv4 addresses are IPv4', () => {
  for (const of of [networkOf, senderOf]) {
    expect(of('2001:db8:0:1::5')).toBe('2001:db8:0:1::/64');
    expect(of('2001:0db8:0000:0001:ffff::')).toBe('2001:db8:0:1::/64');
    expect(of('::1')).toBe('0:0:0:0::/64');
  }
  expect(senderOf('::ffff:192.0.2.1')).toBe('192.0.2.1');
  expect(senderOf('192.0.2.1')).toBe('192.0.2.1');
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.0/24');
  expect(networkOf('192.0.2.1')).toBe('192.0.2.0/24');
  expect(networkOf('x'.repeat(10_000))).toHaveLength(64);
});

test('X-Forwarded-For of somebody who is no configured proxy is not believed', async () => {
  const other = await startPlatform();
  try {
    const anybody = other.withToken('');
    for (let turn = 0; turn < 3; turn++) {
      const header = { 'x-forwarded-for': `192.0.2.${turn}` };
      await anybody.post('authentication', '/api/auth/signin', { username: 'x', password: 'y' }, header);
    }
    const { rows } = await withOwnerConnection(other.ownerUrl, (client) =>
      client.query(
        `SELECT subject, count(*)::int AS count FROM signin_failure WHERE subject LIKE 'address:%' GROUP BY 1`,
      ),
    );
    expect(rows).toEqual([{ subject: 'address:127.0.0.1', count: 3 }]);
  } finally {
    await other.stop();
  }
});

test('a flood of sign-ins leaves the other services quick', async () => {
  const ALLOWED = 250;
  // What else the machine does makes some floods slow: the least of five.
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 5 && least >= ALLOWED; turn++) least = Math.min(least, await healthUnderFlood(turn));
  expect(least).toBeLessThan(ALLOWED);
}, 60_000);

/** The last but one of a hundred answers of another service, in milliseconds. */
async function healthUnderFlood(turn: number): Promise<number> {
  const flood = Array.from({ length: 120 }, (_, at) => wrong(`flood${turn}-${at}`, `198.51.${turn}.${at}`));
  const times: number[] = [];
  const token = platform.admin.token;
  while (times.length < 100) {
    const began = performance.now();
    const answer = await fetch(`${platform.address('queries')}/actuator/health`, { headers: { authorization: token } });
    await answer.text();
    times.push(performance.now() - began);
  }
  const statuses = (await Promise.all(flood)).map((each) => each.status);
  times.sort((a, b) => a - b);
  console.log(
    `sign-in flood: ${statuses.filter((each) => each === 401).length} answered 401, ${statuses.filter((each) => each === 429).length} 429; health of another service p50 ${times[50]!.toFixed(0)} ms, p99 ${times[98]!.toFixed(0)} ms`,
  );
  expect(statuses.every((status) => status === 401 || status === 429)).toBe(true);
  expect(statuses).toEqual(expect.arrayContaining([401, 429]));
  return times[98]!;
}

test('other software finds the keys and verifies a token with them', async () => {
  const { createRemoteJWKSet, jwtVerify } = await import('jose');
  const anybody = platform.withToken('');
  const metadata = (await anybody.get('authentication', '/.well-known/openid-configuration')).body;
  expect(metadata).toMatchObject({ issuer: 'partidas', id_token_signing_alg_values_supported: ['ES256'] });
  expect(metadata.jwks_uri).toBe(`${platform.address('authentication')}/.well-known/jwks.json`);
  const elsewhere = await platform
    .withToken('')
    .call('authentication', 'GET', '/.well-known/openid-configuration', undefined, {
      'x-forwarded-host': 'evil.example',
    });
  expect(elsewhere.body).toEqual(metadata);
  const keys = (await anybody.get('authentication', '/.well-known/jwks.json')).body;
  expect(JSON.stringify(keys)).not.toContain('"d"');
  const options = { issuer: metadata.issuer, audience: 'partidas-services', currentDate: clock };
  const { payload } = await jwtVerify(platform.admin.token, createRemoteJWKSet(new URL(metadata.jwks_uri)), options);
  expect(payload.username).toBe(ADMIN.username);
});
