import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/platform/config.ts';
import { startProgram } from '../../src/program.ts';
import { letTimePass } from '../support/passing-time.ts';
import { clientOf, type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
const PASSWORD = 'uma senha qualquer';

beforeAll(async () => {
  platform = await startPlatform({ TRUSTED_PROXIES: '127.0.0.1' });
});
afterAll(() => platform?.stop());

const admin = (method: string, path: string, body?: unknown) =>
  platform.admin.call('authentication', method, `/api/admin/users${path}`, body);

async function createUser(username: string): Promise<number> {
  const { status, body } = await admin('POST', '', { username, password: PASSWORD });
  expect(status).toBe(201);
  return body.id;
}

const signIn = (username: string, password = PASSWORD) =>
  platform.withToken('').post('authentication', '/api/auth/signin', { username, password });

/** Which of the tokens still open a door. */
async function alive(tokens: readonly string[]): Promise<number> {
  const answers = await Promise.all(
    tokens.map((token) => platform.withToken(token).get('authentication', '/api/auth/me')),
  );
  return answers.filter((each) => each.status === 200).length;
}

const tokensOf = async (username: string, count: number) =>
  (await Promise.all(Array.from({ length: count }, () => signIn(username)))).map((each) => each.body.accessToken);

const ENDINGS: [string, (id: number) => Promise<unknown>][] = [
  ['a new password', (id) => admin('PUT', `/${id}/password`, { password: PASSWORD })],
  [
    'deactivating and activating again',
    async (id) => {
      const { body } = await admin('DELETE', `/${id}`);
      await admin('PUT', `/${id}`, { ...body, active: true });
    },
  ],
  ['signing out everywhere', (id) => admin('POST', `/${id}/signout-everywhere`)],
];

test.each(ENDINGS)('%s ends every token of the same second', async (how, end) => {
  const username = `segundo ${how}`;
  const id = await createUser(username);
  const tokens = await tokensOf(username, 20);
  expect(await alive(tokens)).toBe(20);
  await end(id);
  expect(await alive(tokens)).toBe(0);
  expect(await alive(await tokensOf(username, 1))).toBe(1);
});

test.each(ENDINGS)(
  '%s ends the tokens of sign-ins that wait for their turn',
  async (how, end) => {
    const username = `fila ${how}`;
    const id = await createUser(username);
    const waiting = Array.from({ length: 39 }, () => signIn(username));
    await new Promise((resolve) => setTimeout(resolve, 20));
    await end(id);
    // With the password still right, a sign-in that began after the change is none of those that must end.
    const answers = await Promise.all(waiting);
    const tokens = answers.filter((each) => each.status === 200).map((each) => each.body);
    const versionOf = ({ accessToken }: { accessToken: string }) =>
      JSON.parse(Buffer.from(accessToken.split('.')[1]!, 'base64url').toString()).ver;
    const present = versionOf((await signIn(username)).body);
    expect(present).toBeGreaterThan(1);
    expect(await alive(tokens.filter((each) => versionOf(each) !== present).map((each) => each.accessToken))).toBe(0);
    expect(answers.every((each) => each.status === 200 || each.status === 401)).toBe(true);
    // Some were overtaken, or the test has shown nothing.
    expect(answers.filter((each) => each.status === 401 || versionOf(each.body) !== present)).not.toEqual([]);
  },
  30_000,
);

test('a sign-in that waited while the password changed is rejected', async () => {
  const id = await createUser('na fila');
  const next = 'outra senha comprida';
  const answers = await Promise.all([
    ...Array.from({ length: 30 }, () => signIn('na fila')),
    admin('PUT', `/${id}/password`, { password: next }),
  ]);
  const tokens = answers
    .slice(0, 30)
    .filter((each) => each.status === 200)
    .map((each) => each.body.accessToken);
  expect(await alive(tokens)).toBe(0);
  expect(await alive([(await signIn('na fila', next)).body.accessToken])).toBe(1);
}, 30_000);

test('a user signs out everywhere, this token included', async () => {
  await createUser('sai');
  const tokens = await tokensOf('sai', 3);
  const answer = await platform.withToken(tokens[0]!).post('authentication', '/api/auth/signout-everywhere');
  expect(answer.body).toEqual({ success: true });
  expect(await alive(tokens)).toBe(0);
  const trail = await platform.admin.get('authentication', '/api/admin/audit?action=SIGN_OUT_EVERYWHERE&username=sai');
  expect(trail.body.totalElements).toBe(1);
});

test('of two own changes that knew the same password, one wins', async () => {
  await createUser('duas');
  const { accessToken } = (await signIn('duas')).body;
  const change = (newPassword: string) =>
    platform.withToken(accessToken).post('authentication', '/api/auth/password', {
      currentPassword: PASSWORD,
      newPassword,
    });
  const statuses = (await Promise.all([change('primeira senha nova'), change('segunda senha nova')])).map(
    (each) => each.status,
  );
  expect(statuses.sort()).toEqual([200, 401]);
});

test('losing an external identity ends the tokens', async () => {
  const id = await createUser('vinculada');
  const linked = { identities: [{ provider: 'AZURE', subject: 'x' }], username: 'vinculada' };
  await admin('PUT', `/${id}`, linked);
  const tokens = await tokensOf('vinculada', 1);
  await admin('PUT', `/${id}`, linked);
  expect(await alive(tokens)).toBe(1);
  await admin('PUT', `/${id}`, { ...linked, identities: [] });
  expect(await alive(tokens)).toBe(0);
});

test('another process ends old tokens within five seconds and takes new ones at once', async () => {
  const ports = Object.fromEntries(['AUTH', 'QUERIES'].map((name) => [`${name}_PORT`, '0']));
  const environment = { ...ports, SERVICES: 'authentication', JOBS: 'off', DATABASE_CONNECTIONS: '4' };
  const other = await startProgram(readConfig(environment), { connectionString: platform.ownerUrl, silent: true });
  const there = async (token: string) =>
    (await clientOf(() => other.addresses.authentication!, token).get('authentication', '/api/auth/me')).status;
  try {
    const id = await createUser('longe');
    const [old] = await tokensOf('longe', 1);
    expect(await there(old!)).toBe(200);
    await admin('PUT', `/${id}/password`, { password: PASSWORD });
    const [fresh] = await tokensOf('longe', 1);
    // What that process remembers of the user is older than this token.
    expect(await there(fresh!)).toBe(200);
    letTimePass(4_900);
    expect(await there(old!)).toBe(401);
  } finally {
    await other.stop();
  }
});
