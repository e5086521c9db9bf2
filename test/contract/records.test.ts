import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bank, closureSettings, createBank } from '../support/banks.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { type Client, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

let platform: Platform;
let bank: Bank;
let stranger: Client;
beforeAll(async () => {
  platform = await startPlatform();
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  const other = await createBank(platform.admin);
  const user = await createUser(platform.admin, { username: 'fora', permissions: [{ company: other.company }] });
  stranger = await platform.as(user.username, user.password);
});
afterAll(() => platform?.stop());

const account = (code: string) => bank.accounts.get(code);
const md = (method: string, path: string, body?: unknown) => platform.admin.call('masterdata', method, path, body);
const tenant = () => ({ company: bank.company, branch: bank.branch });

/** The records without rules: what creates one, what a PUT changes, and what is wrong with a third body. */
const RECORDS: [string, string, string, () => object, object, object][] = [
  [
    '/history',
    '/history/',
    'id',
    () => ({ ...tenant(), cdHistory: '77', description: 'Texto {0}' }),
    { description: 'Outro' },
    { cdHistory: 'x'.repeat(6) },
  ],
  [
    '/fundType',
    '/fundType/',
    'id',
    () => ({ code: 'NOVO', description: 'Tipo', regulatoryPlan: 'COFI' }),
    { comeCotas: true },
    { regulatoryPlan: 'X' },
  ],
  [
    '/referenceChartOfAccounts',
    '/referenceChartOfAccounts/all',
    'planRef_uuid',
    () => ({ code: 'R1', name: 'Plano' }),
    { version: '2' },
    { institution: 'X' },
  ],
  [
    '/fund/settings',
    '/fund/settings/',
    'id',
    () => ({
      ...tenant(),
      fundTypeId: 1,
      cnpj: '11222333000181',
      name: 'Fundo',
      administrationFee: 1.25,
      administrator: { cnpj: '11222333000181', name: 'Adm' },
    }),
    { condominium: 'A' },
    { cnpj: '123' },
  ],
  [
    '/closuresettings',
    '/closuressetting/all',
    'id',
    () => closureSettings(bank, [6, 12]),
    { historico: 'Apuração' },
    { closingMonths: [13] },
  ],
];

describe.each(RECORDS)('%s', (path, listPath, key, body, change, wrong) => {
  test('is created, read, listed, replaced and removed', async () => {
    const created = await md('POST', path, body());
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject(body());
    const item = `${path}/${created.body[key]}`;
    expect((await md('GET', item)).body).toEqual(created.body);
    expect((await md('GET', listPath)).body).toContainEqual(created.body);
    const replaced = await md('PUT', item, { ...created.body, ...change });
    expect(replaced).toMatchObject({ status: 200, body: { ...body(), ...change } });
    expect((await md('PUT', item, { ...body(), [key]: key === 'id' ? 999_999 : crypto.randomUUID() })).body.code).toBe(
      'ID_MISMATCH',
    );
    expect(await md('POST', path, body())).toMatchObject({ status: 400, body: { code: 'DUPLICATE' } });
    expect((await md('POST', path, { ...body(), ...wrong })).body.errors).not.toEqual([]);
    expect(await md('POST', path, { ...body(), outro: 1 })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'outro' }] },
    });
    if ('company' in body()) {
      expect((await stranger.get('masterdata', item)).status).toBe(404);
      expect((await stranger.get('masterdata', listPath)).text).not.toContain(`"${bank.company}"`);
      expect((await stranger.post('masterdata', path, body())).status).toBe(403);
    }
    expect((await md('DELETE', item)).status).toBe(200);
    expect((await md('GET', item)).status).toBe(404);
  });
});

test('a fund type in use, a routine with accesses and a reference chart with accounts stay', async () => {
  const fund = await md('POST', '/fund/settings', { ...tenant(), fundTypeId: 2, cnpj: '11222333000181', name: 'F' });
  expect(await md('DELETE', '/fundType/2')).toMatchObject({ status: 400, body: { code: 'IN_USE' } });
  await md('DELETE', `/fund/settings/${fund.body.id}`);
  const { body: routine } = await md('POST', '/routine', { code: 'NOVA', name: 'Nova' });
  const access = await md('POST', '/access', { routineId: routine.id, userId: 1 });
  expect(access.status).toBe(201);
  expect((await md('GET', `/access/${routine.id}`)).body).toHaveLength(1);
  expect((await md('DELETE', `/routine/${routine.id}`)).body.code).toBe('IN_USE');
  expect((await md('PUT', `/access/${access.body.id}`, { ...access.body, canExecute: false })).body.canExecute).toBe(
    false,
  );
  expect((await md('POST', '/access', { routineId: routine.id })).status).toBe(400);
  expect((await stranger.post('masterdata', '/routine', { code: 'Y', name: 'Y' })).status).toBe(403);
  const { body: chart } = await md('POST', '/referenceChartOfAccounts', { code: 'R2', name: 'R' });
  const detail = {
    planRef_uuid: chart.planRef_uuid,
    code: '1',
    description: 'Ativo',
    validFrom: '2021-01-01',
    type: 'S',
    level: 1,
    nature: '01',
  };
  const created = await md('POST', '/referenceChartOfAccountsDetails', detail);
  expect(created).toMatchObject({ status: 201, body: detail });
  expect((await md('DELETE', `/referenceChartOfAccounts/${chart.planRef_uuid}`)).body.code).toBe('IN_USE');
  expect((await md('DELETE', `/referenceChartOfAccountsDetails/${created.body.accountRef_uuid}`)).status).toBe(200);
  expect((await md('GET', '/referenceChartOfAccounts/not-a-uuid')).status).toBe(400);
});

test('closing settings name analytic accounts of the chart, profit and loss outside of the groups', async () => {
  const body = closureSettings(bank, [12]);
  expect((await md('POST', '/closuresettings', { ...body, profitAccountId: account('7.1') })).body.code).toBe(
    'ACCOUNT_IN_CLOSING_GROUP',
  );
  expect((await md('POST', '/closuresettings', { ...body, lossAccountId: account('3') })).body.code).toBe(
    'ACCOUNT_SYNTHETIC',
  );
  expect((await md('POST', '/closuresettings', { ...body, lossAccountId: 999_999 })).body.code).toBe(
    'ACCOUNT_NOT_IN_CHART',
  );
  expect((await md('GET', `/closuressettings/company-and-branch/${bank.company}/${bank.branch}`)).status).toBe(404);
});

test('a release posts its document and entries with its data, or nothing', async () => {
  const lines = [
    { sequence: 1, debcre: 'D', contaId: account('8.1'), valueType: 'INFORMADO' },
    { sequence: 2, debcre: 'C', contaId: account('1.1.1'), valueType: 'PERCENTUAL', percentual: 60 },
    { sequence: 3, debcre: 'C', contaId: account('1.1.2'), valueType: 'PERCENTUAL', percentual: 40 },
    {
      sequence: 4,
      debcre: 'D',
      contaId: account('8.2'),
      contrapartida: account('2.1.2'),
      valueType: 'FIXO',
      valor: 10.5,
    },
  ];
  const path = `/release/${bank.company}/${bank.branch}`;
  expect(
    (
      await md('POST', path, {
        code: 'X',
        description: 'x',
        lines: [lines[3], { ...lines[0], sequence: 9, valueType: 'FIXO', valor: 1 }],
      })
    ).body.code,
  ).toBe('RELEASE_UNBALANCED');
  const open = lines.map((line) => (line.valueType === 'PERCENTUAL' ? { ...line, debcre: 'C' } : line));
  const debitSide = { sequence: 5, debcre: 'D', contaId: account('8.1'), valueType: 'PERCENTUAL', percentual: 100 };
  const created = await md('POST', path, {
    code: 'FOLHA',
    description: 'Folha',
    lines: [debitSide, open[1], open[2], open[3]],
  });
  expect(created.status).toBe(201);
  const data = {
    ...tenant(),
    code: 'FOLHA',
    year: 2026,
    month: 1,
    day: 9,
    lote: 'REL',
    status: 'LANCADO',
    valores: [{ sequence: 0, valor: 1000.01 }],
  };
  const used = await md('POST', '/releasedata/', data);
  expect(used).toMatchObject({ status: 201, body: { status: 'LANCADO', lote: 'REL' } });
  const posted = (await md('GET', `/allentry/${used.body.documentId}`)).body;
  expect(posted.map((line: { debcre: string; valor: number }) => `${line.debcre} ${line.valor}`)).toEqual([
    'D 10.5',
    'C 10.5',
    'D 1000.01',
    'C 600.01',
    'C 400',
  ]);
  expect((await md('DELETE', `/release/${created.body.id}`)).body.code).toBe('IN_USE');
  expect((await md('DELETE', `/releasedata/${used.body.id}`)).body.code).toBe('IN_USE');
  expect((await md('POST', '/releasedata/', { ...data, day: 32 })).status).toBe(400);
  expect((await md('POST', '/releasedata/', { ...data, month: 2 })).body.code).toBe('MONTH_NOT_OPEN');
  expect((await md('GET', `/releasedata/${bank.company}/${bank.branch}`)).body).toHaveLength(1);
  expect((await md('GET', `${path}/FOLHA`)).body.lines).toHaveLength(4);
});

test('closing, quota and purge of a fund from one month to the next', async () => {
  const fund = await createBank(platform.admin, { baseYearMonth: '12/2025' });
  const id = (code: string) => fund.accounts.get(code)!;
  const owner = { company: fund.company, branch: fund.branch };
  await openMonth(platform.admin, fund, '12/2025');
  const batch = (
    await platform.admin.post('movements', '/batch', { empresa: fund.company, filial: fund.branch, ano: 2025, mes: 12 })
  ).body;
  const document = (await platform.admin.post('movements', '/document', { batchId: batch.id })).body;
  const post = (debit: string, credit: string, valor: number) =>
    platform.admin.post('movements', '/entry', {
      documentId: document.id,
      debcre: 'D',
      day: '10',
      contaId: id(debit),
      contrapartida: id(credit),
      valor,
    });
  await post('1.1.1', '3.1', 1000);
  await post('1.1.1', '7.1', 50.5);
  await post('8.1', '1.1.1', 20.25);
  await md('POST', '/closuresettings', closureSettings(fund, [12]));
  await closeMonth(platform.admin, fund, '12/2025');
  const balance = async (code: string) =>
    (
      await platform.admin.post('queries', '/balanceInquiryDetails', {
        contaId: id(code),
        empresa: fund.company,
        filial: fund.branch,
        anomesini: '12/2025',
        anomesfim: '12/2025',
      })
    ).body[0];
  expect(await balance('7.1')).toMatchObject({ movcred: 50.5, movenc: 50.5, accumulatedBalance: 0 });
  expect(await balance('8.1')).toMatchObject({ movdeb: 20.25, movenc: -20.25, accumulatedBalance: 0 });
  expect(await balance('3.2')).toMatchObject({ movcred: 0, movenc: -30.25, accumulatedBalance: -30.25 });
  expect(await balance('3')).toMatchObject({ accumulatedBalance: -1030.25 });

  await openMonth(platform.admin, fund, '01/2026');
  const quotaPath = `/taxquotacalculation/${fund.company}/${fund.branch}`;
  expect((await platform.admin.get('movements', quotaPath)).body.code).toBe('QUOTA_NOT_CONFIGURED');
  expect(
    await md('POST', '/quotacalculation/', { ...owner, netEquityAccountId: id('3'), numberOfQuotas: 300 }),
  ).toMatchObject({ status: 201, body: { numberOfQuotas: 300, quotaDecimals: 8 } });
  const preview = await platform.admin.get('movements', quotaPath);
  expect(preview.status).toBe(302);
  expect(preview.headers.get('location')).toBeNull();
  expect(preview.body).toEqual(['02/01/2026', '3.43416666', '1030.25', '300.00000000']);
  expect((await md('GET', quotaPath)).status).toBe(404);
  expect(await platform.admin.get('movements', `${quotaPath}?confirmed=true`)).toMatchObject({
    status: 200,
    body: preview.body,
  });
  expect((await platform.admin.get('movements', `${quotaPath}?confirmed=true`)).body).toEqual(preview.body);
  expect((await md('GET', quotaPath)).body).toMatchObject({
    quotaValue: '3.43416666',
    netEquity: 1030.25,
    confirmed: true,
  });

  const purge = (doSend: boolean, more: object = {}) =>
    platform.admin.post('movements', '/purging', {
      useRange: false,
      alternate: true,
      selectedBranchId: [fund.branchId],
      yearmonth: '12/2025',
      doSend,
      ...more,
    });
  const before = (await platform.admin.get('movements', `/allentry/${document.id}`)).body;
  expect((await purge(true, { yearmonth: '01/2026' })).body).toEqual([expect.stringContaining('01/2026')]);
  expect((await purge(true, { alternate: false })).body).toHaveLength(1);
  expect((await purge(true, { selectedBranchId: [999_999] })).body).toHaveLength(1);
  expect((await purge(true)).body).toEqual([]);
  expect((await platform.admin.get('movements', `/document/${document.id}`)).status).toBe(404);
  expect((await platform.admin.get('movements', `/batch/${batch.id}`)).status).toBe(404);
  expect((await platform.admin.get('movements', `/batch/${batch.id}?history=true`)).body).toEqual(batch);
  expect((await platform.admin.get('movements', `/alldocument/${batch.id}?history=true`)).body).toEqual([document]);
  expect((await platform.admin.get('movements', `/allentry/${document.id}?history=true`)).body).toEqual(before);
  expect((await platform.admin.get('movements', `/document/${document.id}?history=true`)).body).toEqual(document);
  const purged = (path: string, query: string) =>
    platform.admin.get('movements', `${path}/page?history=true&${query}`).then(({ body }) => body);
  const branchPath = `/allbatch/${fund.company}/${fund.branch}`;
  const batches = (await platform.admin.get('movements', `${branchPath}?history=true`)).body;
  expect(batches).toHaveLength(2);
  expect(batches).toContainEqual(batch);
  expect((await platform.admin.get('movements', branchPath)).body).toEqual([]);
  expect(await purged(branchPath, 'size=1&page=1&sort=id')).toMatchObject({ totalElements: 2, content: [{}] });
  expect(await purged(`/alldocument/${batch.id}`, 'sort=documento,desc')).toMatchObject({
    totalElements: 1,
    content: [document],
  });
  const [firstLine] = before;
  expect(await purged(`/allentry/${document.id}`, 'size=2')).toMatchObject({
    totalElements: before.length,
    logicalEntryCount: new Set(before.map((line: { lancamento: string }) => line.lancamento)).size,
    content: [firstLine],
  });
  expect((await platform.admin.get('movements', `/alldocument/${batch.id}/page`)).status).toBe(404);
  for (const path of [
    `/batch/${batch.id}`,
    `/document/${document.id}`,
    `/alldocument/${batch.id}/page`,
    `/allentry/${document.id}/page`,
  ]) {
    expect((await stranger.get('movements', `${path}?history=true`)).status, path).toBe(404);
  }
  expect((await stranger.get('movements', `${branchPath}?history=true`)).status).toBe(403);
  expect((await platform.admin.get('movements', `/purging/${fund.company}/${fund.branch}`)).body).toEqual([
    { month: '12/2025', batches: 2, documents: 2, lines: 12 },
  ]);
  expect(await balance('1.1.1')).toMatchObject({ accumulatedBalance: 1030.25 });
  expect(
    (
      await platform.admin.post('movements', `/monthOpening/${fund.company}/${fund.branch}`, {
        newyearmonth: '12/2025',
      })
    ).body.code,
  ).toBe('MONTH_PURGED');
  expect((await purge(false)).body).toEqual([]);
  expect((await platform.admin.get('movements', `/allentry/${document.id}`)).body).toEqual(before);

  await openMonth(platform.admin, fund, '12/2025');
  expect(await balance('7.1')).toMatchObject({ movenc: 0, accumulatedBalance: -50.5 });
  expect((await platform.admin.get('movements', `/allbatch/${fund.company}/${fund.branch}`)).body).toHaveLength(1);
});
