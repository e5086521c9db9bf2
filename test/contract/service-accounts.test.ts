import { afterAll, beforeAll, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { openMonth } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';

// Machines: service accounts, their secrets, and the tokens that they get with them.

const PATH = '/api/admin/service-accounts';
const TTL_S = 3_600;
let platform: Platform;
let bank: Bank;
let other: Bank;
let clock = new Date();

beforeAll(async () => {
  platform = await startPlatform(
    { TRUSTED_PROXIES: '127.0.0.1', ACCESS_TOKEN_TTL: String(TTL_S) },
    { now: () => clock },
  );
  bank = await createBank(platform.admin);
  other = await createBank(platform.admin);
});
afterAll(() => platform?.stop());

const admin = (method: string, path: string, body?: unknown) =>
  platform.admin.call('authentication', method, PATH + path, body);

let made = 0;
async function createAccount(fields: object = {}) {
  const clientId = `maquina-${++made}`;
  const permissions = [{ company: bank.company, branch: bank.branch }];
  const account = await bodyOf(admin('POST', '', { clientId, permissions, routines: ['IMPORT'], ...fields }));
  const { id: secretId, secret } = await bodyOf(admin('POST', `/${account.id}/secrets`, {}));
  return { id: account.id as number, clientId, secretId: secretId as number, secret: secret as string };
}

async function ask(fields: Record<string, string>, headers: Record<string, string> = {}) {
  const answer = await fetch(`${platform.address('authentication')}/api/auth/token`, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ grant_type: 'client_credentials', ...fields }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: what comes is checked by the test
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any };
}

const tokenOf = async (of: { clientId: string; secret: string }, more: Record<string, string> = {}) => {
  const { status, body } = await ask({ client_id: of.clientId, client_secret: of.secret, ...more });
  expect(status, JSON.stringify(body)).toBe(200);
  return platform.withToken(body.access_token);
};

test('a secret gets a token of RFC 6749, in the body and by Basic, which reaches the branch and no other', async () => {
  const account = await createAccount();
  const scope = `routine:IMPORT branch:${bank.company}/${bank.branch}`;
  const inBody = await ask({ client_id: account.clientId, client_secret: account.secret });
  expect(inBody.body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: TTL_S, scope });
  expect(inBody.headers.get('cache-control')).toBe('no-store');
  const basic = Buffer.from(`${account.clientId}:${account.secret}`).toString('base64');
  expect((await ask({}, { authorization: `Basic ${basic}` })).body.scope).toBe(scope);
  const machine = platform.withToken(inBody.body.access_token);
  expect((await machine.get('authentication', '/api/auth/me')).body).toMatchObject({
    username: account.clientId,
    kind: 'SERVICE',
    admin: false,
  });
  expect((await machine.get('authentication', `/audit/${bank.company}/${bank.branch}`)).status).toBe(200);
  expect((await machine.get('authentication', `/audit/${other.company}/${other.branch}`)).status).toBe(403);
  expect((await admin('GET', `/${account.id}`)).body.secrets[0].lastUsedAt).toBe(clock.toISOString());
});

test('the metadata names the address', async () => {
  const { body } = await platform.admin.get('authentication', '/.well-known/openid-configuration');
  expect(body).toMatchObject({
    token_endpoint: `${platform.address('authentication')}/api/auth/token`,
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  });
});

test('an unknown client, a wrong secret, a person and a foreign network get one answer', async () => {
  const account = await createAccount({ networks: ['10.20.0.0/16', '2001:db8::/32'] });
  const from = (address: string) =>
    ask({ client_id: account.clientId, client_secret: account.secret }, { 'x-forwarded-for': address });
  expect((await from('10.20.3.4')).status).toBe(200);
  expect((await from('2001:db8::1')).status).toBe(200);
  const refused = [
    await from('10.21.0.1'),
    await ask({ client_id: 'ninguem', client_secret: account.secret }),
    await ask({ client_id: account.clientId, client_secret: `${account.secret}x` }),
    await ask({ client_id: 'admin', client_secret: 'uma senha comprida' }),
    await ask({ client_id: account.clientId }),
    await ask({}, { authorization: 'Basic !!!' }),
  ];
  for (const { status, body, headers } of refused) {
    expect(status).toBe(401);
    expect(body).toEqual({ error: 'invalid_client', error_description: 'Client or secret is not accepted' });
    expect(headers.get('www-authenticate')).toBe('Basic realm="partidas"');
  }
  const { body } = await from('10.20.3.4');
  const use = (address: string) =>
    platform
      .withToken(body.access_token)
      .call('authentication', 'GET', '/api/auth/me', undefined, { 'x-forwarded-for': address });
  expect((await use('10.20.9.9')).status).toBe(200);
  expect((await use('10.21.9.9')).status).toBe(401);
});

test.each([
  ['another grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
  ['no grant', { grant_type: '' }, 400, 'invalid_request'],
  ['a scope in other words', { scope: 'tudo' }, 400, 'invalid_scope'],
  ['a routine that it lacks', { scope: 'routine:REOPENING' }, 400, 'invalid_scope'],
  ['its company as a whole', { scope: 'company:OWN' }, 400, 'invalid_scope'],
  ['another company', { scope: 'company:OTHER' }, 400, 'invalid_scope'],
  ['no company', { scope: 'company:nenhuma' }, 400, 'invalid_scope'],
  ['a broken code', { scope: 'company:%E0%A4%A' }, 400, 'invalid_scope'],
])('%s is refused in the form of the RFC', async (_, fields, status, error) => {
  const account = await createAccount();
  const named = Object.entries(fields).map(([name, value]) => [
    name,
    value.replace('OWN', bank.company).replace('OTHER', other.company),
  ]);
  const answer = await ask({
    client_id: account.clientId,
    client_secret: account.secret,
    ...Object.fromEntries(named),
  });
  expect([answer.status, answer.body.error]).toEqual([status, error]);
});

test('JSON is refused in the form of the RFC too', async () => {
  const answer = await platform.withToken('').post('authentication', '/api/auth/token', { grant_type: 'x' });
  expect([answer.status, answer.body.error]).toEqual([415, 'invalid_request']);
});

test('a narrowed token has no more than it names', async () => {
  const account = await createAccount({ permissions: [{ company: bank.company }, { company: other.company }] });
  const denied = async (scope: string) => {
    const machine = await tokenOf(account, { scope });
    const { deniedRoutines } = (await machine.get('authentication', '/api/auth/me')).body;
    const reached = await Promise.all(
      [bank, other].map(
        async (of) => (await machine.get('authentication', `/audit/${of.company}/${of.branch}`)).status,
      ),
    );
    return [deniedRoutines.includes('IMPORT'), ...reached];
  };
  expect(await denied('routine:IMPORT')).toEqual([false, 200, 200]);
  expect(await denied(`company:${bank.company}`)).toEqual([true, 200, 403]);
  expect(await denied(`routine:IMPORT branch:${other.company}/${other.branch}`)).toEqual([false, 403, 200]);
});

test('two secrets live at a time; one that ends or is taken away opens nothing', async () => {
  const account = await createAccount();
  const ends = new Date(clock.getTime() + 60_000).toISOString();
  const second = await bodyOf(admin('POST', `/${account.id}/secrets`, { description: 'novo', expiresAt: ends }));
  expect(second).toMatchObject({ secret: expect.stringMatching(/^partidas_secret_[\w-]{43}$/), expiresAt: ends });
  const first = await tokenOf(account);
  await tokenOf({ ...account, secret: second.secret });
  const left = await bodyOf(admin('DELETE', `/${account.id}/secrets/${account.secretId}`));
  expect(left.secrets).toEqual([expect.objectContaining({ id: second.id })]);
  expect(JSON.stringify(left)).not.toContain(second.secret);
  expect((await first.get('authentication', '/api/auth/me')).status).toBe(401);
  expect((await ask({ client_id: account.clientId, client_secret: account.secret })).status).toBe(401);
  await tokenOf({ ...account, secret: second.secret });
  clock = new Date(clock.getTime() + 61_000);
  expect((await ask({ client_id: account.clientId, client_secret: second.secret })).status).toBe(401);
  expect((await admin('DELETE', `/${account.id}/secrets/${account.secretId}`)).status).toBe(404);
});

test('an account has at most five secrets', async () => {
  const account = await createAccount();
  for (let at = 0; at < 4; at++) expect((await admin('POST', `/${account.id}/secrets`, {})).status).toBe(201);
  const sixth = await admin('POST', `/${account.id}/secrets`, {});
  expect([sixth.status, sixth.body.code]).toEqual([400, 'TOO_MANY_SECRETS']);
});

test('deactivation ends the tokens, and no secret opens until it is active again', async () => {
  const account = await createAccount();
  const machine = await tokenOf(account);
  const off = await bodyOf(admin('DELETE', `/${account.id}`));
  expect(off.active).toBe(false);
  expect((await machine.get('authentication', '/api/auth/me')).status).toBe(401);
  expect((await ask({ client_id: account.clientId, client_secret: account.secret })).status).toBe(401);
  await bodyOf(admin('PUT', `/${account.id}`, { clientId: account.clientId, active: true }));
  expect((await machine.get('authentication', '/api/auth/me')).status).toBe(401);
  await tokenOf(account);
});

test('strangers use up the tries of their address, never those of the account', async () => {
  const account = await createAccount();
  const stranger = { 'x-forwarded-for': '203.0.113.7' };
  const wrong = () => ask({ client_id: account.clientId, client_secret: 'errado' }, stranger);
  for (let at = 0; at < 100; at++) expect((await wrong()).status).toBe(401);
  const beyond = await wrong();
  expect([beyond.status, beyond.body.error]).toEqual([429, 'temporarily_unavailable']);
  expect(Number(beyond.headers.get('retry-after'))).toBeGreaterThan(0);
  await tokenOf(account);
  // Even behind the same address.
  expect((await ask({ client_id: account.clientId, client_secret: account.secret }, stranger)).status).toBe(200);
});

test('it never signs in like a person, and is never an administrator', async () => {
  const account = await createAccount();
  const signIn = await platform
    .withToken('')
    .post('authentication', '/api/auth/signin', { username: account.clientId, password: account.secret });
  expect([signIn.status, signIn.body.code]).toEqual([401, 'BAD_CREDENTIALS']);
  const asUser = (method: string, path: string, body: unknown) =>
    platform.admin.call('authentication', method, `/api/admin/users/${account.id}${path}`, body);
  const refused = [
    await asUser('PUT', '', { username: account.clientId, admin: true }),
    await asUser('PUT', '', { username: account.clientId, identities: [{ provider: 'AZURE', subject: 'x' }] }),
    await asUser('PUT', '/password', { password: 'uma outra senha comprida' }),
  ];
  for (const { status, body } of refused) expect([status, body.code]).toEqual([400, 'NOT_FOR_SERVICE_ACCOUNT']);
  const machine = await tokenOf(account);
  for (const path of [PATH, '/api/admin/users']) {
    expect((await machine.get('authentication', path)).body.code).toBe('ADMIN_ONLY');
  }
  const create = await machine.post('authentication', PATH, { clientId: 'filha' });
  expect([create.status, create.body.code]).toEqual([403, 'ADMIN_ONLY']);
});

test('a routine that is open to people is closed to a machine that is not given it', async () => {
  const without = await tokenOf(await createAccount({ routines: [] }));
  const { deniedRoutines } = (await without.get('authentication', '/api/auth/me')).body;
  expect(deniedRoutines).toEqual(expect.arrayContaining(['IMPORT', 'MONTH_OPENING', 'DELETE_MOVEMENTS']));
});

test('a person is no service account', async () => {
  const { id } = (await platform.admin.get('authentication', '/api/auth/me')).body;
  expect((await admin('GET', `/${id}`)).status).toBe(404);
  expect((await admin('POST', `/${id}/secrets`, {})).status).toBe(404);
  expect((await admin('DELETE', `/${id}`)).status).toBe(404);
});

test.each([
  ['no client id', { clientId: undefined }],
  ['a name that is taken', { clientId: 'admin' }],
  ['an administrator', { admin: true }],
  ['a routine that is none', { routines: ['TUDO'] }],
  ['an address that is no network', { networks: ['10.20.0.1'] }],
  ['a network that is none', { networks: ['10.20.0.0/33'] }],
  ['too many networks', { networks: Array.from({ length: 51 }, (_, at) => `10.${at}.0.0/16`) }],
  ['an end that is none', { expiresAt: 'amanhã' }],
])('%s is refused', async (_, fields) => {
  expect((await admin('POST', '', { clientId: 'nova', ...fields })).status).toBe(400);
  expect((await admin('GET', '?search=nova')).body.totalElements).toBe(0);
});

test('what it posts has its name, and the trail has its tokens and secrets', async () => {
  const account = await createAccount({ routines: ['IMPORT'] });
  const machine = await tokenOf(account);
  const opened = await platform.admin.call(
    'authentication',
    'GET',
    `/api/admin/audit?entity=serviceAccount&entityId=${account.id}`,
  );
  expect(opened.body.content.map(({ action }: { action: string }) => action)).toEqual(['ADD_SECRET', 'CREATE']);
  expect(JSON.stringify(opened.body)).not.toContain(account.secret);
  const trail = await platform.admin.get('authentication', `/api/admin/audit?username=${account.clientId}`);
  expect(trail.body.content).toEqual([
    expect.objectContaining({ action: 'SIGN_IN', userId: account.id, after: { how: 'CLIENT_SECRET' } }),
  ]);
  await openMonth(platform.admin, bank, '01/2026');
  await post(machine, bank, book`05/01 1.1.1 D 1.000,00 3.1`);
  const { rows } = await withOwnerConnection(platform.ownerUrl, (owner) =>
    owner.query('SELECT DISTINCT created_by FROM entry_line WHERE company_id = $1', [bank.companyId]),
  );
  expect(rows).toEqual([{ created_by: account.clientId }]);
});

test('at its end it has no way in, and its tokens end', async () => {
  const account = await createAccount({ expiresAt: new Date(clock.getTime() + 60_000).toISOString() });
  const machine = await tokenOf(account);
  expect((await machine.get('authentication', '/api/auth/me')).status).toBe(200);
  const before = clock;
  clock = new Date(clock.getTime() + 120_000);
  expect((await ask({ client_id: account.clientId, client_secret: account.secret })).status).toBe(401);
  expect((await machine.get('authentication', '/api/auth/me')).status).toBe(401);
  clock = before;
});
