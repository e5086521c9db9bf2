import { expect, test } from 'vitest';
import { day } from '../../test/support/period.ts';
import { balancingLine, type EntryLine, totalOf } from './entry.ts';

const debit: EntryLine & { offsetAccountId: number } = {
  side: 'D',
  accountId: 1,
  offsetAccountId: 2,
  amount: 100n,
  day: day('2026-01-05'),
  narration: 'Depósito',
  narrationCode: null,
};

test('the balancing line exchanges side and accounts, and balances', () => {
  const credit = balancingLine(debit);
  expect(credit).toEqual({ ...debit, side: 'C', accountId: 2, offsetAccountId: 1 });
  expect(balancingLine({ ...credit, offsetAccountId: 1 })).toEqual(debit);
  expect(totalOf([debit, credit], 'D')).toBe(totalOf([debit, credit], 'C'));
});
