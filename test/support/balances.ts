import { expect } from 'vitest';
import { centavosFromNumber, decimalOf } from '../../src/accounting/money.ts';
import { centavos, printedAmount } from './amounts.ts';
import type { Bank } from './banks.ts';
import { bodyOf, type Client } from './platform.ts';

/** What the query service says of an account in a month; amounts are debit-positive. */
interface AccountMonth {
  readonly openingBalance: number;
  readonly movdeb: number;
  readonly movcred: number;
  readonly movenc: number;
  readonly accumulatedBalance: number;
}

/** Columns of the table; `closing` is what closing entries moved, `balance` what is at the end of the month. */
const COLUMNS: Readonly<Record<string, (month: AccountMonth) => string>> = {
  opening: ({ openingBalance }) => withSide(openingBalance),
  debit: ({ movdeb }) => plain(movdeb),
  credit: ({ movcred }) => plain(movcred),
  closing: ({ movenc }) => withSide(movenc),
  balance: ({ accumulatedBalance }) => withSide(accumulatedBalance),
};

/** Balances before the first month, an account a line: `1.1.1  1.000,00 D`. */
export async function setOpenings(
  client: Client,
  { company, branch }: Pick<Bank, 'company' | 'branch'>,
  table: string,
) {
  const balances = rowsOf(table).map(([cdAccounting, cell = '']) => {
    const [amount, dc] = cell.split(' ');
    return { cdAccounting, balance: Number(decimalOf(centavos(amount))), dc };
  });
  await bodyOf(client.call('masterdata', 'PUT', `/baseBalance/${company}/${branch}`, balances));
}

/**
 * Compares balances of the month MM/YYYY with a table, whose heads name the columns to look at:
 *
 *     account  opening     debit   credit  closing   balance
 *     1.1.1    1.000,00 D   10,00    0,00  0,00      1.010,00 D
 *     7.1      0,00          0,00   10,00  10,00 D   0,00
 */
export async function expectBalances(
  client: Client,
  bank: Pick<Bank, 'company' | 'branch' | 'accounts'>,
  month: string,
  table: string,
): Promise<void> {
  const [heads = [], ...rows] = rowsOf(table);
  if (rows.length === 0) unusable('no account');
  const columns = heads.slice(1).map((head) => COLUMNS[head] ?? unusable(`a column ${head}, which there is not`));
  const found: string[][] = [];
  for (const [code = ''] of rows) {
    const body = {
      contaId: bank.accounts.get(code) ?? unusable(`an account ${code}, which is not in the chart`),
      empresa: bank.company,
      filial: bank.branch,
      anomesini: month,
      anomesfim: month,
    };
    const [answer] = (await bodyOf(client.post('queries', '/balanceInquiryDetails', body))) as [AccountMonth];
    found.push([code, ...columns.map((column) => column(answer))]);
  }
  expect(aligned([heads, ...found])).toBe(aligned([heads, ...rows]));
}

/** Cells are two blanks or more apart. */
function rowsOf(table: string): string[][] {
  const lines = table.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => line.trim().split(/\s{2,}/));
}

function unusable(why: string): never {
  throw new Error(`the table of balances names ${why}`);
}

function plain(value: number): string {
  const amount = centavosFromNumber(value);
  return amount === undefined ? `${value} (not in centavos)` : printedAmount(amount);
}

function withSide(value: number): string {
  if (value === 0) return plain(0);
  return `${plain(Math.abs(value))} ${value > 0 ? 'D' : 'C'}`;
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
