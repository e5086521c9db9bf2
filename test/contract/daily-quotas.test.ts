import { afterAll, beforeAll, expect, test } from 'vitest';
import { book, post } from '../support/books.ts';
import {
  calculate,
  closeDay,
  configureFund,
  createFund,
  earn,
  type Fund,
  move,
  payIn,
  reopenDay,
} from '../support/funds.ts';
import { closeMonth, openMonth, REOPENING } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';

// Quotas of days from the balances of these days, and what becomes of them when the past is corrected.

let platform: Platform;
const client = () => platform.admin;

beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

const list = async (fund: Fund, query = '') =>
  bodyOf(client().get('masterdata', `${fund.quotas}?from=2026-01-01&to=2026-12-31${query}`));
const figures = (quotas: Record<string, unknown>[]) =>
  quotas.map(({ referenceDate, quotaValue, numberOfQuotas, status }) => [
    referenceDate,
    quotaValue,
    numberOfQuotas,
    status,
  ]);
const confirm = (fund: Fund, date: string) => calculate(client(), fund, { date, confirmed: true });

test('a quota of a day is computed from the balances of that day, with the month open', async () => {
  const fund = await createFund(client());
  await earn(client(), fund, '02/01', '1,00');
  await earn(client(), fund, '05/01', '2,50');
  const preview = await calculate(client(), fund, { date: '2026-01-02' });
  expect(preview.status).toBe(200);
  expect(preview.body).toEqual([
    {
      company: fund.company,
      branch: fund.branch,
      referenceDate: '2026-01-02',
      netEquity: 1001,
      numberOfQuotas: '100.00000000',
      quotaValue: '10.01000000',
      previousQuotaValue: null,
      variation: null,
      variationOfMonth: null,
      variationOfYear: null,
      variationOf12Months: null,
      subscriptions: 0,
      redemptions: 0,
      holders: null,
      status: 'PREVIEW',
      confirmedAt: null,
      confirmedBy: null,
      replacedAt: null,
      replacedBy: null,
      replacementReason: null,
    },
  ]);
  expect(await list(fund)).toEqual([]);
  expect((await confirm(fund, '2026-01-02')).body).toMatchObject([{ status: 'CONFIRMED', confirmedBy: 'admin' }]);
  const early = await confirm(fund, '2026-01-05');
  expect(early.body).toMatchObject({ status: 400, code: 'QUOTA_DAYS_OPEN' });
  await closeDay(client(), fund);
  expect((await confirm(fund, '2026-01-05')).body).toMatchObject([
    {
      referenceDate: '2026-01-05',
      netEquity: 1003.5,
      quotaValue: '10.03500000',
      previousQuotaValue: '10.01000000',
      variation: '0.24975024',
      variationOfMonth: null,
    },
  ]);
  // The same day again answers the same.
  expect((await confirm(fund, '2026-01-05')).body).toMatchObject([{ quotaValue: '10.03500000', status: 'CONFIRMED' }]);
  expect(figures(await list(fund))).toEqual([
    ['2026-01-02', '10.01000000', '100.00000000', 'CONFIRMED'],
    ['2026-01-05', '10.03500000', '100.00000000', 'CONFIRMED'],
  ]);
});

test('an amount gets its quotas at the quota of its day without it; both are in the equity and the quantity', async () => {
  const fund = await createFund(client());
  const added = await move(client(), fund, { date: '2026-01-02', kind: 'SUBSCRIPTION', amount: 500, holders: 3 });
  expect(added.status).toBe(201);
  expect(added.body).toMatchObject({ date: '2026-01-02', requestDate: null, quotas: null, amount: 500, holders: 3 });
  await payIn(client(), fund, '02/01', '500,00');
  await earn(client(), fund, '02/01', '50,00');
  // 1,050.00 for 100 quotas are 10.50; 500.00 are 47.61904761 quotas, truncated.
  expect((await calculate(client(), fund, { date: '2026-01-02' })).body).toMatchObject([
    { netEquity: 1550, numberOfQuotas: '147.61904761', quotaValue: '10.50000000', subscriptions: 500, holders: 3 },
  ]);
  await confirm(fund, '2026-01-02');
  expect((await client().get('masterdata', `/quotaMovement/${added.body.id}`)).body.quotas).toBe(47.61904761);
  await closeDay(client(), fund);
  await move(client(), fund, { date: '2026-01-05', kind: 'REDEMPTION', amount: 150 });
  await payIn(client(), fund, '05/01', '100,00');
  const wrong = await calculate(client(), fund, { from: '2026-01-01', to: '2026-01-05' });
  // 1,650.00 and the 150.00 that have not been posted yet: the books say what the fund has.
  expect(wrong.body.map((each: { status: string }) => each.status)).toEqual(['CONFIRMED', 'PREVIEW']);
});

test('an entry of the past makes quotas stale until it is undone or they are reprocessed; the old ones stay', async () => {
  const fund = await createFund(client());
  await confirm(fund, '2026-01-02');
  await closeDay(client(), fund);
  await confirm(fund, '2026-01-05');
  const spend = (amount: string) => post(client(), fund, book`02/01 8.1 D ${amount} 1.1.1`);
  await reopenDay(client(), fund, '2026-01-02');
  await earn(client(), fund, '02/01', '10,00');
  expect(figures(await list(fund)).map((each) => each[3])).toEqual(['STALE', 'STALE']);
  await earn(client(), fund, '02/01', '5,00');
  await spend('15,00');
  expect(figures(await list(fund)).map((each) => each[3])).toEqual(['CONFIRMED', 'CONFIRMED']);
  await earn(client(), fund, '02/01', '10,00');
  const correction = { from: '2026-01-01', to: '2026-01-31', reason: 'Juros esquecidos' };
  await closeDay(client(), fund);
  const replaced = await client().post('masterdata', `${fund.quotas}/reprocess`, correction);
  expect(figures(replaced.body)).toEqual([
    ['2026-01-02', '10.10000000', '100.00000000', 'CONFIRMED'],
    ['2026-01-05', '10.10000000', '100.00000000', 'CONFIRMED'],
  ]);
  expect(await list(fund, '&replaced=true')).toMatchObject([
    { referenceDate: '2026-01-02', quotaValue: '10.10000000', status: 'CONFIRMED' },
    { quotaValue: '10.00000000', status: 'REPLACED', replacedBy: 'admin', replacementReason: 'Juros esquecidos' },
    { referenceDate: '2026-01-05', quotaValue: '10.10000000', status: 'CONFIRMED' },
    { quotaValue: '10.00000000', status: 'REPLACED' },
  ]);
});

test('reopening a month says which quotas stand on it; closed again with the same equity they agree', async () => {
  const fund = await createFund(client());
  await confirm(fund, '2026-01-02');
  await closeMonth(client(), fund, '01/2026');
  const path = `/monthOpening/${fund.company}/${fund.branch}`;
  const refused = await client().post('movements', path, { newyearmonth: '01/2026', reason: 'Teste' });
  expect(refused.body).toMatchObject({ status: 400, code: 'CONFIRMATION_REQUIRED' });
  expect(refused.body.detail).toContain('02/01/2026');
  await bodyOf(client().post('movements', path, { newyearmonth: '01/2026', ...REOPENING }));
  expect((await list(fund))[0].status).toBe('STALE');
  await closeMonth(client(), fund, '01/2026');
  expect((await list(fund))[0].status).toBe('CONFIRMED');
  await openMonth(client(), fund, '02/2026');
  await configureFund(client(), fund, { numberOfQuotas: 100, redemptionDays: 2 });
  expect((await list(fund))[0].status).toBe('CONFIRMED');
});
