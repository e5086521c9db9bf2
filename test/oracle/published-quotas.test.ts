import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { configureFund, move } from '../support/funds.ts';
import { openMonth } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';

// The quotas that the CVM publishes (informe diário), computed from the published equity and movements of the day. The number of
// quotas is not published: it is the equity of before the movements over the published quota, with the twelve decimals that a fund
// may keep.

const FILE = new URL('../fixtures/cvm/inf_diario_fi_sample.csv', import.meta.url);
const [header, ...rows] = readFileSync(FILE, 'utf8')
  .trim()
  .split(/\r?\n/)
  .map((line) => line.split(';'));
const published = rows.map((cells) => Object.fromEntries(header!.map((name, at) => [name, cells[at]!])));

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform?.stop());

const cents = (text: string) => BigInt(text.replace('.', ''));
const decimal = (value: bigint) => `${value / 100n}.${String(value % 100n).padStart(2, '0')}`;
const printed = (value: bigint) => decimal(value).replace('.', ',');

test('the sample has funds with and without movements', () => {
  expect(published.length).toBeGreaterThan(1);
  expect(published.map((row) => row.CAPTC_DIA === '0.00')).toEqual([true, false]);
});

test.each(published)('the quota of $CNPJ_FUNDO_CLASSE on $DT_COMPTC', async (row) => {
  const { VL_QUOTA, VL_PATRIM_LIQ, CAPTC_DIA, RESG_DIA, NR_COTST, DT_COMPTC } = row as Record<string, string>;
  const [equity, inflow, outflow] = [cents(VL_PATRIM_LIQ!), cents(CAPTC_DIA!), cents(RESG_DIA!)];
  const before = equity - inflow + outflow;
  const quota = BigInt(VL_QUOTA!.replace('.', ''));
  // Twelve decimals of the quota, two of the equity; half up.
  const quantity = (before * 10n ** 22n * 2n + quota) / (quota * 2n);
  const fund = await createBank(platform.admin, { baseYearMonth: '06/2026' });
  await configureFund(platform.admin, fund, {
    ...{ numberOfQuotas: 1, quotaDecimals: 12, quantityDecimals: 12, roundingMode: 'HALF_UP' },
  });
  await openMonth(platform.admin, fund, '06/2026');
  await post(platform.admin, fund, book`01/06 1.1.1 D ${printed(equity)} 3.1`);
  // As a number of JSON it would lose its last digits: the file has it whole.
  const form = new FormData();
  const moved = quantity - 10n ** 12n;
  const text = `${moved / 10n ** 12n}.${String(moved % 10n ** 12n).padStart(12, '0')}`;
  form.set('file', new Blob([`date;kind;quotas;holders\n2026-05-31;ADJUSTMENT;${text};${NR_COTST}\n`]), 'cotas.csv');
  const path = `/quotaMovement/${fund.company}/${fund.branch}/import`;
  expect((await platform.admin.post('masterdata', path, form)).body).toMatchObject({ success: true });
  const amounts: [string, bigint][] = [
    ['SUBSCRIPTION', inflow],
    ['REDEMPTION', outflow],
  ];
  for (const [kind, amount] of amounts) {
    if (amount > 0n)
      await bodyOf(move(platform.admin, fund, { date: DT_COMPTC, kind, amount: Number(decimal(amount)) }));
  }
  const body = { date: DT_COMPTC, confirmed: true };
  const quotas = await bodyOf(
    platform.admin.post('masterdata', `/quotaCalculation/${fund.company}/${fund.branch}`, body),
  );
  expect(quotas).toMatchObject([
    {
      referenceDate: DT_COMPTC,
      quotaValue: VL_QUOTA,
      netEquity: Number(VL_PATRIM_LIQ),
      subscriptions: Number(CAPTC_DIA),
      redemptions: Number(RESG_DIA),
      holders: Number(NR_COTST),
      status: 'CONFIRMED',
    },
  ]);
});
