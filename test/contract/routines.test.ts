import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { createUser, grantRoutine } from '../support/users.ts';

// Whom routines admit, and what a user has whom nobody has given anything.

let platform: Platform;
let bank: Bank;
beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
});
afterAll(() => platform?.stop());

test('a row of another user keeps out the members of any group too', async () => {
  const { id } = await createUser(platform.admin, { username: 'emgrupo', permissions: [{ company: bank.company }] });
  await platform.admin.post('masterdata', '/group', { name: 'Sem direitos', users: [id] });
  const client = await platform.as('emgrupo', 'uma senha bem comprida');
  const close = () => client.get('movements', `/calendar/closeday/${bank.company}/${bank.branch}`);
  // The branch has no open day.
  expect((await close()).status).toBe(400);
  const access = await grantRoutine(platform.admin, 'CALENDAR_CLOSE', { userId: 1 });
  expect((await close()).body).toMatchObject({ status: 403, code: 'ROUTINE_DENIED' });
  const path = `/access/${access}`;
  const routineOf = async () =>
    (await platform.admin.get('masterdata', '/routine')).body.find(
      (each: { code: string }) => each.code === 'CALENDAR_CLOSE',
    );
  const routine = await routineOf();
  const [row] = (await platform.admin.get('masterdata', `/access/${routine.id}`)).body;
  await platform.admin.call('masterdata', 'PUT', path, { ...row, canWrite: false, canExecute: false });
  expect((await close()).status).toBe(403);
  expect((await platform.admin.call('masterdata', 'DELETE', path)).status).toBe(200);
  // It had rows: taking the last one away does not open it.
  expect((await close()).status).toBe(403);
  expect((await routineOf()).restricted).toBe(true);
  const put = (body: object) => platform.admin.call('masterdata', 'PUT', `/routine/${routine.id}`, body);
  // A body that does not speak of it leaves it closed.
  expect((await put({ code: routine.code, name: routine.name })).body.restricted).toBe(true);
  expect((await put({ ...routine, restricted: false })).body.restricted).toBe(false);
  expect((await close()).status).toBe(400);
});

test.each(['COMPANIES', 'COMPLIANCE_RULES', 'SETTINGS', 'PURGING', 'REOPENING'])(
  '%s admits nobody but administrators until it has rows',
  async (code) => {
    const routines = (await platform.admin.get('masterdata', '/routine')).body;
    expect(routines.find((each: { code: string }) => each.code === code)).toMatchObject({ restricted: true });
  },
);

test('a user without any permission reads nothing but himself, and changes nothing', async () => {
  await createUser(platform.admin, { username: 'ninguem' });
  const client = await platform.as('ninguem', 'uma senha bem comprida');
  expect((await client.get('authentication', '/api/auth/me')).body).toMatchObject({ username: 'ninguem' });
  for (const path of ['/fundType/', '/history/', '/referenceChartOfAccounts/all', '/routine', '/access/1']) {
    expect((await client.get('masterdata', path)).body).toMatchObject({ status: 403, code: 'NO_PERMISSION' });
  }
  expect((await client.get('compliance', '/api/compliance/rule/list')).body).toMatchObject({ code: 'NO_PERMISSION' });
  for (const path of ['/companies', '/usercompanies', '/allbranch', '/chartOfAccounts/', '/closuressetting/all']) {
    expect((await client.get('masterdata', path)).body).toEqual([]);
  }
  const account = { chartCode: 'NOVO', cdAccounting: '1', description: 'x', accountType: 'A', nature: 'D' };
  for (const [service, path, body] of [
    ['masterdata', '/chartOfAccounts', { ...account, accountClass: '01' }],
    ['masterdata', '/company', { name: 'Minha', cnpj: '11222333000181', zipCode: '01001000' }],
    ['masterdata', '/fundType', { code: 'X', description: 'x', regulatoryPlan: 'COFI' }],
    ['masterdata', '/history', { cdHistory: 'X', description: 'x' }],
    ['reports', '/preferencias', { idUsuario: 'admin', nomeRelatorio: 'x', preferencias: {} }],
  ] as const) {
    expect((await client.post(service, path, body)).status).toBe(403);
  }
});

test('a user with the routine COMPANIES creates the first company', async () => {
  await createUser(platform.admin, { username: 'fundadora', routines: ['COMPANIES'] });
  const client = await platform.as('fundadora', 'uma senha bem comprida');
  const company = { company: 'FUNDADA', name: 'Fundada', cnpj: '11222333000181', zipCode: '01001000' };
  expect((await client.post('masterdata', '/company', company)).status).toBe(201);
  expect((await client.get('masterdata', '/companies')).body).toHaveLength(1);
});

test("the response of archiving names no other company's branch in the range", async () => {
  const [first, foreign, last] = [
    await createBank(platform.admin),
    await createBank(platform.admin),
    await createBank(platform.admin),
  ];
  await createUser(platform.admin, {
    username: 'expurga',
    permissions: [{ company: first.company }, { company: last.company }],
    routines: ['PURGING'],
  });
  const client = await platform.as('expurga', 'uma senha bem comprida');
  const purge = (useRange: boolean, selectedBranchId: number[]) =>
    client.post('movements', '/purging', {
      ...{ useRange, alternate: !useRange, selectedBranchId, yearmonth: '01/2026', doSend: true },
    });
  const { body } = await purge(true, [first.branchId, last.branchId]);
  // One for all the others, and one for each of the two own branches, which have no months.
  expect(body).toHaveLength(3);
  expect(body.join(' ')).not.toMatch(new RegExp(`\\b(${foreign.branchId}|${foreign.company})\\b`));
  expect((await purge(false, [foreign.branchId])).body).toEqual([expect.stringContaining(String(foreign.branchId))]);
});
