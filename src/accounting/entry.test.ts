import { expect, test } from 'vitest';
import { balanceProblems, balancingLine, type EntryLine, entryProblems } from './entry.ts';
import { MAX_ENTRY_AMOUNT } from './money.ts';

function line(changes: Partial<EntryLine> = {}): EntryLine {
  return {
    side: 'D',
    accountId: 1,
    counterAccountId: 2,
    amount: 100n,
    day: '2026-01-05',
    history: 'Depósito',
    historyCode: null,
    ...changes,
  };
}

const credit = (changes: Partial<EntryLine> = {}) => line({ side: 'C', accountId: 2, counterAccountId: 1, ...changes });
const codes = (problems: readonly { code: string }[]) => problems.map(({ code }) => code);
const problemsOf = (...lines: EntryLine[]) => entryProblems({ number: '7', lines }, '2026-01');

test('a balanced entry of the month has no problem', () => {
  expect(problemsOf(line(), credit())).toEqual([]);
  expect(problemsOf(line({ amount: MAX_ENTRY_AMOUNT }), credit({ amount: MAX_ENTRY_AMOUNT }))).toEqual([]);
});

test('every reason is told at once', () => {
  expect(codes(problemsOf(line({ amount: 0n }), credit({ amount: 0n })))).toEqual([
    'AMOUNT_NOT_POSITIVE',
    'AMOUNT_NOT_POSITIVE',
  ]);
  expect(codes(problemsOf(line({ amount: -1n, day: '2026-02-01', counterAccountId: 1 })))).toEqual([
    'AMOUNT_NOT_POSITIVE',
    'DAY_NOT_IN_MONTH',
    'SAME_ACCOUNT',
    'UNBALANCED_ENTRY',
  ]);
  const beyond = MAX_ENTRY_AMOUNT + 1n;
  expect(codes(problemsOf(line({ amount: beyond }), credit({ amount: beyond })))).toEqual([
    'INVALID_FIELD',
    'INVALID_FIELD',
  ]);
});

test('one cent is enough to unbalance, and the problem says how far', () => {
  expect(balanceProblems('7', [line(), credit({ amount: 99n })])).toEqual([
    { code: 'UNBALANCED_ENTRY', params: { entry: '7', debits: '1.00', credits: '0.99' } },
  ]);
});

test('the balancing line exchanges side and accounts, and balances', () => {
  const debit = { ...line(), counterAccountId: 2 };
  expect(balancingLine(debit)).toEqual(credit());
  expect(balancingLine({ ...balancingLine(debit), counterAccountId: 1 })).toEqual(debit);
});
