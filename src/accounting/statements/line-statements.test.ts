import { expect, test } from 'vitest';
import { day } from '../../../test/support/period.ts';
import { idOf, movement, SMALL_BANK } from '../../../test/support/small-bank.ts';
import type { AccountId } from '../ids.ts';
import { journal } from './journal.ts';
import { ledger } from './ledger.ts';
import { type LineStatement, NO_TURNOVER, type StatementLine } from './line-statement.ts';
import { postingListing } from './posting-listing.ts';

/** '31/01 D 2.1 1.1 50,00' in the notation of the books, the offset account '-' where there are several. */
function line(text: string): StatementLine {
  const [date, side, account, counter, amount] = text.split(' ') as [string, 'D' | 'C', string, string, string];
  const [ofDay, ofMonth] = date.split('/');
  return {
    day: day(`2026-${ofMonth}-${ofDay}`),
    batch: '1',
    document: '1',
    entry: '1',
    accountId: idOf(account),
    offsetId: counter === '-' ? null : idOf(counter),
    side,
    amount: BigInt(amount.replace(',', '')),
    printedNarration: text,
  };
}

/** The rows of each portion, those at the end last. */
function rowsOf<Row>(statement: LineStatement<Row>, ...portions: readonly string[][]): Row[] {
  return [...portions.flatMap((lines) => statement.add(lines.map(line))), ...statement.end()];
}

const BOOK = ['30/01 D 2.1 1.1 50,00', '30/01 C 1.1 2.1 50,00', '31/01 D 1.1 - 7,00', '02/02 C 1.2 - 7,00'];
const accountOf = (id: AccountId) => SMALL_BANK.accounts.find((account) => account.id === id);
const turnover = (debit: bigint, credit = debit) => ({ debit, credit });

test('the journal totals each day, each month and the whole, wherever portions end', () => {
  const whole = rowsOf(journal(accountOf), BOOK);
  expect(whole.map(({ kind }) => kind).join(' ')).toBe(
    'DAY LINE LINE DAY_TOTAL DAY LINE DAY_TOTAL MONTH_TOTAL DAY LINE DAY_TOTAL MONTH_TOTAL TOTAL',
  );
  expect(whole[1]).toMatchObject({ account: { code: '2.1' }, whole: turnover(50_00n, 0n) });
  expect(whole[3]).toEqual({ kind: 'DAY_TOTAL', day: '2026-01-30', total: turnover(50_00n), whole: turnover(50_00n) });
  expect(whole[7]).toEqual({
    kind: 'MONTH_TOTAL',
    month: '2026-01',
    total: turnover(57_00n, 50_00n),
    whole: turnover(57_00n, 50_00n),
  });
  expect(whole[11]).toMatchObject({ month: '2026-02', total: turnover(0n, 7_00n), whole: turnover(57_00n) });
  expect(whole.at(-1)).toEqual({ kind: 'TOTAL', whole: turnover(57_00n) });
  expect(rowsOf(journal(accountOf), BOOK.slice(0, 1), [], BOOK.slice(1, 3), BOOK.slice(3))).toEqual(whole);
});

test('a journal without lines says so', () => {
  expect(rowsOf(journal(accountOf))).toEqual([{ kind: 'NO_LINES' }, { kind: 'TOTAL', whole: NO_TURNOVER }]);
});

const LEDGER_FACTS = {
  accounts: SMALL_BANK.accounts.filter(({ type }) => type === 'A').slice(0, 4),
  openings: new Map([
    [idOf('1.1'), 900_00n],
    [idOf('1.2'), 100_00n],
  ]),
  accountOf,
};
const OF_ACCOUNTS = ['30/01 C 1.1 2.1 50,00', '31/01 D 1.1 - 7,00', '30/01 D 2.1 1.1 50,00'];

test('the ledger runs account by account with the balance before and after every line', () => {
  const rows = rowsOf(ledger(LEDGER_FACTS, { onlyWithMovement: false, showZeroBalances: false }), OF_ACCOUNTS);
  const heads = rows.flatMap((row) => (row.kind === 'ACCOUNT' ? [row.account.code] : []));
  expect(heads).toEqual(['1.1', '1.2', '2.1']);
  expect(rows.slice(1, 5)).toMatchObject([
    { kind: 'OPENING', balance: 900_00n, movement: movement(900_00n) },
    { kind: 'LINE', counter: { code: '2.1' }, balance: 850_00n, movement: movement(900_00n, 0n, 50_00n) },
    { kind: 'LINE', counter: undefined, balance: 857_00n },
    { kind: 'ACCOUNT_TOTAL', balance: 857_00n, movement: movement(900_00n, 7_00n, 50_00n) },
  ]);
  expect(rows.at(-1)).toEqual({ kind: 'TOTAL', total: turnover(57_00n, 50_00n) });
});

test('accounts without lines are shown for their balance, for the asking, or not', () => {
  const heads = (onlyWithMovement: boolean, showZeroBalances: boolean) =>
    rowsOf(ledger(LEDGER_FACTS, { onlyWithMovement, showZeroBalances }), OF_ACCOUNTS)
      .flatMap((row) => (row.kind === 'ACCOUNT' ? [row.account.code] : []))
      .join(' ');
  expect(heads(true, true)).toBe('1.1 2.1');
  expect(heads(false, true)).toBe('1.1 1.2 1.3 2.1');
  const none = { ...LEDGER_FACTS, openings: new Map() };
  expect(rowsOf(ledger(none, { onlyWithMovement: false, showZeroBalances: false }))).toEqual([
    { kind: 'NO_ACCOUNTS' },
    { kind: 'TOTAL', total: NO_TURNOVER },
  ]);
});

test('the listing counts its lines and sums them', () => {
  const rows = rowsOf(postingListing(accountOf), BOOK.slice(0, 2), BOOK.slice(2));
  expect(rows[0]).toMatchObject({ kind: 'LINE', account: { code: '2.1' }, counter: { code: '1.1' } });
  expect(rows[2]).toMatchObject({ account: { code: '1.1' }, counter: undefined });
  expect(rows.at(-1)).toEqual({ kind: 'TOTAL', lines: 4, total: turnover(57_00n) });
});
