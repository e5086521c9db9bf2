import fc from 'fast-check';
import { expect, test } from 'vitest';
import { balanceOf, NO_MOVEMENT, rollUpBalances } from './balance.ts';
import { type AccountId, asId } from './ids.ts';
import { sumOf } from './money.ts';

const account = (id: number, ...ancestors: number[]) => ({
  id: asId<AccountId>(id),
  ancestors: ancestors.map(asId<AccountId>),
});

const chart = [account(1), account(11, 1), account(111, 1, 11), account(112, 1, 11), account(2), account(21, 2)];
const leaves = [111, 112, 21].map(asId<AccountId>);

test('opening + debit - credit + closing', () => {
  expect(balanceOf({ opening: 100n, debit: 30n, credit: 50n, closing: -80n })).toBe(0n);
});

test('lines fold into the account and everything above it; closing stays apart', () => {
  const movements = rollUpBalances(
    [
      { accountId: asId(111), side: 'D', amount: 70n, closing: false },
      { accountId: asId(112), side: 'C', amount: 20n, closing: false },
      { accountId: asId(21), side: 'C', amount: 50n, closing: false },
      { accountId: asId(21), side: 'D', amount: 40n, closing: true },
      { accountId: asId(111), side: 'C', amount: 40n, closing: true },
    ],
    chart,
    new Map([
      [asId(111), 10n],
      [asId(21), -10n],
    ]),
  );
  expect(movements.get(asId(111))).toEqual({
    ...NO_MOVEMENT,
    opening: 10n,
    debit: 70n,
    closing: -40n,
    closingCredit: 40n,
  });
  expect(movements.get(asId(1))).toEqual({
    ...NO_MOVEMENT,
    opening: 10n,
    debit: 70n,
    credit: 20n,
    closing: -40n,
    closingCredit: 40n,
  });
  expect(movements.get(asId(11))).toEqual(movements.get(asId(1)));
  expect(movements.get(asId(2))).toEqual({
    ...NO_MOVEMENT,
    opening: -10n,
    credit: 50n,
    closing: 40n,
    closingDebit: 40n,
  });
  expect(movements.size).toBe(chart.length);
});

test('a line of an account outside the chart is a mistake of the caller', () => {
  expect(() => rollUpBalances([{ accountId: asId(9), side: 'D', amount: 1n, closing: false }], chart)).toThrow(
    /not in the chart/,
  );
});

test('balanced entries leave leaf balances that sum to zero, and every parent sums its children', () => {
  const entries = fc.array(
    fc.record({
      debit: fc.constantFrom(...leaves),
      credit: fc.constantFrom(...leaves),
      amount: fc.bigInt({ min: 1n, max: 10n ** 15n }),
      closing: fc.boolean(),
    }),
  );
  fc.assert(
    fc.property(entries, (facts) => {
      const movements = rollUpBalances(
        facts.flatMap(({ debit, credit, amount, closing }) => [
          { accountId: debit, side: 'D' as const, amount, closing },
          { accountId: credit, side: 'C' as const, amount, closing },
        ]),
        chart,
      );
      const balance = (id: AccountId) => balanceOf(movements.get(id)!);
      expect(sumOf(leaves.map(balance))).toBe(0n);
      expect(balance(asId(11))).toBe(balance(asId(111)) + balance(asId(112)));
      expect(balance(asId(1)) + balance(asId(2))).toBe(0n);
    }),
  );
});
