import { afterAll, beforeAll, expect, test } from 'vitest';
import { nationalDay } from '../../src/accounting/holidays.ts';
import { addMonths, type Day, daysOf, lastDay, type Month, monthOfDay, slashOf } from '../../src/accounting/period.ts';
import { closureSettings } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { calculate, closeDay, createFund, move } from '../support/funds.ts';
import { closeMonth, openMonth, REOPENING } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';

// A fund for a year through HTTP alone: a quota every business day, subscriptions and redemptions, come-cotas in May and November, a
// correction in the past, and the end of the year.

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

const printed = (cents: bigint) => `${cents / 100n},${String(cents % 100n).padStart(2, '0')}`;
const MONTHS = Array.from({ length: 12 }, (_, at) => addMonths('2026-01' as Month, at));
const businessDays = (month: Month) => daysOf(month).filter((day) => nationalDay(day).businessDay);

test('a fund of a year of business days', { timeout: 600_000 }, async () => {
  const client = platform.admin;
  const fund = await createFund(client);
  const { company, branch } = fund;
  await bodyOf(client.post('masterdata', '/closuresettings', closureSettings(fund, [12])));
  // What the program is told, and what a plain fold makes of it: equity in cents, quotas with eight decimals.
  let [equity, quantity] = [100_000n, 100n * 10n ** 8n];
  const values = new Map<Day, bigint>();
  const enter = (day: Day, ...amounts: readonly bigint[]) => {
    const date = `${day.slice(8)}/${day.slice(5, 7)}`;
    const lines = amounts.map((cents) =>
      cents > 0n ? `${date} 1.1.1 D ${printed(cents)} 7.1` : `${date} 8.1 D ${printed(-cents)} 1.1.1`,
    );
    return post(client, fund, book`${lines.join('\n')}`);
  };
  const day = async (of: Day, at: number) => {
    const month = monthOfDay(of);
    const gain = BigInt(at % 3 === 0 ? -1 - (at % 7) : 3 + 2 * (at % 7));
    const flow = at % 5 === 2 ? 2_500n : at % 9 === 4 ? -1_200n : 0n;
    const isComeCotas = /-(05|11)$/.test(month) && of === businessDays(month).at(-1);
    const tax = isComeCotas ? -777n : 0n;
    const movements: [string, bigint][] = [
      [flow > 0n ? 'SUBSCRIPTION' : 'REDEMPTION', flow],
      ['COME_COTAS', tax],
    ];
    await enter(of, gain, ...movements.map(([, cents]) => cents).filter((cents) => cents !== 0n));
    equity += gain;
    const before = (equity * 10n ** 14n) / quantity;
    for (const [kind, cents] of movements.filter(([, each]) => each !== 0n)) {
      const amount = cents < 0n ? -cents : cents;
      await bodyOf(move(client, fund, { date: of, kind, amount: Number(amount) / 100 }));
      quantity += (cents < 0n ? -1n : 1n) * ((amount * 10n ** 14n) / before);
      equity += cents;
    }
    values.set(of, (equity * 10n ** 14n) / quantity);
    const [quota] = await bodyOf(calculate(client, fund, { date: of, confirmed: true }));
    expect([of, quota.quotaValue.replace('.', '')]).toEqual([of, values.get(of)!.toString().padStart(9, '0')]);
    await closeDay(client, fund);
  };

  let count = 0;
  for (const month of MONTHS) {
    if (month !== '2026-01') await openMonth(client, fund, slashOf(month));
    for (const of of businessDays(month)) await day(of, count++);
    if (month !== '2026-12') await closeMonth(client, fund, slashOf(month));
  }
  expect(count).toBeGreaterThanOrEqual(248);

  // A correction in the past: November is opened again, and an expense of its last day is posted.
  const opening = `/monthOpening/${company}/${branch}`;
  const asked = await client.post('movements', opening, { newyearmonth: '11/2026', reason: 'Despesa esquecida' });
  expect(asked.body).toMatchObject({ status: 400, code: 'CONFIRMATION_REQUIRED' });
  await bodyOf(client.post('movements', opening, { newyearmonth: '11/2026', ...REOPENING }));
  const last = businessDays('2026-11' as Month).at(-1)!;
  await bodyOf(
    client.post('masterdata', `/calendar/${company}/${branch}`, { date: last, businessDay: true, status: 'A' }),
  );
  await enter(last, -5_000n);
  await closeDay(client, fund);
  await closeMonth(client, fund, '11/2026');
  const list = async (from: string, more = '') =>
    bodyOf(client.get('masterdata', `${fund.quotas}?from=${from}&to=2026-12-31${more}`));
  const stale = (await list('2026-01-01')).filter(({ status }: { status: string }) => status === 'STALE');
  expect(stale[0].referenceDate).toBe(last);
  expect(stale).toHaveLength(1 + businessDays('2026-12' as Month).length);
  await bodyOf(
    client.post('masterdata', `${fund.quotas}/reprocess`, {
      from: last,
      to: '2026-12-31',
      reason: 'Despesa esquecida',
    }),
  );
  const december = await list(last, '&replaced=true');
  expect(december.filter(({ status }: { status: string }) => status === 'STALE')).toEqual([]);
  expect(december.filter(({ status }: { status: string }) => status === 'REPLACED')).toHaveLength(stale.length);

  // The end of the year: the result goes to equity and changes no quota.
  await closeMonth(client, fund, '12/2026');
  const year = await list('2026-01-01');
  expect(year).toHaveLength(count);
  expect(new Set(year.map(({ status }: { status: string }) => status))).toEqual(new Set(['CONFIRMED']));
  const end = year.at(-1);
  const since = (of: string) => year.findLast(({ referenceDate }: { referenceDate: string }) => referenceDate <= of);
  const percent = (now: string, then: string) => {
    const [a, b] = [now, then].map((each) => BigInt(each.replace('.', ''))) as [bigint, bigint];
    return Number(((a - b) * 10n ** 10n) / b) / 10 ** 8;
  };
  expect(Number(end.variationOfMonth)).toBe(percent(end.quotaValue, since(lastDay('2026-11' as Month)).quotaValue));
  expect([end.variationOfYear, end.variationOf12Months]).toEqual([null, null]);
  const path = `/api/v1/saldos/plsaldos?empresa=${company}&filial=${branch}`;
  expect((await client.get('reports', path)).status).toBe(200);
});
