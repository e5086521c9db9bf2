import { describe, expect, test } from 'vitest';
import { type AccountId, asId } from '../../src/accounting/ids.ts';
import { expectBalances } from './balances.ts';
import { book, debitsAndCredits, movementOf } from './books.ts';
import { day } from './period.ts';
import type { Client } from './platform.ts';

describe('a book', () => {
  test('has an entry a line, of document 1 unless it says another', () => {
    expect(book`
      05/01      1.1.2  D  1.000,00  3.1    "Aporte"
      05/01 2    1.1.1  D     10,05  1.1.2
      31/12/2025 7/2 1.1.10.00-3 C 0,01 3.1 "5" de "cota""
    `).toEqual([
      { day: '2026-01-05', batch: undefined, document: '1', lines: [line('1.1.2', 'D', 100_000n, '3.1', 'Aporte')] },
      { day: '2026-01-05', batch: undefined, document: '2', lines: [line('1.1.1', 'D', 1_005n, '1.1.2')] },
      { day: '2025-12-31', batch: '7', document: '2', lines: [line('1.1.10.00-3', 'C', 1n, '3.1', '5" de "cota"')] },
    ]);
  });

  test('has entries of several lines', () => {
    const entries = book`
      20/01  8.1    D  50,00  "Folha"
             8.2    D   5,00
             1.1.2  C  55,00
      21/01  8.1    D   2,00  1.1.2
    `;
    expect(entries.map(({ lines }) => lines.length)).toEqual([3, 1]);
    expect(entries[0]!.lines[2]).toEqual(line('1.1.2', 'C', 5_500n));
    expect(entries.flatMap(debitsAndCredits)).toMatchObject([
      { account: '8.1', side: 'D', amount: 5_000n },
      { account: '8.2', side: 'D', amount: 500n },
      { account: '1.1.2', side: 'C', amount: 5_500n },
      { account: '8.1', side: 'D', amount: 200n },
      { account: '1.1.2', side: 'C', amount: 200n },
    ]);
    expect(movementOf(entries, '8', day('2026-01-01'), day('2026-01-20'))).toEqual({
      debit: 5_500n,
      credit: 0n,
      net: 5_500n,
    });
    expect(movementOf(entries, '1.1.2', day('2026-01-21'), day('2026-01-31'))).toEqual({
      debit: 0n,
      credit: 200n,
      net: -200n,
    });
  });

  test.each([
    ['without a side', '05/01 1.1.2 10,00 3.1', 'line 2 of the book cannot be read: 05/01 1.1.2 10,00 3.1'],
    ['with a decimal point', '05/01 1.1.2 D 10.00 3.1', 'line 2 of the book cannot be read'],
    ['with more than that', '05/01 1.1.2 D 10,00 3.1 Aporte', 'line 2 of the book cannot be read'],
    ['of a day that is none', '30/02 1.1.2 D 10,00 3.1', 'line 2 of the book has no such day: 30/02'],
    ['without a day above', '1.1.2 D 10,00 3.1', 'line 2 of the book has no day, and no entry above'],
    [
      'without the other half',
      '05/01 1.1.2 D 10,00',
      'line 2 of the book has neither offset account nor further lines',
    ],
    [
      'that does not balance',
      '05/01 8 D 1,00\n1 C 2,00',
      'line 2 of the book begins an entry of 1,00 debit and 2,00 cr',
    ],
  ])('rejects an entry %s, and names its line', (_, text, problem) => {
    expect(() => book`\n${text}`).toThrow(problem);
  });
});

describe('a table of balances', () => {
  const answer = { openingBalance: 1000, movdeb: 0, movcred: 1234.5, movenc: 0, accumulatedBalance: -234.5 };
  const body = [answer];
  const client = { post: async () => ({ status: 200, text: '', body }) } as unknown as Client;
  const bank = { company: 'B', branch: '1', accounts: new Map([['1.1', asId<AccountId>(1)]]) };
  const check = (table: string) => expectBalances(client, bank, '01/2026', table);

  test('is compared column by column', async () => {
    await check(`
      account  opening     debit  credit    closing  balance
      1.1      1.000,00 D  0,00   1.234,50  0,00     234,50 C
    `);
    await check('account  balance\n1.1  234,50 C');
  });

  test('shows what was found beside what was expected', async () => {
    const refused = await check('account  credit  balance\n1.1  1.234,50  234,51 C').catch((error) => error);
    expect(refused).toMatchObject({
      actual: 'account  credit    balance\n1.1      1.234,50  234,50 C',
      expected: 'account  credit    balance\n1.1      1.234,50  234,51 C',
    });
    await expect(check('account  saldo\n1.1  0,00')).rejects.toThrow('column saldo');
    await expect(check('account  balance\n1.2  0,00')).rejects.toThrow('account 1.2');
    await expect(check('account  balance')).rejects.toThrow('no account');
  });
});

function line(account: string, side: 'D' | 'C', amount: bigint, offset?: string, narration?: string) {
  return { account, side, amount, offset, narration };
}
