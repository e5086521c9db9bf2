import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstDay, lastDay, monthRange, slashOf } from '../../src/accounting/period.ts';
import { centavos } from '../support/amounts.ts';
import type { Bank } from '../support/banks.ts';
import { book, movementOf } from '../support/books.ts';
import { closeMonth } from '../support/months.ts';
import { hasPoppler, pagesOfPdf } from '../support/pdf.ts';
import { month } from '../support/period.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { createBooks, print } from '../support/report-books.ts';

// Accounts with a column a month, each figure recomputed from the entries.

const MONTHS = monthRange(month('2025-04'), month('2026-03'));
const BOOK = MONTHS.flatMap(
  (each, at) => book`
    05/${slashOf(each)}  1.1.2  D  1${String(at).padStart(2, '0')}.000.000,0${at % 10}  3.1
    20/${slashOf(each)}  8.1    D  ${at + 1},50  1.1.1
  `,
);

let platform: Platform;
let bank: Bank;
beforeAll(async () => {
  platform = await startPlatform({}, { now: () => new Date('2026-03-10T15:30:00Z') });
  bank = await createBooks(platform.admin, BOOK, { baseYearMonth: '04/2025', months: MONTHS.map(slashOf) });
  for (const each of MONTHS.slice(0, 6)) await closeMonth(platform.admin, bank, slashOf(each));
}, 60_000);
afterAll(() => platform?.stop());

const asked = (more: object) => ({
  empresa: bank.company,
  filial: bank.branch,
  visualizationEnum: 'CSV',
  ano: 2026,
  mes: 3,
  ...more,
});
const columns = async (more: object) => (await print(platform.admin, 'saldosMensais', asked(more))).cells;

test('balances of twelve months, closed and open ones, posting and summary accounts', async () => {
  const [heads, ...rows] = await columns({});
  expect(heads).toEqual(['Conta', 'Nome', ...MONTHS.map(slashOf)]);
  expect(rows.map(([code]) => code)).toEqual(expect.arrayContaining(['1', '1.1', '1.1.1', '1.1.2', '3.1', '8.1']));
  for (const [code = '', , ...figures] of rows) {
    const own = MONTHS.map((each) => movementOf(BOOK, code, firstDay(MONTHS[0]!), lastDay(each)).net);
    expect([code, figures.map(centavos)]).toEqual([code, own]);
  }
});

test('movements of chosen accounts, with their sum', async () => {
  const months = MONTHS.slice(-3);
  const [heads, ...rows] = await columns({ meses: 3, valores: 'MOVIMENTO', contas: ['1', bank.accounts.get('8.1')] });
  expect(heads).toEqual(['Conta', 'Nome', ...months.map(slashOf), 'Total']);
  expect(rows.map(([code]) => code)).toEqual(['1', '8.1']);
  for (const [code = '', , ...figures] of rows) {
    const own = months.map((each) => movementOf(BOOK, code, firstDay(each), lastDay(each)).net);
    expect(figures.map(centavos)).toEqual([...own, own.reduce((sum, each) => sum + each, 0n)]);
  }
});

test('on paper: its months in the head, provisional while one is open, every figure whole', async () => {
  const txt = await print(platform.admin, 'saldosMensais', asked({ visualizationEnum: 'TXT' }));
  const pdf = await print(platform.admin, 'saldosMensais', asked({ visualizationEnum: 'PDF' }));
  // A page of TXT has room for six months, their figures without points where these are long.
  const pages = [
    { text: txt.text, parts: ['Outubro de 2025 a março de 2026', '10/2025', '1266000000,46'] },
    ...(hasPoppler
      ? [
          {
            text: (await pagesOfPdf(pdf.bytes)).join(''),
            parts: ['Abril de 2025 a março de 2026', '04/2025', '1.266.000.000,46'],
          },
        ]
      : []),
  ];
  for (const { text, parts } of pages) {
    for (const part of [...parts, 'PROVISÓRIO', '03/2026']) expect(text).toContain(part);
  }
  const xlsx = await print(platform.admin, 'saldosMensais', asked({ visualizationEnum: 'XLSX' }));
  expect(xlsx.bytes.subarray(0, 2).toString()).toBe('PK');
  const closed = await print(
    platform.admin,
    'saldosMensais',
    asked({ ano: 2025, mes: 9, meses: 6, visualizationEnum: 'TXT' }),
  );
  expect(closed.text).not.toContain('PROVISÓRIO');
});

test.each([
  ['no month', { meses: 0 }, 'INVALID_FIELD', 'meses'],
  ['thirteen months', { meses: 13 }, 'INVALID_FIELD', 'meses'],
  ['more months than a page of TXT holds', { meses: 7, visualizationEnum: 'TXT' }, 'FORMAT_NOT_OFFERED', undefined],
  ['figures of another kind', { valores: 'MEDIA' }, 'INVALID_FIELD', 'valores'],
  ['an account that the chart has not', { contas: ['9.9.9'] }, 'ACCOUNT_NOT_FOUND', 'contas'],
  ['an id that the chart has not', { contas: [999_999] }, 'ACCOUNT_NOT_FOUND', 'contas'],
  ['months before the books', { ano: 2026, mes: 2, meses: 12 }, 'BEFORE_BASE_MONTH', undefined],
  ['a month that is not opened', { mes: 4, meses: 2 }, 'MONTH_NOT_OPEN', 'mes'],
])('%s is refused', async (_, change, code, field) => {
  const answer = await platform.admin.post('reports', '/reports/saldosMensais', asked(change));
  expect(answer).toMatchObject({ status: code === 'ACCOUNT_NOT_FOUND' ? 404 : 400, body: { code } });
  if (field !== undefined) expect(answer.body.errors[0].field).toBe(field);
});
