import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBank } from '../support/banks.ts';
import { type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

let platform: Platform;
let admin: Client;
beforeAll(async () => {
  platform = await startPlatform();
  admin = platform.admin;
});
afterAll(() => platform?.stop());

const remove = (path: string) => admin.call('masterdata', 'DELETE', path);

test('members inherit what the group permits, at once, and lose it with their membership', async () => {
  const bank = await createBank(admin);
  const other = await createBank(admin);
  const { id: userId, username, password } = await createUser(admin, { username: 'membro' });
  const user = await platform.as(username, password);
  const options = `/company/options/company/${bank.company}/${bank.branch}`;
  expect((await user.get('masterdata', options)).status).toBe(403);

  const body = {
    code: 'CONTAB',
    name: 'Contabilidade',
    description: 'Equipe',
    users: [userId],
    companies: [{ company: bank.company, branch: bank.branch }, { company: other.company }],
  };
  const made = await admin.post('masterdata', '/group', body);
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    ...body,
    companies: [
      { company: bank.company, branch: bank.branch },
      { company: other.company, branch: null },
    ],
    active: true,
  });
  expect((await user.get('masterdata', options)).status).toBe(200);

  const path = `/group/${made.body.id}`;
  expect((await admin.get('masterdata', path)).body).toEqual(made.body);
  expect((await user.get('masterdata', path)).body).toMatchObject({ id: made.body.id });
  expect((await user.get('masterdata', '/group/getall')).body).toHaveLength(1);

  const refused = await remove(path);
  expect(refused.body).toMatchObject({ status: 400, code: 'IN_USE' });
  expect(refused.body.detail).toContain('members');
  const put = await admin.call('masterdata', 'PUT', path, { ...made.body, users: [] });
  expect(put.body).toMatchObject({ users: [], code: 'CONTAB' });
  expect((await user.get('masterdata', options)).status).toBe(403);
  expect((await remove(path)).status).toBe(200);
  expect((await admin.get('masterdata', path)).status).toBe(404);
});

test('who is no member does not see a group, and only administrators change groups', async () => {
  const { username, password } = await createUser(admin, { username: 'de fora' });
  const user = await platform.as(username, password);
  const { body: group } = await admin.post('masterdata', '/group', { name: 'Fechado' });
  expect((await user.get('masterdata', `/group/${group.id}`)).status).toBe(404);
  expect((await user.get('masterdata', '/group/getall')).body).toEqual([]);
  expect((await admin.get('masterdata', '/group/getall')).body).toContainEqual(group);
  for (const [method, path] of [
    ['POST', '/group'],
    ['PUT', `/group/${group.id}`],
    ['DELETE', `/group/${group.id}`],
  ] as const) {
    const answer = await user.call('masterdata', method, path, method === 'DELETE' ? undefined : { name: 'Meu' });
    expect(answer.body).toMatchObject({ status: 403, code: 'ADMIN_ONLY' });
  }
});

test('a group with access to a routine is not removed', async () => {
  const { body: group } = await admin.post('masterdata', '/group', { name: 'Com rotina' });
  const routine = await admin.post('masterdata', '/routine', { code: 'DOGRUPO', name: 'Rotina do grupo' });
  const access = await admin.post('masterdata', '/access', { routineId: routine.body.id, groupId: group.id });
  expect(access.status).toBe(201);
  expect((await remove(`/group/${group.id}`)).body).toMatchObject({ status: 400, code: 'IN_USE' });
});

test('code and name are unique: one 201, one 400', async () => {
  const answers = await Promise.all(
    [1, 2].map(() => admin.post('masterdata', '/group', { code: 'UNICO', name: 'Único' })),
  );
  expect(answers.map((each) => each.status).sort()).toEqual([201, 400]);
  const byCode = await admin.post('masterdata', '/group', { code: 'UNICO', name: 'Outro' });
  expect(byCode.body).toMatchObject({ code: 'DUPLICATE', errors: [{ field: 'code' }] });
  const byName = await admin.post('masterdata', '/group', { name: 'Único' });
  expect(byName.body).toMatchObject({ code: 'DUPLICATE', errors: [{ field: 'name' }] });
});

test.each([
  ['no name', { name: undefined }, 400, 'name'],
  ['empty name', { name: ' ' }, 400, 'name'],
  ['unknown field', { membros: [] }, 400, 'membros'],
  ['text for users', { users: ['1'] }, 400, 'users.0'],
  ['user that does not exist', { users: [9_007_199_254_740_991] }, 404, 'users'],
  ['company that does not exist', { companies: [{ company: 'NADA' }] }, 404, 'companies'],
])('%s: rejected, nothing is created', async (_name, more, status, field) => {
  const answer = await admin.post('masterdata', '/group', { name: 'Recusado', ...more });
  expect(answer).toMatchObject({ status, body: { errors: [{ field }] } });
  const groups = (await admin.get('masterdata', '/group/getall')).body;
  expect(groups.map((each: { name: string }) => each.name)).not.toContain('Recusado');
});

test('an id of another group in the body is rejected', async () => {
  const { body: group } = await admin.post('masterdata', '/group', { name: 'Trocado' });
  const answer = await admin.call('masterdata', 'PUT', `/group/${group.id}`, { ...group, id: group.id + 1 });
  expect(answer.body).toMatchObject({ status: 400, code: 'ID_MISMATCH' });
  expect((await admin.get('masterdata', '/group/9007199254740991')).status).toBe(404);
  expect((await admin.get('masterdata', '/group/0')).status).toBe(400);
});
