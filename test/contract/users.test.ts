import { afterAll, beforeAll, expect, test } from 'vitest';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { rejectionOf, runAdmin } from '../support/admin-command.ts';
import { ADMIN, type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
const PASSWORD = 'senha de teste 1';

beforeAll(async () => {
  platform = await startPlatform();
  await withOwnerConnection(platform.ownerUrl, (client) =>
    client.query(`WITH made AS (INSERT INTO company (code, name, cnpj, zip_code)
                                VALUES ('U1', 'Um', '11222333000181', '01001000'), ('U2', 'Dois', '19131243000197', '01001000')
                                RETURNING id)
                  INSERT INTO branch (company_id, code, name)
                  SELECT made.id, branch.code, 'Filial' FROM made, (VALUES ('0001'), ('0002')) AS branch (code)`),
  );
});
afterAll(() => platform?.stop());

const create = (user: Record<string, unknown>) => platform.admin.post('authentication', '/api/admin/users', user);

test('a user is created with permissions, signs in, and is read back without any password', async () => {
  const created = await create({
    username: 'Maria',
    name: ' Maria da Silva ',
    email: 'maria@exemplo.com.br',
    password: PASSWORD,
    permissions: [{ company: 'U1' }, { company: 'U2', branch: '0002' }, { company: 'U1' }],
    identities: [{ provider: 'AZURE', subject: 'oid-maria' }],
  });
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject({
    username: 'Maria',
    name: 'Maria da Silva',
    active: true,
    admin: false,
    expiresAt: null,
    permissions: [
      { company: 'U1', branch: null },
      { company: 'U2', branch: '0002' },
    ],
    identities: [{ provider: 'AZURE', subject: 'oid-maria' }],
  });
  expect(created.text).not.toMatch(/password|argon2/i);
  const maria = await platform.as('MARIA', PASSWORD);
  const me = await maria.get('authentication', '/api/auth/me');
  expect(me.body).toMatchObject({ id: created.body.id, permissions: created.body.permissions, groups: [] });
  expect((await platform.admin.get('authentication', `/api/admin/users/${created.body.id}`)).body).toEqual(
    created.body,
  );
});

test('what was read can be sent back', async () => {
  const { body } = await create({ username: 'eco', password: PASSWORD, permissions: [{ company: 'U1' }] });
  const put = await platform.admin.call('authentication', 'PUT', `/api/admin/users/${body.id}`, body);
  expect(put.status).toBe(200);
  expect({ ...put.body, updatedAt: '' }).toEqual({ ...body, updatedAt: '' });
  const other = await platform.admin.call('authentication', 'PUT', `/api/admin/users/${body.id}`, { ...body, id: 1 });
  expect(other.body).toMatchObject({ status: 400, code: 'ID_MISMATCH' });
});

test('names are unique without regard to case, unknown companies and branches are 404, unknown fields 400', async () => {
  expect((await create({ username: 'dupla', password: PASSWORD })).status).toBe(201);
  expect((await create({ username: 'DUPLA', password: PASSWORD })).body).toMatchObject({
    status: 400,
    code: 'DUPLICATE',
  });
  expect((await create({ username: 'x1', permissions: [{ company: 'NONE' }] })).status).toBe(404);
  expect((await create({ username: 'x1', permissions: [{ company: 'U1', branch: '9' }] })).status).toBe(404);
  expect((await create({ username: 'x1', role: 'boss' })).body).toMatchObject({ status: 400, code: 'UNKNOWN_FIELD' });
  expect((await create({ username: 'x1', password: 'short' })).status).toBe(400);
  expect((await create({ username: 'x\u0000' })).status).toBe(400);
  expect(
    (await create({ username: 'x1', identities: [{ provider: 'AZURE', subject: 'oid-maria' }] })).body,
  ).toMatchObject({ status: 400, code: 'DUPLICATE' });
  expect((await platform.admin.get('authentication', '/api/admin/users?search=x1')).body.totalElements).toBe(0);
});

test('lists are paged and searched', async () => {
  for (const each of ['lista-a', 'lista-b', 'lista-c']) await create({ username: each, name: `Nome de ${each}` });
  const page = (await platform.admin.get('authentication', '/api/admin/users?search=NOME%20DE%20LISTA&page=1&size=2'))
    .body;
  expect(page).toMatchObject({ totalElements: 3, totalPages: 2, size: 2, number: 1 });
  expect(page.content.map((each: { username: string }) => each.username)).toEqual(['lista-c']);
  expect((await platform.admin.get('authentication', '/api/admin/users?search=%25')).body.totalElements).toBe(0);
  expect((await platform.admin.get('authentication', '/api/admin/users?size=1001')).status).toBe(400);
});

test('only administrators manage users', async () => {
  const { body } = await create({ username: 'comum', password: PASSWORD });
  const client = await platform.as('comum', PASSWORD);
  for (const [method, path, content] of [
    ['GET', '/api/admin/users', undefined],
    ['POST', '/api/admin/users', { username: 'novo' }],
    ['GET', `/api/admin/users/${body.id}`, undefined],
    ['PUT', `/api/admin/users/${body.id}`, { username: 'comum', admin: true }],
    ['DELETE', `/api/admin/users/${body.id}`, undefined],
    ['PUT', `/api/admin/users/${body.id}/password`, { password: PASSWORD }],
    ['PUT', `/api/admin/users/${body.id}/permissions`, { permissions: [{ company: 'U1' }] }],
    ['GET', '/api/admin/audit', undefined],
  ] as const) {
    expect((await client.call('authentication', method, path, content)).status, `${method} ${path}`).toBe(403);
  }
});

test('a deactivated user is out at once in this process', async () => {
  const { body } = await create({ username: 'saiu', password: PASSWORD });
  const client = await platform.as('saiu', PASSWORD);
  expect((await client.get('authentication', '/api/auth/me')).status).toBe(200);
  const deleted = await platform.admin.call('authentication', 'DELETE', `/api/admin/users/${body.id}`);
  expect(deleted.body).toMatchObject({ id: body.id, active: false });
  expect((await client.get('authentication', '/api/auth/me')).status).toBe(401);
  await expect(platform.as('saiu', PASSWORD)).rejects.toThrow('401');
});

test('an expired user is out', async () => {
  await create({ username: 'venceu', password: PASSWORD, expiresAt: '2020-01-01T00:00:00Z' });
  await expect(platform.as('venceu', PASSWORD)).rejects.toThrow('401');
});

test('permissions are replaced, as an object or as an array', async () => {
  const { body } = await create({ username: 'troca', permissions: [{ company: 'U1' }] });
  const path = `/api/admin/users/${body.id}/permissions`;
  const one = await platform.admin.call('authentication', 'PUT', path, {
    permissions: [{ company: 'U2', branch: '0001' }],
  });
  expect(one.body.permissions).toEqual([{ company: 'U2', branch: '0001' }]);
  const two = await platform.admin.call('authentication', 'PUT', path, [{ company: 'U1', branch: null }]);
  expect(two.body.permissions).toEqual([{ company: 'U1', branch: null }]);
  expect((await platform.admin.call('authentication', 'PUT', path, [{ company: 'ZZ' }])).status).toBe(404);
  expect((await platform.admin.call('authentication', 'PUT', '/api/admin/users/999999/permissions', [])).status).toBe(
    404,
  );
});

test('a new password ends the old one and the tokens made with it', async () => {
  const { body } = await create({ username: 'novasenha', password: PASSWORD });
  const client = await platform.as('novasenha', PASSWORD);
  const wrong = { currentPassword: 'not the password', newPassword: 'outra senha 22' };
  expect((await client.post('authentication', '/api/auth/password', wrong)).body).toMatchObject({
    status: 400,
    errors: [{ field: 'currentPassword' }],
  });
  const right = { currentPassword: PASSWORD, newPassword: 'outra senha 22' };
  expect((await client.post('authentication', '/api/auth/password', right)).status).toBe(200);
  expect((await client.get('authentication', '/api/auth/me')).status).toBe(401);
  await expect(platform.as('novasenha', PASSWORD)).rejects.toThrow('401');
  const again = await platform.as('novasenha', 'outra senha 22');
  expect((await again.get('authentication', '/api/auth/me')).status).toBe(200);
  const path = `/api/admin/users/${body.id}/password`;
  expect((await platform.admin.call('authentication', 'PUT', path, { password: 'terceira senha' })).status).toBe(200);
  await platform.as('novasenha', 'terceira senha');
});

test('the last administrator stays one', async () => {
  const { content } = (await platform.admin.get('authentication', '/api/admin/users?search=admin')).body;
  const [admin] = content;
  expect((await platform.admin.call('authentication', 'DELETE', `/api/admin/users/${admin.id}`)).body).toMatchObject({
    status: 400,
    code: 'LAST_ADMIN',
  });
  for (const change of [{ admin: false }, { active: false }, { expiresAt: '2031-01-01T00:00:00Z' }]) {
    const body = { ...admin, ...change };
    const answer = await platform.admin.call('authentication', 'PUT', `/api/admin/users/${admin.id}`, body);
    expect(answer.body).toMatchObject({ status: 400, code: 'LAST_ADMIN' });
  }
  const second = await create({ username: 'segunda', password: PASSWORD, admin: true });
  const clients = [await platform.as(ADMIN.username, ADMIN.password), await platform.as('segunda', PASSWORD)];
  // Each takes the other's right at the same moment: one of them must be rejected.
  const answers = await Promise.all([
    clients[0]!.call('authentication', 'DELETE', `/api/admin/users/${second.body.id}`),
    clients[1]!.call('authentication', 'DELETE', `/api/admin/users/${admin.id}`),
  ]);
  const left = await withOwnerConnection(platform.ownerUrl, (client) =>
    client.query('SELECT count(*)::int AS count FROM app_user WHERE admin AND active'),
  );
  expect(left.rows[0].count, JSON.stringify(answers.map((each) => each.status))).toBe(1);
  // The tests after this one continue with the first, whichever won.
  await owned(`UPDATE app_user SET active = true, credential_version = 1 WHERE id = $1`, [admin.id]);
  lookAgain();
});

const admin = (...words: string[]) => runAdmin(platform, words);

test('the command line adds, lists, grants, gives passwords and disables', async () => {
  const added = await admin('user', 'add', 'terminal', '--name', 'Pessoa do terminal');
  expect(added.code, added.err).toBe(0);
  const password = /password (\S+)/.exec(added.out)![1]!;
  await platform.as('terminal', password);
  const granted = await admin('user', 'grant', 'TERMINAL', 'U1', 'U2/0001');
  expect(granted.out).toContain('U1 U2/0001');
  expect((await admin('user', 'list', 'terminal')).out.split('\t').slice(1, 4)).toEqual([
    'terminal',
    'Pessoa do terminal',
    'active',
  ]);
  expect((await admin('user', 'password', 'terminal', '--password', 'senha do outro 2')).code).toBe(0);
  await platform.as('terminal', 'senha do outro 2');
  expect((await admin('user', 'disable', 'terminal')).code).toBe(0);
  await expect(platform.as('terminal', 'senha do outro 2')).rejects.toThrow('401');
  const { body } = await platform.admin.get('authentication', '/api/admin/audit?username=command%20line');
  expect(body.content.map((each: { action: string }) => each.action)).toEqual([
    'DEACTIVATE',
    'SET_PASSWORD',
    'GRANT',
    'CREATE',
  ]);
}, 60_000);

test.each([
  [['user', 'add', 'terminal2', '--password', 'curta'], '12 to 200'],
  [['user', 'grant', 'nobody', 'U1'], 'nobody not found'],
  [['user', 'grant', 'dupla', 'ZZ'], 'Company ZZ not found'],
  [['user', 'add'], 'username is missing'],
  [['user', 'add', 'a\u0001b'], 'control characters'],
  [['user', 'add', 'x', '--root'], 'Usage'],
  [['reboot'], 'Usage'],
])('the command line rejects %j with one reason', async (words, reason) => {
  expect(await rejectionOf(platform, words)).toContain(reason);
});

test('a rejected command writes its reason to the error output alone and exits with 1', async () => {
  const { code, out, err } = await admin('user', 'grant', 'nobody', 'U1');
  expect(code).toBe(1);
  expect(out).toBe('');
  expect(err).toBe('User nobody not found\n');
});

const owned = (text: string, values: unknown[] = []) =>
  withOwnerConnection(platform.ownerUrl, (client) => client.query(text, values));

/** What the age of the process's knowledge would do within seconds. */
const lookAgain = () => platform.program.app.authorizer.forget();

test('rights of a group are inherited by its members while it is active', async () => {
  const { body } = await create({ username: 'membro', password: PASSWORD });
  const client = await platform.as('membro', PASSWORD);
  const branches = () => client.get('masterdata', '/companybranch/U2');
  expect((await branches()).body).toMatchObject({ status: 403, code: 'TENANT_DENIED' });
  const group = await owned(`INSERT INTO user_group (code, name) VALUES ('G', 'Grupo') RETURNING id`);
  const { id } = group.rows[0];
  await owned('INSERT INTO group_member (group_id, user_id) VALUES ($1, $2)', [id, body.id]);
  await owned(
    `INSERT INTO group_permission (group_id, company_id, branch_id)
     SELECT $1, company.id, branch.id FROM company JOIN branch ON branch.company_id = company.id
      WHERE company.code = 'U2' AND branch.code = '0001'`,
    [id],
  );
  lookAgain();
  const seen = await branches();
  expect(seen.status).toBe(200);
  expect(seen.body.map((each: { branch: string }) => each.branch)).toEqual(['0001']);
  expect((await client.get('authentication', '/api/auth/me')).body).toMatchObject({
    permissions: [],
    groups: [{ name: 'Grupo', permissions: [{ company: 'U2', branch: '0001' }] }],
  });
  expect((await client.get('movements', '/monthOpening/U2/0002')).status).toBe(403);
  await owned('UPDATE user_group SET active = false WHERE id = $1', [id]);
  lookAgain();
  expect((await branches()).status).toBe(403);
});

test('a routine without accesses is open; with them, only their users and groups pass, while they are valid', async () => {
  const { body } = await create({ username: 'rotina', password: PASSWORD, permissions: [{ company: 'U1' }] });
  const client = await platform.as('rotina', PASSWORD);
  const close = () => client.get('movements', '/calendar/closeday/U1/0001');
  // Without the right it would be 403; the branch has no open day.
  expect((await close()).status).toBe(400);
  const access = (days: string) =>
    owned(
      `INSERT INTO routine_access (routine_id, user_id, valid_to)
       SELECT routine.id, $1, current_date + $2::int FROM routine WHERE routine.code = 'CALENDAR_CLOSE'
       ON CONFLICT (routine_id, coalesce(user_id, 0), coalesce(group_id, 0)) DO UPDATE SET valid_to = excluded.valid_to`,
      [body.id, days],
    );
  await owned(
    `INSERT INTO routine_access (routine_id, user_id)
     SELECT routine.id, app_user.id FROM routine, app_user
      WHERE routine.code = 'CALENDAR_CLOSE' AND app_user.username = 'eco'`,
  );
  lookAgain();
  expect((await close()).body).toMatchObject({ status: 403, code: 'ROUTINE_DENIED' });
  expect((await client.get('authentication', '/api/auth/me')).body.deniedRoutines).toContain('CALENDAR_CLOSE');
  await access('1');
  lookAgain();
  expect((await close()).status).toBe(400);
  await access('-2');
  lookAgain();
  expect((await close()).status).toBe(403);
  expect((await platform.admin.get('movements', '/calendar/closeday/U1/0001')).status).toBe(400);
});
