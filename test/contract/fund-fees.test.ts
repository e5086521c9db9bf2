import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bank, createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { closeMonth, openMonth, REOPENING } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';
import { createUser } from '../support/users.ts';

// Administration and performance fees of a fund: settings, preview, posting day by day, reversal. The figures are computed by
// hand beside each.

let platform: Platform;
let fund: Bank;
let place: string;

beforeAll(async () => {
  platform = await startPlatform({}, { now: () => new Date('2026-02-10T12:00:00Z') });
});
afterAll(() => platform?.stop());

/** 1,000,000.00 on 2 January, a million quotas, a template for each fee. */
async function createFund(): Promise<void> {
  fund = await createBank(platform.admin);
  place = `${fund.company}/${fund.branch}`;
  await openMonth(platform.admin, fund, '01/2026');
  await post(platform.admin, fund, book`02/01 1.1.1 D 1.000.000,00 3.1`);
  const netEquityAccountId = fund.accounts.get('3');
  const quotas = { ...of(), netEquityAccountId, includeOpenResult: true, numberOfQuotas: 1_000_000 };
  await bodyOf(platform.admin.post('masterdata', '/quotacalculation/', quotas));
  await template('TAXA-ADM', '8.2', '2.1.1');
  await template('TAXA-PERF', '8.1', '2.1.2');
}

const of = () => ({ company: fund.company, branch: fund.branch });

async function template(code: string, debit: string, credit: string, more: object = {}): Promise<void> {
  const [contaId, contrapartida] = [fund.accounts.get(debit), fund.accounts.get(credit)];
  const lines = [{ sequence: 1, debcre: 'D', contaId, contrapartida, valueType: 'INFORMADO' }];
  const body = { ...of(), code, description: `Taxa ${code}`, lines, ...more };
  await bodyOf(platform.admin.post('masterdata', `/release/${place}`, body));
}

const ADMINISTRATION = { kind: 'ADMINISTRATION', template: 'TAXA-ADM', startDate: '2026-01-05', rate: 2 };
const PERFORMANCE = { kind: 'PERFORMANCE', template: 'TAXA-PERF', startDate: '2026-01-05', rate: 20 };

const charge = (fee: object) => platform.admin.post('masterdata', '/fund/fee', { ...of(), ...fee });
const preview = (date: string) => platform.admin.get('masterdata', `/feeAccrual/${place}?date=${date}`);
const accrue = (date: string, more: object = { confirmed: true }) =>
  platform.admin.post('masterdata', `/feeAccrual/${place}`, { date, ...more });
const reverse = (date: string, more: object = {}) =>
  platform.admin.post('masterdata', `/feeAccrual/${place}/reversal`, { date, reason: 'Base corrigida', ...more });
const list = async () =>
  (await platform.admin.get('masterdata', `/feeAccrual/${place}/list?from=2026-01-01&to=2026-12-31`)).body;
const codes = ({ body }: { body: { code?: string; errors?: { field: string }[] } }) => body.code;
/** Of the branch's lines, in centavos, debit positive. */
const balance = async (code: string) => {
  const lines: { contaId: number; debcre: string; valor: number }[] = await bodyOf(
    platform.admin.get('masterdata', '/entry/all?size=1000'),
  );
  return lines
    .filter(({ contaId }) => contaId === fund.accounts.get(code))
    .reduce((sum, { debcre, valor }) => sum + Math.round(valor * 100) * (debcre === 'D' ? 1 : -1), 0);
};

test('the fee of a day is proposed, posted on confirmation, once, and stands on the equity of the day before', async () => {
  await createFund();
  expect((await charge(ADMINISTRATION)).status).toBe(201);
  // 1,000,000.00 × 2 % ÷ 252 = 79.365…
  const { status, body } = await preview('2026-01-05');
  expect([status, body]).toMatchObject([
    200,
    [
      {
        kind: 'ADMINISTRATION',
        date: '2026-01-05',
        baseDate: '2026-01-02',
        base: 1_000_000,
        days: 1,
        dayBasis: 252,
        rate: 2,
        amount: 79.37,
        mark: null,
        entry: [
          { debcre: 'D', contaId: fund.accounts.get('8.2'), valor: 79.37 },
          { debcre: 'C', contaId: fund.accounts.get('2.1.1'), valor: 79.37 },
        ],
      },
    ],
  ]);
  expect(body[0].entry[0].historico).toBe('Apropriação de taxa de administração de 05/01/2026');
  expect(await list()).toEqual([]);
  const asked = await accrue('2026-01-05', {});
  expect(asked.body).toMatchObject({ status: 400, code: 'CONFIRMATION_REQUIRED' });
  expect(asked.body.detail).toContain('79.37');
  expect((await accrue('2026-01-05')).status).toBe(201);
  expect(codes(await accrue('2026-01-05'))).toBe('FEE_POSTED_BEFORE');
  // The fee of the first day is within the equity that the second one is of: 999,920.63 × 2 % ÷ 252 = 79.358…
  expect((await accrue('2026-01-06')).body).toMatchObject([{ base: 999_920.63, amount: 79.36, status: 'POSTED' }]);
  expect(await balance('2.1.1')).toBe(-15_873);
  expect(await list()).toMatchObject([{ date: '2026-01-05', postedBy: 'admin' }, { date: '2026-01-06' }]);
});

test('bands have a rate each on their own part; on 365 days a Monday counts three', async () => {
  await createFund();
  const bands = [
    { from: 0, to: 400_000, rate: 2 },
    { from: 400_000, to: 900_000, rate: 1.5 },
    { from: 900_000, rate: 1 },
  ];
  const { rate: _, ...bare } = ADMINISTRATION;
  const created = await charge({ ...bare, bands, dayBasis: 365 });
  expect(created.body).toMatchObject({ bands, rate: null, dayBasis: 365 });
  // (8,000 + 7,500 + 1,000) × 3 ÷ 365 = 135.616…
  expect((await preview('2026-01-05')).body).toMatchObject([
    { days: 3, rate: null, amount: 135.62, bands: [{ base: 400_000 }, { base: 500_000 }, { base: 100_000 }] },
  ]);
  // What was read may be sent back.
  const { id } = created.body;
  expect((await platform.admin.call('masterdata', 'PUT', `/fund/fee/${id}`, created.body)).status).toBe(200);
});

test('a performance fee rises with the equity, is taken back when it falls, and becomes due', async () => {
  await createFund();
  expect((await charge({ ...PERFORMANCE, crystallizationMonths: [1] })).status).toBe(201);
  // The mark is the equity of 2 January; nothing exceeds it on its own day.
  expect((await accrue('2026-01-05')).body).toMatchObject([
    { amount: 0, mark: 1_000_000, provision: 0, documentId: null },
  ]);
  await post(platform.admin, fund, book`05/01 1.1.1 D 10.000,00 7.1`);
  expect((await accrue('2026-01-06')).body).toMatchObject([{ base: 1_010_000, amount: 2_000, provision: 2_000 }]);
  // 1,008,000.00 are left of it; a loss of 8,000.00 leaves 2,000.00 of gain, of which 400.00 are due.
  await post(platform.admin, fund, book`06/01 8.2 D 8.000,00 1.1.1`);
  const { body } = await preview('2026-01-07');
  expect(body).toMatchObject([{ base: 1_000_000, amount: -1_600, provision: 400 }]);
  expect(body[0].entry).toMatchObject([
    { debcre: 'C', contaId: fund.accounts.get('8.1'), valor: 1_600 },
    { debcre: 'D', contaId: fund.accounts.get('2.1.2'), valor: 1_600 },
  ]);
  await bodyOf(accrue('2026-01-07'));
  expect(await balance('2.1.2')).toBe(-40_000);
  for (const day of ['08', '09', ...range(12, 16), ...range(19, 23), ...range(26, 29)])
    expect((await accrue(`2026-01-${day}`)).body).toMatchObject([{ amount: 0 }]);
  // The last business day of January.
  expect((await accrue('2026-01-30')).body).toMatchObject([
    { amount: 0, becameDue: 400, provision: 0, mark: 1_001_600 },
  ]);
});

test('the mark grows by the benchmark, takes in subscriptions, and may be a quota', async () => {
  await createFund();
  const benchmark = [
    { from: '2026-01-01', rate: 0 },
    { from: '2026-01-06', rate: 13.65 },
  ];
  await bodyOf(charge({ ...PERFORMANCE, benchmark, benchmarkShare: 200, highWaterMark: 0.9 }));
  // 100,000.00 above 0.90 a quota.
  expect((await accrue('2026-01-05')).body).toMatchObject([{ amount: 20_000, mark: 900_000 }]);
  expect((await accrue('2026-01-06')).body).toMatchObject([{ amount: 0, mark: 900_000 }]);
  // 900,000.00 × (1 + 2 × 0.00050788) = 900,914.184; 20 % of 99,085.816
  expect((await accrue('2026-01-07')).body).toMatchObject([
    { amount: -182.84, mark: 900_914.184, provision: 19_817.16 },
  ]);
});

test('the last day is reversed, its entries with it, and is free again', async () => {
  await createFund();
  await charge(ADMINISTRATION);
  await accrue('2026-01-05');
  await accrue('2026-01-06');
  expect(codes(await reverse('2026-01-05'))).toBe('FEE_LATER_DAY');
  expect(codes(await reverse('2026-01-07'))).toBe('FEE_NOT_POSTED');
  const reversed = await reverse('2026-01-06');
  expect([reversed.status, reversed.body]).toMatchObject([
    201,
    [{ status: 'REVERSED', reason: 'Base corrigida', reversedBy: 'admin', reversalDocumentId: expect.any(Number) }],
  ]);
  expect(await balance('2.1.1')).toBe(-7_937);
  await post(platform.admin, fund, book`05/01 1.1.1 D 1.000.000,00 3.1`);
  expect((await accrue('2026-01-06')).body).toMatchObject([{ base: 1_999_920.63, amount: 158.72 }]);
  expect((await list()).map((each: { status: string }) => each.status)).toEqual(['POSTED', 'REVERSED', 'POSTED']);
  // Entries that somebody removed by hand: the day is freed all the same.
  const { documentId } = (await list())[2];
  await bodyOf(platform.admin.call('masterdata', 'DELETE', `/document/${documentId}`));
  expect((await reverse('2026-01-06')).body).toMatchObject([{ status: 'REVERSED', reversalDocumentId: null }]);
});

test.each([
  ['before the fee begins', '2026-01-02', 'FEES_NOT_CONFIGURED'],
  ['on a weekend', '2026-01-10', 'FEE_DAY_NOT_BUSINESS'],
  ['in a month that is not open', '2026-02-02', 'MONTH_NOT_OPEN'],
  ['with a day left out', '2026-01-07', 'FEE_DAY_MISSING'],
  ['before the last one', '2026-01-05', 'FEE_POSTED_BEFORE'],
])('a day %s is rejected', async (_, date, code) => {
  if (!rejecting) {
    await createFund();
    await charge(ADMINISTRATION);
    await accrue('2026-01-05');
    rejecting = true;
  }
  expect(codes(await preview(date))).toBe(code);
  expect(codes(await accrue(date))).toBe(code);
  expect(await list()).toHaveLength(1);
});
let rejecting = false;

test('closed days and months, an equity of nothing and a missing configuration are rejected with their reason', async () => {
  await createFund();
  await charge(ADMINISTRATION);
  for (let day = 0; day < 2; day++) await bodyOf(platform.admin.post('movements', `/calendar/closeday/${place}`, {}));
  expect(codes(await accrue('2026-01-05'))).toBe('DAY_CLOSED');
  expect(codes(await preview('2026-01-05'))).toBe('DAY_CLOSED');
  await closeMonth(platform.admin, fund, '01/2026');
  expect(codes(await accrue('2026-01-08'))).toBe('MONTH_CONSOLIDATED');
  await bodyOf(platform.admin.post('movements', `/monthOpening/${place}`, { newyearmonth: '01/2026', ...REOPENING }));
  await post(platform.admin, fund, book`07/01 8.2 D 1.000.000,00 1.1.1`);
  expect(codes(await accrue('2026-01-08'))).toBe('NET_EQUITY_NOT_POSITIVE');
  await post(platform.admin, fund, book`08/01 8.2 D 500,00 1.1.1`);
  const negative = await preview('2026-01-09');
  expect(negative.body).toMatchObject({ status: 400, code: 'NET_EQUITY_NOT_POSITIVE' });
  expect(negative.body.detail).toContain('-500.00');
  const bare = await createBank(platform.admin);
  const path = `/feeAccrual/${bare.company}/${bare.branch}`;
  expect(codes(await platform.admin.get('masterdata', `${path}?date=2026-01-05`))).toBe('FEES_NOT_CONFIGURED');
});

test.each([
  ['bands that overlap', { rate: null, bands: [band(0, 10), band(5)] }, 'bands.1'],
  ['bands with a gap', { rate: null, bands: [band(0, 10), band(11)] }, 'bands.1'],
  ['bands that end', { rate: null, bands: [band(0, 10)] }, 'bands.0'],
  ['a rate beside bands', { bands: [band(0)] }, 'rate'],
  ['neither', { rate: null }, 'rate'],
  ['another basis', { dayBasis: 360 }, 'dayBasis'],
  ['a benchmark', { benchmarkRate: 10 }, 'benchmarkRate'],
  ['more than all', { rate: 101 }, 'rate'],
])('an administration fee with %s is rejected', async (_, change, field) => {
  fund ??= await createBank(platform.admin);
  const { status, body } = await charge({ ...ADMINISTRATION, ...change });
  expect([status, body.errors?.map((each: { field: string }) => each.field)]).toEqual([400, [field]]);
});

test.each([
  ['bands', { bands: [band(0)] }, 'bands'],
  ['no rate', { rate: null }, 'rate'],
  ['a rate and a series', { benchmarkRate: 1, benchmark: [{ from: '2026-01-01', rate: 1 }] }, 'benchmark'],
  ['a series that begins late', { benchmark: [{ from: '2026-01-06', rate: 1 }] }, 'benchmark.0.from'],
  ['a day twice', { benchmark: [1, 1].map((rate) => ({ from: '2026-01-02', rate })) }, 'benchmark.1.from'],
])('a performance fee with %s is rejected', async (_, change, field) => {
  const { status, body } = await charge({ ...PERFORMANCE, ...change });
  expect([status, body.errors?.map((each: { field: string }) => each.field)]).toEqual([400, [field]]);
});

test('a template must be there and post the fee alone', async () => {
  await createFund();
  expect(codes(await charge({ ...ADMINISTRATION, template: 'NADA' }))).toBe('FEE_TEMPLATE_MISSING');
  await template('FIXO', '8.2', '2.1.1', {
    lines: [
      {
        sequence: 1,
        debcre: 'D',
        contaId: fund.accounts.get('8.2'),
        contrapartida: fund.accounts.get('2.1.1'),
        valueType: 'FIXO',
        valor: 5,
      },
    ],
  });
  expect(codes(await charge({ ...ADMINISTRATION, template: 'FIXO' }))).toBe('FEE_TEMPLATE_UNFIT');
  const [expense, ...payable] = ['8.2', '2.1.1', '2.1.2'].map((code) => fund.accounts.get(code));
  const share = (sequence: number, contrapartida: unknown, percentual: number) => ({
    ...{ sequence, debcre: 'D', contaId: expense, contrapartida, valueType: 'PERCENTUAL', percentual },
  });
  // Shares of administrator and manager.
  await template('DIVIDIDA', '8.2', '2.1.1', { lines: [share(1, payable[0], 30), share(2, payable[1], 70)] });
  await bodyOf(charge({ ...ADMINISTRATION, template: 'DIVIDIDA' }));
  expect(codes(await charge({ ...ADMINISTRATION, template: 'DIVIDIDA' }))).toBe('DUPLICATE');
  expect((await preview('2026-01-05')).body[0].entry.map((line: { valor: number }) => line.valor)).toEqual([
    23.81, 23.81, 55.56, 55.56,
  ]);
  const used = (await bodyOf(platform.admin.get('masterdata', `/release/${place}/DIVIDIDA`))).id;
  const removed = await platform.admin.call('masterdata', 'DELETE', `/release/${used}`);
  expect(removed.body).toMatchObject({ status: 400, code: 'IN_USE' });
});

test('two requests for a day post it once', async () => {
  await createFund();
  await charge(ADMINISTRATION);
  const answers = await Promise.all(Array.from({ length: 4 }, () => accrue('2026-01-05')));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
  expect(await balance('2.1.1')).toBe(-7_937);
});

test('the rules of posting hold: an account that is no longer valid takes no fee', async () => {
  await createFund();
  await charge(ADMINISTRATION);
  const path = `/chartOfAccounts/${fund.accounts.get('2.1.1')}`;
  const account = await bodyOf(platform.admin.get('masterdata', path));
  await bodyOf(platform.admin.call('masterdata', 'PUT', path, { ...account, endDate: '2026-01-04' }));
  expect(codes(await accrue('2026-01-05'))).toBe('ACCOUNT_OUT_OF_VALIDITY');
  expect(await list()).toEqual([]);
});

test('who may not see the fund sees neither its fees nor posts them', async () => {
  await createFund();
  await charge(ADMINISTRATION);
  const other = await createBank(platform.admin);
  const { username, password } = await createUser(platform.admin, {
    username: 'estranha',
    permissions: [{ company: other.company }],
  });
  const stranger = await platform.as(username, password);
  expect((await stranger.get('masterdata', `/feeAccrual/${place}?date=2026-01-05`)).status).toBe(403);
  expect(
    (await stranger.post('masterdata', `/feeAccrual/${place}`, { date: '2026-01-05', confirmed: true })).status,
  ).toBe(403);
  expect((await stranger.get('masterdata', '/fund/fee')).body).toEqual([]);
});

function band(from: number, to?: number) {
  return { from, rate: 1, ...(to === undefined ? {} : { to }) };
}

function range(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, at) => String(from + at).padStart(2, '0'));
}
