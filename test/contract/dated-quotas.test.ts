import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { closeMonth, openMonth, REOPENING } from '../support/months.ts';
import { ADMIN, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

// A quota belongs to the equity of one day, a number of quotas holds from its day on, a closed month is opened again only
// with a reason.

let platform: Platform;
let fund: Bank;
let paths: { opening: string; quota: string };
/** The day that the installation takes for today. */
let today = new Date('2026-02-10T12:00:00Z');

beforeAll(async () => {
  platform = await startPlatform({}, { now: () => today });
});
afterAll(() => platform?.stop());

/** January closed with an equity of 1,000.00, February open, 100 quotas. */
async function createFund(): Promise<void> {
  fund = await createBank(platform.admin);
  const place = `${fund.company}/${fund.branch}`;
  paths = { opening: `/monthOpening/${place}`, quota: `/taxquotacalculation/${place}` };
  await openMonth(platform.admin, fund, '01/2026');
  await post(platform.admin, fund, book`05/01 1.1.1 D 1.000,00 3.1`);
  await closeMonth(platform.admin, fund, '01/2026');
  await openMonth(platform.admin, fund, '02/2026');
  await configure(100);
}

async function configure(numberOfQuotas: number, admin = platform.admin): Promise<void> {
  const { company, branch } = fund;
  const settings = { company, branch, netEquityAccountId: fund.accounts.get('3'), numberOfQuotas };
  const { status, body } = await admin.post('masterdata', '/quotacalculation/', settings);
  expect(status).toBe(201);
  expect(body.numberOfQuotas).toBe(numberOfQuotas);
}

const confirm = () => platform.admin.get('movements', `${paths.quota}?confirmed=true`);
const preview = () => platform.admin.get('movements', paths.quota);
const stored = async () => (await platform.admin.get('masterdata', paths.quota)).body;
const reopen = (more: object) => platform.admin.post('movements', paths.opening, { newyearmonth: '01/2026', ...more });
const shownInJanuary = async () => {
  const path = `/api/v1/saldos/plsaldos?empresa=${fund.company}&filial=${fund.branch}`;
  const { body } = await platform.admin.get('reports', path);
  return body.conteudo.content.find((each: { mes: number }) => each.mes === 1).valorCota;
};

test('another number of quotas holds from today on and changes no figure of an earlier day', async () => {
  await createFund();
  const before = await preview();
  expect(before.body).toEqual(['02/02/2026', '10.00000000', '1000.00', '100.00000000']);
  await configure(250);
  expect((await preview()).body).toEqual(before.body);
  // In March the quota divides the equity of February's last day, which the new number has reached.
  await closeMonth(platform.admin, fund, '02/2026');
  await openMonth(platform.admin, fund, '03/2026');
  expect((await preview()).body).toEqual(['02/03/2026', '4.00000000', '1000.00', '250.00000000']);
  await configure(50.5);
  expect((await preview()).body[3]).toBe('50.50000000');
});

test('a quota carries the day whose equity it divides', async () => {
  await createFund();
  expect((await confirm()).status).toBe(200);
  expect(await stored()).toMatchObject({
    calculationDate: '02/02/2026',
    referenceDate: '31/01/2026',
    quotaValue: '10.00000000',
    status: 'CONFIRMED',
  });
  expect(await shownInJanuary()).toBe(10);
});

test('reopening needs a reason, and a confirmation where quotas depend on the month; they become stale', async () => {
  await createFund();
  await confirm();
  expect((await reopen({})).body).toMatchObject({ status: 400, code: 'REASON_REQUIRED' });
  expect((await reopen({ reason: '  ' })).status).toBe(400);
  const refused = await reopen({ reason: 'Juros esquecidos' });
  expect(refused.body).toMatchObject({ status: 400, code: 'CONFIRMATION_REQUIRED' });
  expect(refused.body.detail).toContain('02/02/2026');
  expect(await stored()).toMatchObject({ status: 'CONFIRMED' });
  expect((await reopen({ reason: 'Juros esquecidos', confirmed: true })).status).toBe(201);
  expect(await stored()).toMatchObject({ status: 'STALE', quotaValue: '10.00000000' });
  expect(await shownInJanuary()).toBeNull();
  expect((await platform.admin.get('masterdata', `${paths.opening}/reopenings`)).body).toMatchObject([
    { yearmonth: '01/2026', reason: 'Juros esquecidos', reopenedBy: 'admin' },
  ]);
});

test('a month that cannot be opened says which may be, and which may be opened again', async () => {
  const branch = await createBank(platform.admin, { baseYearMonth: '03/2026' });
  const refusalOf = async ({ company, branch: code }: { company: string; branch: string }) => {
    const path = `/monthOpening/${company}/${code}`;
    const inPortuguese = { 'accept-language': 'pt-BR' };
    const { body } = await platform.admin.post('movements', path, { newyearmonth: '05/2026' }, inPortuguese);
    return [body.code, body.detail];
  };
  expect(await refusalOf(branch)).toEqual([
    'MONTH_NOT_NEXT',
    'O mês 05/2026 não pode ser aberto; o próximo a abrir é 03/2026',
  ]);
  await createFund();
  expect(await refusalOf(fund)).toEqual([
    'MONTH_NOT_NEXT',
    'O mês 05/2026 não pode ser aberto; o próximo a abrir é 03/2026 e só 01/2026 pode ser reaberto',
  ]);
});

test('closed again with the same equity the quota agrees again, with another it stays stale', async () => {
  await createFund();
  await confirm();
  await reopen(REOPENING);
  await closeMonth(platform.admin, fund, '01/2026');
  expect(await stored()).toMatchObject({ status: 'CONFIRMED' });
  expect(await shownInJanuary()).toBe(10);
  await reopen(REOPENING);
  await post(platform.admin, fund, book`06/01 1.1.1 D 0,01 3.1`);
  await closeMonth(platform.admin, fund, '01/2026');
  expect(await stored()).toMatchObject({ status: 'STALE', netEquity: 1000 });
  expect(await shownInJanuary()).toBeNull();
  // Another reopening has nothing to confirm: no quota that agrees is left.
  expect((await reopen({ reason: 'De novo' })).status).toBe(201);
});

test('who may open months may not open consolidated ones again without the routine', async () => {
  await createFund();
  await createUser(platform.admin, { username: 'abridor', permissions: [{ company: fund.company }] });
  const client = await platform.as('abridor', 'uma senha bem comprida');
  const again = await client.post('movements', paths.opening, { newyearmonth: '01/2026', ...REOPENING });
  expect(again.body).toMatchObject({ status: 403, code: 'ROUTINE_DENIED' });
  expect((await client.post('movements', paths.opening, { newyearmonth: '03/2026' })).status).toBe(201);
});

test('the present day is that of São Paulo', async () => {
  await createFund();
  // In London it is the 1st of February already: the adjustment is January's, whose equity it divides.
  today = new Date('2026-02-01T01:00:00Z');
  // Signed in on that day: a token of the future does not count.
  await configure(200, await platform.as(ADMIN.username, ADMIN.password));
  today = new Date('2026-02-10T12:00:00Z');
  expect((await preview()).body[3]).toBe('200.00000000');
});

test('a quota is confirmed as it was seen, by POST, and the list shows each beside the one before it', async () => {
  await createFund();
  const post = (body: object, headers = {}) => platform.admin.post('movements', paths.quota, body, headers);
  const list = async (query = '') => (await platform.admin.get('masterdata', `${paths.quota}/list${query}`)).body;
  const previewed = async () => (await platform.admin.get('movements', `${paths.quota}/preview`)).body;
  expect(await list()).toEqual([]);
  const first = {
    company: fund.company,
    branch: fund.branch,
    calculationDate: '02/02/2026',
    referenceDate: '31/01/2026',
    quotaValue: '10.00000000',
    netEquity: 1000,
    numberOfQuotas: '100.00000000',
    previousQuotaValue: null,
    variation: null,
  };
  expect(await previewed()).toEqual({ ...first, previousDate: null, confirmed: false });
  const shown = ['02/02/2026', '10.00000000', '1000.00', '100.00000000'];
  const refused = [
    [{ quotaValue: '9.99999999' }, 'QUOTA_CHANGED', 'quotaValue'],
    [{ day: '2026-02-03' }, 'NOT_CURRENT_DAY', 'day'],
    [{ day: '2026-02-31' }, 'INVALID_FIELD', 'day'],
    [{ confirmed: true }, 'UNKNOWN_FIELD', 'confirmed'],
  ] as const;
  for (const [body, code, field] of refused) {
    const answer = await post(body);
    expect([answer.status, answer.body.code, answer.body.errors[0].field]).toEqual([400, code, field]);
  }
  expect(await list()).toEqual([]);
  const key = { 'idempotency-key': 'cota' };
  expect((await post({ day: '2026-02-02', quotaValue: '10.00000000' }, key)).body).toEqual(shown);
  expect((await post({ day: '2026-02-02', quotaValue: '10.00000000' }, key)).body).toEqual(shown);
  expect((await post({})).body).toEqual(shown);
  expect(await previewed()).toMatchObject({ ...first, confirmed: true });

  await platform.admin.post('movements', `/calendar/closeday/${fund.company}/${fund.branch}`, {});
  await configure(80);
  await closeMonth(platform.admin, fund, '02/2026');
  await openMonth(platform.admin, fund, '03/2026');
  expect(await previewed()).toMatchObject({
    calculationDate: '02/03/2026',
    quotaValue: '12.50000000',
    previousQuotaValue: '10.00000000',
    previousDate: '02/02/2026',
    variation: '25.00000000',
    confirmed: false,
  });
  await post({});
  const days = (found: { calculationDate: string; variation: string | null }[]) =>
    found.map(({ calculationDate, variation }) => [calculationDate, variation]);
  expect(days(await list())).toEqual([
    ['02/03/2026', '25.00000000'],
    ['02/02/2026', null],
  ]);
  expect(days(await list('?from=2026-02-03'))).toEqual([['02/03/2026', '25.00000000']]);
  expect(days(await list('?to=2026-02-28'))).toEqual([['02/02/2026', null]]);
  const wrong = await platform.admin.get('masterdata', `${paths.quota}/list?from=2026-03-01&to=2026-02-01`);
  expect([wrong.status, wrong.body.errors[0].field]).toEqual([400, 'from']);
});
