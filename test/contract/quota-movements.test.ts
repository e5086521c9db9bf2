import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { calculate, closeDay, configureFund, createFund, type Fund, move } from '../support/funds.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

// Movements of quotas, what is wrong with them and with calculations, and the quotas of many funds at once.

let platform: Platform;
const client = () => platform.admin;

beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

const movementsOf = async ({ company, branch }: Fund) =>
  bodyOf(client().get('masterdata', `/quotaMovement/${company}/${branch}?from=2025-01-01&to=2030-12-31`));

test('a movement is created, read, listed, replaced and removed; what it posted goes with it', async () => {
  const fund = await createFund(client());
  const { company, branch, accounts } = fund;
  const line = { sequence: 1, debcre: 'D', contaId: accounts.get('1.1.1'), contrapartida: accounts.get('3.1') };
  const template = { description: 'Aplicação', lines: [{ ...line, valueType: 'INFORMADO' }] };
  await bodyOf(
    client().post('masterdata', `/release/${company}/${branch}`, { company, branch, code: 'APL', ...template }),
  );
  await configureFund(client(), fund, { numberOfQuotas: 100, subscriptionTemplate: 'APL' });
  const created = await move(client(), fund, { date: '2026-01-02', kind: 'SUBSCRIPTION', amount: 500 });
  expect([created.status, created.body.amount, created.body.quotas]).toEqual([201, 500, null]);
  // Its amount is in the books: 1,500.00 for 100 quotas and the 50 that 500.00 are worth.
  const preview = async () => (await calculate(client(), fund, { date: '2026-01-02' })).body[0];
  expect(await preview()).toMatchObject({ netEquity: 1500, numberOfQuotas: '150.00000000', quotaValue: '10.00000000' });
  const path = `/quotaMovement/${created.body.id}`;
  const changed = await client().call('masterdata', 'PUT', path, { ...created.body, amount: 250 });
  expect([changed.status, changed.body.amount]).toEqual([200, 250]);
  expect(await preview()).toMatchObject({ netEquity: 1250, numberOfQuotas: '125.00000000' });
  expect((await client().get('masterdata', path)).body).toEqual(changed.body);
  expect(await movementsOf(fund)).toMatchObject([{ kind: 'INITIAL', quotas: 100 }, { kind: 'SUBSCRIPTION' }]);
  const inUse = await client().get('masterdata', `/release/${company}/${branch}/APL`);
  const refused = await client().call('masterdata', 'DELETE', `/release/${inUse.body.id}`);
  expect(refused.status).toBe(400);
  const foreign = await createBank(client());
  const other = await createUser(client(), { username: 'cotista', permissions: [{ company: foreign.company }] });
  const stranger = await platform.as(other.username, other.password);
  expect((await stranger.get('masterdata', path)).status).toBe(404);
  expect((await stranger.call('masterdata', 'DELETE', path)).status).toBe(404);
  expect((await client().call('masterdata', 'DELETE', path)).status).toBe(200);
  expect(await preview()).toMatchObject({ netEquity: 1000, numberOfQuotas: '100.00000000' });
});

test('a redemption gets the quota of its own day, business days after it was asked for', async () => {
  const fund = await createFund(client(), {}, { redemptionDays: 2 });
  // Friday the 2nd: Monday and Tuesday are the business days after it.
  const asked = await move(client(), fund, { requestDate: '2026-01-02', kind: 'REDEMPTION', amount: 100 });
  expect(asked.body).toMatchObject({ requestDate: '2026-01-02', date: '2026-01-06' });
  const again = await client().call('masterdata', 'PUT', `/quotaMovement/${asked.body.id}`, asked.body);
  expect(again.body.date).toBe('2026-01-06');
  const other = await move(client(), fund, {
    requestDate: '2026-01-02',
    date: '2026-01-05',
    kind: 'REDEMPTION',
    amount: 1,
  });
  expect(other.body).toMatchObject({ status: 400, code: 'INVALID_FIELD', errors: [{ field: 'date' }] });
});

test('a file adds all its movements or none', async () => {
  const fund = await createFund(client());
  const path = `/quotaMovement/${fund.company}/${fund.branch}/import`;
  const send = (rows: string) => {
    const form = new FormData();
    form.set('file', new Blob([`data;tipo;valor;cotas;cotistas\n${rows}`]), 'cotas.csv');
    return client().post('masterdata', path, form);
  };
  const wrong = await send(
    '02/01/2026;SUBSCRIPTION;1.000,00;;2\n02/01/2026;COME_COTAS;1,00;;\n03/01/2026;REDEMPTION;1;;\n',
  );
  expect(wrong.body).toMatchObject({ success: false, totalRows: 3, errorRows: 2 });
  expect(wrong.body.problems.map((each: { row: number; code: string }) => [each.row, each.code])).toEqual([
    [3, 'COME_COTAS_MONTH'],
    [4, 'INVALID_FIELD'],
  ]);
  expect(await movementsOf(fund)).toHaveLength(1);
  const right = await send('02/01/2026;SUBSCRIPTION;1.000,00;;2\n05/01/2026;REDEMPTION;500,00;12,5;\n');
  expect(right.body).toMatchObject({ success: true, totalRows: 2 });
  expect(await movementsOf(fund)).toMatchObject([
    { kind: 'INITIAL' },
    { date: '2026-01-02', amount: 1000, quotas: null, holders: 2 },
    { date: '2026-01-05', amount: 500, quotas: -12.5 },
  ]);
});

const RANGE = { from: '2026-01-01', to: '2026-01-31' };
const WRONG_CALCULATIONS: [string, string, object, string][] = [
  ['before the base', '', { date: '2025-12-31' }, 'BEFORE_BASE_MONTH'],
  ['in a month that is not opened', '', { date: '2026-02-02' }, 'MONTH_NOT_OPEN'],
  ['behind an open day', '', { date: '2026-01-05', confirmed: true }, 'QUOTA_DAYS_OPEN'],
  ['a range backwards', '', { from: '2026-01-05', to: '2026-01-02' }, 'INVALID_DATE_RANGE'],
  ['a day and a range', '', { date: '2026-01-02', ...RANGE }, 'ONE_OF_FIELDS'],
  ['nothing', '', {}, 'ONE_OF_FIELDS'],
  ['half a range', '', { from: '2026-01-02' }, 'MISSING_VALUE'],
  ['a hundred years', '', { from: '1970-01-01', to: '2070-01-01', confirmed: true }, 'BEFORE_BASE_MONTH'],
  ['a hundred years to come', '', { from: '2026-01-01', to: '2126-01-01' }, 'MONTH_NOT_OPEN'],
  ['a day that does not exist', '', { date: '2026-02-30' }, 'INVALID_FIELD'],
  ['reprocessing without quotas', '/reprocess', { ...RANGE, reason: 'Teste' }, 'NO_QUOTA_TO_REPROCESS'],
  ['reprocessing backwards', '/reprocess', { from: '2026-01-02', to: '2026-01-01', reason: 'T' }, 'INVALID_DATE_RANGE'],
  ['reprocessing without a reason', '/reprocess', { ...RANGE, reason: '  ' }, 'INVALID_FIELD'],
];

test.each(WRONG_CALCULATIONS)(
  'calculating %s is rejected with the reason, and nothing is stored',
  async (_, way, body, code) => {
    const fund = await createFund(client());
    const answer = await client().post('masterdata', `${fund.quotas}${way}`, body);
    expect(answer.body).toMatchObject({ status: 400, code });
    expect(await bodyOf(client().get('masterdata', `${fund.quotas}?from=1900-01-01&to=2200-01-01`))).toEqual([]);
  },
);

const WRONG_MOVEMENTS: [string, object, string][] = [
  ['before the base', { date: '2025-12-30', kind: 'ADJUSTMENT', quotas: 1 }, 'BEFORE_BASE_MONTH'],
  ['of no quotas', { date: '2026-01-02', kind: 'ADJUSTMENT', quotas: 0 }, 'NO_QUOTAS'],
  ['of no amount', { date: '2026-01-02', kind: 'SUBSCRIPTION', amount: 0 }, 'AMOUNT_NOT_POSITIVE'],
  ['of a negative amount', { date: '2026-01-02', kind: 'REDEMPTION', amount: -1 }, 'AMOUNT_NOT_POSITIVE'],
  [
    'above the balance',
    { date: '2026-01-02', kind: 'REDEMPTION', amount: 1, quotas: 100.5 },
    'REDEMPTION_ABOVE_BALANCE',
  ],
  ['of the first quotas again', { date: '2026-01-02', kind: 'INITIAL', quotas: 5 }, 'INITIAL_QUOTAS_TWICE'],
  ['of come-cotas in January', { date: '2026-01-02', kind: 'COME_COTAS', quotas: 5 }, 'COME_COTAS_MONTH'],
  ['on a Saturday', { date: '2026-01-03', kind: 'SUBSCRIPTION', amount: 1 }, 'INVALID_FIELD'],
  ['without a day', { kind: 'SUBSCRIPTION', amount: 1 }, 'MISSING_VALUE'],
  ['without an amount', { date: '2026-01-02', kind: 'SUBSCRIPTION', quotas: 1 }, 'MISSING_VALUE'],
  ['of an amortization in quotas', { date: '2026-01-02', kind: 'AMORTIZATION', amount: 1, quotas: 1 }, 'INVALID_FIELD'],
  ['of an adjustment in money', { date: '2026-01-02', kind: 'ADJUSTMENT', quotas: 1, amount: 1 }, 'INVALID_FIELD'],
  ['of another kind', { date: '2026-01-02', kind: 'LOAN', quotas: 1 }, 'INVALID_FIELD'],
  ['of too many digits', { date: '2026-01-02', kind: 'ADJUSTMENT', quotas: 1e-13 }, 'INVALID_FIELD'],
];

test.each(WRONG_MOVEMENTS)(
  'a movement %s is rejected with the reason, and nothing is stored',
  async (_, movement, code) => {
    const fund = await createFund(client());
    expect((await move(client(), fund, movement)).body).toMatchObject({ status: 400, code });
    expect(await movementsOf(fund)).toHaveLength(1);
  },
);

test('a closed day takes no movement, a come-cotas comes once, and a fund without equity has no quota', async () => {
  const fund = await createFund(client(), { baseYearMonth: '05/2026' });
  expect((await move(client(), fund, { date: '2026-05-29', kind: 'COME_COTAS', amount: 5 })).status).toBe(201);
  const twice = await move(client(), fund, { date: '2026-05-28', kind: 'COME_COTAS', quotas: 5 });
  expect(twice.body).toMatchObject({ status: 400, code: 'COME_COTAS_TWICE' });
  await closeDay(client(), fund);
  const closed = await move(client(), fund, { date: '2026-05-04', kind: 'SUBSCRIPTION', amount: 5 });
  expect(closed.body).toMatchObject({ status: 400, code: 'DAY_CLOSED', errors: [{ field: 'date' }] });
  await post(client(), fund, book`05/05 8.1 D 2.000,00 1.1.1`);
  const negative = await calculate(client(), fund, { date: '2026-05-05', confirmed: true });
  expect(negative.body).toMatchObject({ status: 400, code: 'NET_EQUITY_OF_DAY' });
  expect(await bodyOf(client().get('masterdata', `${fund.quotas}?from=2026-01-01&to=2026-12-31`))).toEqual([]);
});

test('two calculations of a day at once store one quota and answer the same', async () => {
  const fund = await createFund(client());
  const confirm = () => calculate(client(), fund, { date: '2026-01-02', confirmed: true });
  const answers = await Promise.all([confirm(), confirm(), confirm(), confirm()]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const all = await bodyOf(client().get('masterdata', `${fund.quotas}?from=2026-01-01&to=2026-12-31&replaced=true`));
  expect(all).toHaveLength(1);
});

test('the quotas of a day of many funds are one job; one that fails is named with its reason and stops no other', async () => {
  const first = await createFund(client());
  const company = { company: first.company, existing: true, accounts: [], chartCode: first.chartCode };
  const second = await createFund(client(), { ...company, branch: '0002' });
  const third = await createFund(client(), { ...company, branch: '0003' });
  await post(client(), second, book`02/01 8.1 D 5.000,00 1.1.1`);
  const ended = async (id: number) => {
    for (;;) {
      const run = await bodyOf(client().get('masterdata', `/quotaRun/${id}`));
      if (run.status === 'DONE' || run.status === 'ERROR') return run;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const body = { company: first.company, date: '2026-01-02', confirmed: true };
  const [started] = await bodyOf(client().post('masterdata', '/quotaRun', body));
  expect(await ended(started.id)).toMatchObject({
    ...{ status: 'DONE', funds: 3, done: 3, calculated: 2, kept: 0, failed: 1 },
    failures: [{ branch: '0002', code: 'NET_EQUITY_OF_DAY', message: expect.stringContaining('-4,000.00') }],
  });
  const statuses = async (fund: Fund) =>
    (await bodyOf(client().get('masterdata', `${fund.quotas}?from=2026-01-02&to=2026-01-02`))).length;
  expect([await statuses(first), await statuses(second), await statuses(third)]).toEqual([1, 0, 1]);
  const [again] = await bodyOf(client().post('masterdata', '/quotaRun', body));
  expect(await ended(again.id)).toMatchObject({ calculated: 0, kept: 2, failed: 1 });
  // Who reaches a branch alone does not learn of the others; an administrator has a job for each company.
  const user = await createUser(client(), {
    username: 'gestor',
    permissions: [{ company: first.company, branch: '0001' }],
  });
  const manager = await platform.as(user.username, user.password);
  expect((await manager.post('masterdata', '/quotaRun', body)).status).toBe(403);
  expect((await manager.get('masterdata', `/quotaRun/${again.id}`)).status).toBe(404);
  const runs = await bodyOf(client().post('masterdata', '/quotaRun', { date: '2026-01-02' }));
  expect(runs.length).toBeGreaterThan(3);
  for (const { id } of runs) expect((await ended(id)).status).toBe('DONE');
});
