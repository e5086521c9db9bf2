import { expect, test } from 'vitest';
import { day } from '../../test/support/period.ts';
import { balancingLine, type EntryLine, totalOf } from './entry.ts';
import { type AccountId, asId } from './ids.ts';

const debit: EntryLine & { offsetAccountId: AccountId } = {
  side: 'D',
  accountId: asId(1),
  offsetAccountId: asId(2),
  amount: 100n,
  day: day('2026-01-05'),
  narration: 'Depósito',
  narrationCode: null,
};

test('the balancing line exchanges side and accounts, and balances', () => {
  const credit = balancingLine(debit);
  expect(credit).toEqual({ ...debit, side: 'C', accountId: asId(2), offsetAccountId: asId(1) });
  expect(balancingLine({ ...credit, offsetAccountId: asId(1) })).toEqual(debit);
  expect(totalOf([debit, credit], 'D')).toBe(totalOf([debit, credit], 'C'));
});
