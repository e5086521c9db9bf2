import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Bank } from '../support/banks.ts';
import { REOPENING } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';
import { createQuotedFund } from '../support/quoted-fund.ts';

// The daily filing of a fund: the columns and the form of the securities commission's open data.

/** The first lines of a published file. */
const PUBLISHED = readFileSync(new URL('../fixtures/cvm/inf_diario_fi.csv', import.meta.url), 'latin1');

let platform: Platform;
let fund: Bank;
beforeAll(async () => {
  platform = await startPlatform({}, { now: () => new Date('2026-03-10T15:30:00Z') });
  fund = await createQuotedFund(platform.admin);
});
afterAll(() => platform?.stop());

const file = (query: string) => platform.admin.get('queries', `/informeDiario/${fund.company}/${fund.branch}?${query}`);
const DAYS = 'from=2026-01-14&to=2026-01-15';

test('the data of confirmed quotas, to the digit', async () => {
  const { status, body } = await file(DAYS);
  expect(status).toBe(200);
  expect(body).toEqual([
    {
      TP_FUNDO_CLASSE: 'CLASSES - FIF',
      CNPJ_FUNDO_CLASSE: '00.017.024/0001-53',
      ID_SUBCLASSE: null,
      DT_COMPTC: '2026-01-14',
      VL_TOTAL: 1_251_197.65,
      VL_QUOTA: 1.00119765,
      VL_PATRIM_LIQ: 1_251_197.65,
      CAPTC_DIA: 250_000,
      RESG_DIA: 0,
      NR_COTST: 5,
    },
    expect.objectContaining({ DT_COMPTC: '2026-01-15', VL_PATRIM_LIQ: 1_251_710.55 }),
  ]);
});

test('the file is that of the securities commission: columns, separator, decimals, encoding', async () => {
  const { text, headers } = await file(`${DAYS}&format=csv`);
  expect(headers.get('content-type')).toContain('text/csv');
  const [columns, first] = text.split('\n');
  expect(columns).toBe(PUBLISHED.split('\n')[0]);
  expect(first).toBe(
    'CLASSES - FIF;00.017.024/0001-53;;2026-01-14;1251197.65;1.001197650000;1251197.65;250000.00;0.00;5',
  );
  const form = (line: string) =>
    line
      .split(';')
      .map((cell) =>
        cell.replace(/^[\d.]+$/, (each) => (each.includes('.') ? `n.${each.split('.')[1]!.length}` : 'n')),
      );
  // The same decimals in the same places as the published line.
  expect(form(first!).slice(4)).toEqual(form(PUBLISHED.split('\n')[1]!).slice(4));
  expect(text.endsWith('\n')).toBe(true);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is not ASCII
  expect(text).toMatch(/^[\x00-\x7f]*$/);
});

test('holders may be given; the portfolio may be an account', async () => {
  const early = 'from=2026-01-05&to=2026-01-05';
  expect((await file(early)).body).toMatchObject({ status: 400, code: 'FILING_HOLDERS' });
  expect((await file(`${early}&holders=3&portfolio=1.1.1`)).body).toMatchObject([{ NR_COTST: 3, VL_TOTAL: 0 }]);
  expect((await file(`${early}&holders=3&portfolio=77`)).body).toMatchObject({ code: 'ACCOUNT_NOT_FOUND' });
});

test.each([
  ['backwards', 'from=2026-01-15&to=2026-01-14', 'INVALID_DATE_RANGE'],
  ['of more than a year', 'from=2025-01-01&to=2026-12-31', 'PERIOD_OVER_A_YEAR'],
  ['as something else', `${DAYS}&format=xml`, 'INVALID_FIELD'],
])('a request %s is rejected', async (_, query, code) => {
  expect((await file(query)).body).toMatchObject({ status: 400, code });
});

test('a stale quota is named, and nothing is filed', async () => {
  await bodyOf(
    platform.admin.post('movements', `/monthOpening/${fund.company}/${fund.branch}`, {
      newyearmonth: '02/2026',
      ...REOPENING,
    }),
  );
  const stale = await file('from=2026-01-30&to=2026-02-03');
  expect(stale.body).toMatchObject({ status: 400, code: 'FILING_STALE' });
  expect(stale.body.detail).toContain('02/02/2026, 03/02/2026');
  expect((await file(DAYS)).status).toBe(200);
});
