import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBank } from '../support/banks.ts';
import { bodyOf, type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createUser, grantRoutine } from '../support/users.ts';

let platform: Platform;
let ana: Awaited<ReturnType<typeof createUser>>;
let groupId: number;
beforeAll(async () => {
  platform = await startPlatform({ JOBS: 'off' });
  await createBank(platform.admin, { company: 'MATRIZ', branch: '0001' });
  const permissions = [{ company: 'MATRIZ' }];
  ana = await createUser(platform.admin, { username: 'ana', permissions, routines: ['PURGING'] });
  const bia = await createUser(platform.admin, { username: 'bia', permissions });
  await createUser(platform.admin, { username: 'sem empresa' });
  const group = { name: 'Contabilidade', users: [bia.id], companies: [{ company: 'MATRIZ' }] };
  groupId = (await bodyOf(platform.admin.post('masterdata', '/group', group))).id;
  await grantRoutine(platform.admin, 'REOPENING', { groupId });
});
afterAll(() => platform?.stop());

interface Matrix {
  readonly routines: readonly {
    readonly code: string;
    readonly restricted: boolean;
    readonly grants: readonly object[];
  }[];
  readonly groups: readonly { readonly id: number; readonly name: string }[];
  readonly users: {
    readonly totalElements: number;
    readonly content: readonly {
      readonly username: string;
      readonly groups: readonly number[];
      readonly routines: readonly string[];
    }[];
  };
}

const matrix = async (query = '', client: Client = platform.admin): Promise<Matrix> =>
  bodyOf(client.get('authentication', `/api/admin/access-matrix${query}`));

test('one read says who may use which routine, and through what', async () => {
  const { routines, groups, users } = await matrix();
  const routine = (code: string) => routines.find((each) => each.code === code)!;
  expect(routine('PURGING')).toMatchObject({ restricted: true, grants: [{ userId: ana.id, groupId: null }] });
  expect(routine('REOPENING').grants).toMatchObject([{ userId: null, groupId, active: true, validTo: null }]);
  expect(routine('IMPORT')).toMatchObject({ restricted: false, grants: [] });
  expect(groups).toMatchObject([{ id: groupId, name: 'Contabilidade', active: true }]);
  const user = (name: string) => users.content.find(({ username }) => username === name)!;
  expect(user('ana').routines).toEqual(expect.arrayContaining(['PURGING', 'IMPORT']));
  expect(user('ana').routines).not.toContain('REOPENING');
  expect(user('bia')).toMatchObject({ groups: [groupId], routines: expect.arrayContaining(['REOPENING', 'IMPORT']) });
  expect(user('sem empresa').routines).toEqual([]);
  expect(user('admin').routines).toHaveLength(routines.length);
});

test('what it says of a user is what the user meets', async () => {
  const { routines, users } = await matrix();
  for (const username of ['ana', 'bia']) {
    const client = await platform.as(username, 'uma senha bem comprida');
    const { deniedRoutines } = (await client.get('authentication', '/api/auth/me')).body;
    const granted = new Set(users.content.find((each) => each.username === username)!.routines);
    const denied = routines.filter(({ code }) => !granted.has(code)).map(({ code }) => code);
    expect(denied.sort(), username).toEqual([...deniedRoutines].sort());
  }
});

test('users come by pages and by a part of their names', async () => {
  const page = await matrix('?size=2&page=1');
  expect(page.users).toMatchObject({ totalElements: 4, content: [{ username: 'bia' }, { username: 'sem empresa' }] });
  expect((await matrix('?search=EMPRESA')).users.content).toHaveLength(1);
});

test('it is for administrators', async () => {
  const client = await platform.as('ana', 'uma senha bem comprida');
  const answer = await client.get('authentication', '/api/admin/access-matrix');
  expect(answer).toMatchObject({ status: 403, body: { code: 'ADMIN_ONLY' } });
});
