import { expect, test } from 'vitest';
import { type AccountId, asId } from './ids.ts';
import type { Day } from './period.ts';
import { recomputeBalances } from './recomputed-balances.ts';

const [root, group, cash, bank] = [1, 2, 3, 4].map((id) => asId<AccountId>(id)) as [
  AccountId,
  AccountId,
  AccountId,
  AccountId,
];
const PARENTS = new Map<AccountId, AccountId | null>([
  [root, null],
  [group, root],
  [cash, group],
  [bank, group],
]);
const day = (number: string) => `2026-01-${number}` as Day;
const moved = (
  accountId: AccountId,
  on: Day,
  amounts: Partial<Record<'debit' | 'credit' | 'closingDebit', bigint>>,
) => ({
  accountId,
  day: on,
  debit: 0n,
  credit: 0n,
  closingDebit: 0n,
  closingCredit: 0n,
  ...amounts,
});

test('openings and movements add up on the account and on all above it, day by day', () => {
  const balances = recomputeBalances(
    new Map([[cash, 100n]]),
    [
      moved(bank, day('20'), { credit: 5n }),
      moved(cash, day('05'), { debit: 10n }),
      moved(bank, day('05'), { closingDebit: 3n }),
    ],
    (id) => PARENTS.get(id),
  );
  expect([...balances.keys()].sort()).toEqual([root, group, cash, bank]);
  expect(balances.get(cash)).toMatchObject({ opening: 100n, debit: 10n, balance: 110n });
  expect(balances.get(root)).toEqual({
    opening: 100n,
    debit: 10n,
    credit: 5n,
    closingDebit: 3n,
    closingCredit: 0n,
    balance: 108n,
    days: [
      { day: day('05'), debit: 10n, credit: 0n, closingDebit: 3n, closingCredit: 0n, balance: 113n },
      { day: day('20'), debit: 0n, credit: 5n, closingDebit: 0n, closingCredit: 0n, balance: 108n },
    ],
  });
});

test('openings that cancel each other give an account above them nothing; lines that do still count', () => {
  const parentOf = (id: AccountId) => PARENTS.get(id);
  const openings = new Map([
    [cash, 7n],
    [bank, -7n],
  ]);
  expect([...recomputeBalances(openings, [], parentOf).keys()]).toEqual([cash, bank]);
  const lines = [moved(cash, day('01'), { debit: 4n }), moved(bank, day('01'), { credit: 4n })];
  expect(recomputeBalances(new Map(), lines, parentOf).get(group)).toMatchObject({
    debit: 4n,
    credit: 4n,
    balance: 0n,
  });
});

test('a chart made into a circle is walked once', () => {
  const circle = new Map([
    [cash, bank],
    [bank, cash],
  ]);
  const balances = recomputeBalances(new Map([[cash, 1n]]), [], (id) => circle.get(id));
  expect([...balances].map(([id, { balance }]) => [id, balance])).toEqual([
    [cash, 1n],
    [bank, 1n],
  ]);
});
