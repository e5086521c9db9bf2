import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/platform/config.ts';
import { type Program, startProgram } from '../../src/program.ts';
import { runAdmin } from '../support/admin-command.ts';
import { letTimePass } from '../support/passing-time.ts';
import { ADMIN, clientOf, type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
/** Verifies tokens in a process of its own, as far as the database shows it. */
let other: Program;

beforeAll(async () => {
  platform = await startPlatform();
  const environment = { AUTH_PORT: '0', SERVICES: 'authentication', JOBS: 'off', DATABASE_CONNECTIONS: '4' };
  other = await startProgram(readConfig(environment), { connectionString: platform.ownerUrl, silent: true });
});
afterAll(async () => {
  await other?.stop();
  await platform?.stop();
});

const keys = async (...words: string[]) => {
  const { code, out, err } = await runAdmin(platform, ['keys', ...words]);
  expect(code, err).toBe(0);
  return out;
};
const here = async (token: string) => (await platform.withToken(token).get('authentication', '/api/auth/me')).status;
const there = async (token: string) =>
  (await clientOf(() => other.addresses.authentication!, token).get('authentication', '/api/auth/me')).status;
const tokenNow = async () => (await platform.as(ADMIN.username, ADMIN.password)).token;
const kidOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid as string;
const published = async () =>
  (await platform.admin.get('authentication', '/.well-known/jwks.json')).body.keys as Record<string, string>[];

test('keys rotate with overlap; a retired one ends its tokens in every process within a minute', async () => {
  const before = await tokenNow();
  expect([await here(before), await there(before)]).toEqual([200, 200]);
  const made = /key (\S+) signs/.exec(await keys('rotate'))![1]!;
  const after = await tokenNow();
  expect(kidOf(after)).toBe(made);
  expect(kidOf(before)).not.toBe(made);
  // Both hold until the older one is retired.
  letTimePass(1_100);
  expect([await here(before), await there(before), await here(after), await there(after)]).toEqual([
    200, 200, 200, 200,
  ]);
  expect((await published()).map((each) => each.kid)).toEqual([made, kidOf(before)]);
  expect(await keys('list')).toMatch(new RegExp(`^${made}\\t\\S+\\tsigns\\n${kidOf(before)}\\t\\S+\\tverifies\\n$`));

  // Sign-ins go on while the key is retired.
  const during = Promise.all(Array.from({ length: 20 }, () => tokenNow()));
  await keys('retire', kidOf(before));
  letTimePass(59_000);
  expect([await here(before), await there(before)]).toEqual([401, 401]);
  for (const token of await during) expect(await here(token)).toBe(200);
  expect((await published()).map((each) => each.kid)).toEqual([made]);
  expect(await here(after)).toBe(200);
}, 60_000);

test('the last key is replaced when it is retired, and no private member is published', async () => {
  const before = await tokenNow();
  const out = await keys('retire', kidOf(before));
  // An unknown key is looked for once a second.
  letTimePass(1_100);
  const made = /key (\S+) was made/.exec(out)![1]!;
  expect(kidOf(await tokenNow())).toBe(made);
  for (const key of await published()) {
    expect(Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
  }
  const again = await runAdmin(platform, ['keys', 'retire', kidOf(before)]);
  expect(again.code).toBe(1);
  expect(again.err).toContain('Signing key');
  const trail = await platform.admin.get('authentication', '/api/admin/audit?entity=signingKey');
  expect(trail.status).toBe(401);
  const fresh = await platform.as(ADMIN.username, ADMIN.password);
  const { body } = await fresh.get('authentication', '/api/admin/audit?entity=signingKey');
  expect(body.content.map((each: { action: string }) => each.action).slice(0, 2)).toEqual(['CREATE', 'RETIRE']);
}, 60_000);

test('a token made for a longer life than ACCESS_TOKEN_TTL now allows is rejected', async () => {
  const environment = { AUTH_PORT: '0', SERVICES: 'authentication', JOBS: 'off', DATABASE_CONNECTIONS: '4' };
  const config = readConfig({ ...environment, ACCESS_TOKEN_TTL: '600' });
  const shorter = await startProgram(config, { connectionString: platform.ownerUrl, silent: true });
  try {
    const client = clientOf(() => shorter.addresses.authentication!, await tokenNow());
    expect((await client.get('authentication', '/api/auth/me')).status).toBe(401);
  } finally {
    await shorter.stop();
  }
});
