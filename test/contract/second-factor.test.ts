import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { runAdmin } from '../support/admin-command.ts';
import { shownCode } from '../support/authenticator-app.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

/** One offers the second factor, the other demands it, on databases of their own. */
let platform: Platform;
let strict: Platform;
let clock = new Date();
const PASSWORD = 'uma senha qualquer';

beforeAll(async () => {
  platform = await startPlatform({}, { now: () => clock });
  strict = await startPlatform();
});
afterAll(async () => {
  await platform?.stop();
  await strict?.stop();
});
/** Each test has its own half minute, and tries of its own. */
afterEach(async () => {
  clock = new Date(clock.getTime() + 120_000);
  await withOwnerConnection(platform.ownerUrl, (client) => client.query('DELETE FROM signin_failure'));
});

const owned = (text: string, values: unknown[] = []) =>
  withOwnerConnection(platform.ownerUrl, (client) => client.query(text, values));

async function createUser(username: string, admin = true): Promise<number> {
  const answer = await platform.admin.post('authentication', '/api/admin/users', {
    username,
    password: PASSWORD,
    admin,
  });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

const signIn = (username: string, totp?: string | null, password = PASSWORD) =>
  platform
    .withToken('')
    .post('authentication', '/api/auth/signin', { username, password, ...(totp === undefined ? {} : { totp }) });

const enrol = (username: string, password = PASSWORD, on: Pick<Platform, 'withToken'> = platform) =>
  on.withToken('').post('authentication', '/api/auth/mfa/enrolment', { username, password });

const codeFor = (secret: string, later = 0) => shownCode(secret, clock, later);

async function enrolled(username: string): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { body } = await enrol(username);
  expect((await signIn(username, codeFor(body.secret))).status).toBe(200);
  clock = new Date(clock.getTime() + 60_000);
  return body;
}

test('from the first right code on, a code is required, and each is accepted once', async () => {
  await createUser('dora');
  const { status, body } = await enrol('dora');
  expect(status).toBe(201);
  expect(body.uri).toContain(`secret=${body.secret}`);
  expect(body.recoveryCodes).toHaveLength(10);
  // Nobody is shut out by an enrolment that was never finished.
  expect((await signIn('dora')).status).toBe(200);
  expect((await signIn('dora', codeFor(body.secret))).status).toBe(200);
  expect((await signIn('dora')).body).toMatchObject({ status: 401, code: 'MFA_REQUIRED' });
  expect((await signIn('dora', null)).body).toMatchObject({ status: 401, code: 'MFA_REQUIRED' });
  expect((await signIn('dora', codeFor(body.secret))).body).toMatchObject({ status: 401, code: 'BAD_CREDENTIALS' });
  // A step back is over too, a step ahead is a clock that goes fast.
  expect((await signIn('dora', codeFor(body.secret, -1))).status).toBe(401);
  const answers = await Promise.all([1, 2, 3, 4].map(() => signIn('dora', codeFor(body.secret, 1))));
  expect(answers.map((each) => each.status).sort()).toEqual([200, 401, 401, 401]);
  expect((await enrol('dora')).body).toMatchObject({ status: 400, code: 'MFA_ALREADY_ENROLLED' });
  const held = await owned('SELECT recovery_hashes FROM user_totp');
  expect(held.rows[0].recovery_hashes).not.toContain(body.recoveryCodes[0]);
});

test('without the right password there is no word about the code', async () => {
  await createUser('elsa');
  const { secret } = await enrolled('elsa');
  expect((await signIn('elsa', undefined, 'a senha errada')).body.code).toBe('BAD_CREDENTIALS');
  expect((await signIn('elsa', codeFor(secret), 'a senha errada')).body.code).toBe('BAD_CREDENTIALS');
  expect((await enrol('elsa', 'a senha errada')).body.code).toBe('BAD_CREDENTIALS');
  expect((await signIn('elsa', codeFor(secret))).status).toBe(200);
});

test('wrong codes count as failures', async () => {
  await createUser('fabia');
  const { secret } = await enrolled('fabia');
  for (let turn = 0; turn < 10; turn++) expect((await signIn('fabia', '000000x')).status).toBe(401);
  const answer = await signIn('fabia', codeFor(secret));
  expect(answer.body).toMatchObject({ status: 429, code: 'TOO_MANY_ATTEMPTS' });
});

test('a recovery code is taken once, in a code’s place', async () => {
  await createUser('gilda');
  const { recoveryCodes } = await enrolled('gilda');
  const answers = await Promise.all([1, 2, 3, 4].map(() => signIn('gilda', recoveryCodes[0])));
  expect(answers.map((each) => each.status).sort()).toEqual([200, 401, 401, 401]);
  expect((await signIn('gilda', recoveryCodes[1]!.toLowerCase())).status).toBe(200);
});

test('another administrator or the command line takes it away, and the tokens with it', async () => {
  const id = await createUser('heda');
  await enrolled('heda');
  expect((await signIn('heda')).status).toBe(401);
  expect((await platform.admin.call('authentication', 'DELETE', `/api/admin/users/${id}/mfa`)).status).toBe(200);
  const { recoveryCodes } = await enrolled('heda');
  const token = (await signIn('heda', recoveryCodes[0])).body.accessToken;
  const own = await platform.withToken(token).call('authentication', 'DELETE', `/api/admin/users/${id}/mfa`);
  expect(own.body).toMatchObject({ status: 400, code: 'MFA_OWN_RESET' });
  const { code, err } = await runAdmin(platform, ['user', 'mfa-reset', 'heda']);
  expect(code, err).toBe(0);
  expect((await signIn('heda')).status).toBe(200);
  const trail = (await platform.admin.get('authentication', `/api/admin/audit?entity=user&entityId=${id}`)).body
    .content;
  expect(trail.map((each: { action: string }) => each.action)).toEqual([
    'RESET_MFA',
    'ENROL_MFA',
    'RESET_MFA',
    'ENROL_MFA',
    'CREATE',
  ]);
  expect(JSON.stringify(trail)).not.toMatch(/secret|hash/);
}, 20_000);

test('users who are no administrators are not offered one', async () => {
  await createUser('ivo', false);
  expect((await enrol('ivo')).body).toMatchObject({ status: 400, code: 'MFA_NOT_OFFERED' });
});

test('where it is required, an administrator without one gets no token', async () => {
  const demanding = await startPlatformWith('required');
  try {
    const anybody = demanding.withToken('');
    const body = { username: 'admin', password: 'uma senha comprida' };
    const answer = await anybody.post('authentication', '/api/auth/signin', body);
    expect(answer.body).toMatchObject({ status: 401, code: 'MFA_NOT_ENROLLED' });
    const made = (await enrol(body.username, body.password, demanding)).body;
    const again = await anybody.post('authentication', '/api/auth/signin', body);
    expect(again.body).toMatchObject({ status: 401, code: 'MFA_REQUIRED' });
    clock = new Date();
    const code = codeFor(made.secret);
    expect((await anybody.post('authentication', '/api/auth/signin', { ...body, totp: code })).status).toBe(200);
  } finally {
    await demanding.stop();
  }
});

/** A second program on the strict platform's database. */
async function startPlatformWith(ADMIN_MFA: string): Promise<Pick<Platform, 'withToken' | 'stop'>> {
  const { readConfig } = await import('../../src/platform/config.ts');
  const { startProgram } = await import('../../src/program.ts');
  const { clientOf } = await import('../support/platform.ts');
  const config = readConfig({
    AUTH_PORT: '0',
    SERVICES: 'authentication',
    JOBS: 'off',
    DATABASE_CONNECTIONS: '4',
    ADMIN_MFA,
  });
  const program = await startProgram(config, { connectionString: strict.ownerUrl, silent: true });
  return {
    withToken: (token) => clientOf(() => program.addresses.authentication!, token),
    stop: () => program.stop(),
  };
}
