import fc from 'fast-check';
import { expect, test } from 'vitest';
import { balanceOf, rollUpBalances } from './balance.ts';
import { sumOf } from './money.ts';

const chart = [
  { id: 1, ancestors: [] },
  { id: 11, ancestors: [1] },
  { id: 111, ancestors: [1, 11] },
  { id: 112, ancestors: [1, 11] },
  { id: 2, ancestors: [] },
  { id: 21, ancestors: [2] },
];
const leaves = [111, 112, 21];

test('opening + debit - credit + closing', () => {
  expect(balanceOf({ opening: 100n, debit: 30n, credit: 50n, closing: -80n })).toBe(0n);
});

test('lines fold into the account and everything above it; closing stays apart', () => {
  const movements = rollUpBalances(
    [
      { accountId: 111, side: 'D', amount: 70n, closing: false },
      { accountId: 112, side: 'C', amount: 20n, closing: false },
      { accountId: 21, side: 'C', amount: 50n, closing: false },
      { accountId: 21, side: 'D', amount: 40n, closing: true },
      { accountId: 111, side: 'C', amount: 40n, closing: true },
    ],
    chart,
    new Map([
      [111, 10n],
      [21, -10n],
    ]),
  );
  expect(movements.get(111)).toEqual({ opening: 10n, debit: 70n, credit: 0n, closing: -40n });
  expect(movements.get(1)).toEqual({ opening: 10n, debit: 70n, credit: 20n, closing: -40n });
  expect(movements.get(11)).toEqual(movements.get(1));
  expect(movements.get(2)).toEqual({ opening: -10n, debit: 0n, credit: 50n, closing: 40n });
  expect(movements.size).toBe(chart.length);
});

test('a line of an account outside the chart is a mistake of the caller', () => {
  expect(() => rollUpBalances([{ accountId: 9, side: 'D', amount: 1n, closing: false }], chart)).toThrow(
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
      const balance = (id: number) => balanceOf(movements.get(id)!);
      expect(sumOf(leaves.map(balance))).toBe(0n);
      expect(balance(11)).toBe(balance(111) + balance(112));
      expect(balance(1) + balance(2)).toBe(0n);
    }),
  );
});
