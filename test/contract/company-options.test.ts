import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBank } from '../support/banks.ts';
import { openMonth } from '../support/months.ts';
import { type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

let platform: Platform;
let admin: Client;
beforeAll(async () => {
  platform = await startPlatform();
  admin = platform.admin;
});
afterAll(() => platform?.stop());

async function bareBranch(): Promise<{ company: string; branch: string }> {
  const company = await admin.post('masterdata', '/company', {
    ...{ name: 'Sem opções', cnpj: '11222333000181', zipCode: '01001000' },
  });
  await admin.post('masterdata', '/branch', { company: company.body.company, branch: '0001', name: 'Matriz' });
  return { company: company.body.company, branch: '0001' };
}

test('options are created with their defaults, read, listed, changed and deleted', async () => {
  const place = await bareBranch();
  const body = { ...place, chartCode: 'NOVO', baseYearMonth: '02/2026' };
  const made = await admin.post('masterdata', '/company/options', body);
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({
    ...body,
    accountMask: null,
    regulatoryLayout: 'NONE',
    planRef_uuid: null,
    fiscalYearEndMonth: 12,
    currency: 'BRL',
    historyRequired: false,
    nextBatchNumber: null,
    signatories: [],
  });
  const { id } = made.body;
  expect((await admin.get('masterdata', `/company/options/${id}`)).body).toEqual(made.body);
  const byCodes = `/company/options/company/${place.company}/${place.branch}`;
  expect((await admin.get('masterdata', byCodes)).body).toEqual(made.body);
  expect((await admin.get('masterdata', '/company/options/')).body).toContainEqual(made.body);
  const signatories = [
    { name: 'Maria', cpf: '123.456.789-09', role: 'Contadora', crc: '1SP1', ufCrc: 'SP', legalResponsible: true },
  ];
  const put = await admin.call('masterdata', 'PUT', `/company/options/${id}`, {
    ...made.body,
    baseYearMonth: '03/2026',
    chartCode: 'MAIS NOVO',
    signatories,
    historyRequired: true,
  });
  expect(put.body).toMatchObject({ id, baseYearMonth: '03/2026', chartCode: 'MAIS NOVO', historyRequired: true });
  expect(put.body.signatories).toEqual([{ ...signatories[0], cpf: '12345678909', email: null }]);
  expect((await admin.post('masterdata', '/company/options', body)).body).toMatchObject({
    status: 400,
    code: 'DUPLICATE',
  });
  expect((await admin.call('masterdata', 'DELETE', `/company/options/${id}`)).status).toBe(200);
  expect((await admin.get('masterdata', `/company/options/${id}`)).status).toBe(404);
  expect((await admin.get('masterdata', byCodes)).status).toBe(404);
});

test.each([
  ['month', { baseYearMonth: '13/2026' }, 'baseYearMonth'],
  ['month shape', { baseYearMonth: '2026-01' }, 'baseYearMonth'],
  ['missing chart', { chartCode: undefined }, 'chartCode'],
  ['mask', { accountMask: 'x.x' }, 'accountMask'],
  ['layout', { regulatoryLayout: 'BACEN' }, 'regulatoryLayout'],
  ['fiscal year', { fiscalYearEndMonth: 13 }, 'fiscalYearEndMonth'],
  ['currency', { currency: 'real' }, 'currency'],
  ['signatory', { signatories: [{ nome: 'Maria' }] }, 'signatories.0.nome'],
  ['unknown', { mask: '9' }, 'mask'],
])('%s: 400 naming the field', async (_name, more, field) => {
  const place = await bareBranch();
  const answer = await admin.post('masterdata', '/company/options', {
    ...{ ...place, chartCode: 'NOVO', baseYearMonth: '01/2026' },
    ...more,
  });
  expect(answer.status).toBe(400);
  expect(answer.body.errors.map((each: { field: string }) => each.field)).toContain(field);
  expect((await admin.get('masterdata', `/company/options/company/${place.company}/0001`)).status).toBe(404);
});

test('name a reference chart that exists', async () => {
  const planRef_uuid = '00000000-0000-4000-8000-000000000000';
  const body = { ...(await bareBranch()), chartCode: 'REF', baseYearMonth: '01/2026', planRef_uuid };
  const answer = await admin.post('masterdata', '/company/options', body);
  expect(answer.body).toMatchObject({ status: 404, errors: [{ field: 'planRef_uuid' }] });
});

test('options of the same branch at once: one 201, one 400', async () => {
  const place = await bareBranch();
  const body = { ...place, chartCode: 'JUNTO', baseYearMonth: '01/2026' };
  const answers = await Promise.all([1, 2].map(() => admin.post('masterdata', '/company/options', body)));
  expect(answers.map((each) => each.status).sort()).toEqual([201, 400]);
});

test('chart and base month stay once a month is open, the chart once there are base balances', async () => {
  const bank = await createBank(admin);
  const { body: options } = await admin.get('masterdata', `/company/options/company/${bank.company}/${bank.branch}`);
  const put = (more: object) =>
    admin.call('masterdata', 'PUT', `/company/options/${options.id}`, { ...options, ...more });
  await admin.call('masterdata', 'PUT', `/baseBalance/${bank.company}/${bank.branch}`, [
    { cdAccounting: '1.1.1', balance: 1, dc: 'D' },
    { cdAccounting: '3.1', balance: 1, dc: 'C' },
  ]);
  expect((await put({ chartCode: 'OUTRO' })).body).toMatchObject({ status: 400, code: 'OPTIONS_FROZEN' });
  expect((await put({ baseYearMonth: '02/2026' })).status).toBe(200);
  expect((await put({ baseYearMonth: '01/2026' })).status).toBe(200);
  await openMonth(admin, bank, '01/2026');
  expect((await put({ baseYearMonth: '02/2026' })).body).toMatchObject({ status: 400, code: 'OPTIONS_FROZEN' });
  expect((await put({ branch: '0009' })).body).toMatchObject({ status: 400, errors: [{ field: 'branch' }] });
  expect((await put({ historyRequired: true })).body).toMatchObject({ historyRequired: true });
  const refused = await admin.call('masterdata', 'DELETE', `/company/options/${options.id}`);
  expect(refused.body).toMatchObject({ status: 400, code: 'IN_USE' });
});

test('a mask must fit the accounts that the chart has', async () => {
  const bank = await createBank(admin);
  const { body: options } = await admin.get('masterdata', `/company/options/company/${bank.company}/${bank.branch}`);
  const put = (accountMask: string) =>
    admin.call('masterdata', 'PUT', `/company/options/${options.id}`, { ...options, accountMask });
  expect((await put('9.9.9')).status).toBe(200);
  expect((await put('9.99')).body).toMatchObject({ status: 400, code: 'ACCOUNT_BREAKS_MASK' });
});

test('name only a chart that the caller sees, or a new one', async () => {
  const bank = await createBank(admin);
  const own = await createBank(admin);
  const { username, password } = await createUser(admin, {
    username: 'edu',
    permissions: [{ company: own.company }],
    routines: ['COMPANIES', 'SETTINGS'],
  });
  const edu = await platform.as(username, password);
  const branch = async (code: string) =>
    edu.post('masterdata', '/branch', { company: own.company, branch: code, name: code });
  for (const code of ['2', '3', '4']) await branch(code);
  const options = (code: string, chartCode: string) =>
    edu.post('masterdata', '/company/options', {
      company: own.company,
      branch: code,
      chartCode,
      baseYearMonth: '01/2026',
    });
  expect((await options('2', bank.chartCode)).body).toMatchObject({ status: 403, code: 'CHART_DENIED' });
  expect((await options('3', own.chartCode)).status).toBe(201);
  expect((await options('4', 'DOEDU')).status).toBe(201);
  const foreign = { company: bank.company, branch: bank.branch, chartCode: 'DOEDU', baseYearMonth: '01/2026' };
  expect((await edu.post('masterdata', '/company/options', foreign)).status).toBe(403);
  expect((await edu.get('masterdata', `/company/options/company/${bank.company}/${bank.branch}`)).status).toBe(403);
  expect((await edu.get('masterdata', '/company/options/company/NADA/1')).status).toBe(404);
  const listed = (await edu.get('masterdata', '/company/options/')).body;
  expect(new Set(listed.map((each: { company: string }) => each.company))).toEqual(new Set([own.company]));
});
