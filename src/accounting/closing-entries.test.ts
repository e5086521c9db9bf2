import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FIRST_MASKS } from '../../test/support/masks.ts';
import { type ClosureSettings, closingLines } from './closing-entries.ts';
import { totalOf } from './entry.ts';
import { type AccountId, asId } from './ids.ts';

const accounts = [
  { id: 1, code: '1.1', takesEntries: true },
  { id: 6, code: '6.1', takesEntries: true },
  { id: 7, code: '7', takesEntries: false },
  { id: 710, code: '7.10', takesEntries: true },
  { id: 72, code: '7.2', takesEntries: true },
  { id: 79, code: '7.9', takesEntries: true },
  { id: 81, code: '8.1', takesEntries: true },
  { id: 82, code: '8.2', takesEntries: true },
  { id: 89, code: '8.9', takesEntries: true },
  { id: 61, code: '6.2', takesEntries: true },
].map((account) => ({ ...account, id: asId<AccountId>(account.id) }));
const settings: ClosureSettings = {
  revenueGroups: ['7'],
  expenseGroups: ['8*'],
  creditResultAccountId: asId<AccountId>(79),
  debitResultAccountId: asId<AccountId>(89),
  profitAccountId: asId<AccountId>(6),
  lossAccountId: asId<AccountId>(61),
  excludeAccounts: [],
};

function close(balances: Record<number, bigint>, changes: Partial<ClosureSettings> = {}) {
  const map = new Map(Object.entries(balances).map(([id, balance]) => [asId<AccountId>(Number(id)), balance]));
  return closingLines({ ...settings, ...changes }, map, accounts, FIRST_MASKS);
}

function shown(entries: ReturnType<typeof close>): string[] {
  return entries.map(({ number, lines }) => {
    const parts = lines.map((line) => `${line.side} ${line.accountId}/${line.offsetAccountId ?? '-'} ${line.amount}`);
    return `${number}: ${parts.join(', ')}`;
  });
}

test('a profit: revenues and expenses to the result accounts, their net to the profit account, in code order', () => {
  expect(shown(close({ 1: 60n, 710: -30n, 72: -70n, 81: 35n, 82: 5n }))).toEqual([
    '1: D 72/79 70, C 79/72 70',
    '2: D 710/79 30, C 79/710 30',
    '3: C 81/89 35, D 89/81 35',
    '4: C 82/89 5, D 89/82 5',
    '5: D 79/6 100, C 89/6 40, C 6/- 60',
  ]);
});

test('a loss goes to the loss account', () => {
  expect(shown(close({ 72: -10n, 81: 25n })).at(-1)).toBe('3: D 79/61 10, C 89/61 25, D 61/- 15');
});

test('a balance on the unusual side is cleared too', () => {
  expect(shown(close({ 72: 10n }))).toEqual(['1: C 72/79 10, D 79/72 10', '2: C 79/61 10, D 61/79 10']);
});

test('a net of zero clears the result accounts against one another', () => {
  expect(shown(close({ 72: -10n, 81: 10n })).at(-1)).toBe('3: D 79/89 10, C 89/79 10');
});

test('one result account for both sides is cleared by its net', () => {
  expect(shown(close({ 72: -10n, 81: 4n }, { debitResultAccountId: asId<AccountId>(79) }))).toEqual([
    '1: D 72/79 10, C 79/72 10',
    '2: C 81/79 4, D 79/81 4',
    '3: D 79/6 6, C 6/79 6',
  ]);
});

test('what a result account already held is transferred with the rest', () => {
  expect(shown(close({ 72: -10n, 79: -5n })).at(-1)).toBe('2: D 79/6 15, C 6/79 15');
});

test('excluded accounts, accounts outside the groups and synthetic ones stay; nothing to close is nothing', () => {
  expect(close({ 1: 10n, 7: -99n, 72: -10n }, { excludeAccounts: [asId<AccountId>(72)] })).toEqual([]);
  expect(close({})).toEqual([]);
});

test('every entry balances, every result balance ends at zero, equity receives the net, in any order of accounts', () => {
  const amount = fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n });
  const balances = fc.record({ 710: amount, 72: amount, 79: amount, 81: amount, 82: amount, 89: amount, 6: amount });
  fc.assert(
    fc.property(balances, fc.shuffledSubarray(accounts, { minLength: accounts.length }), (before, shuffled) => {
      const map = new Map(Object.entries(before).map(([id, balance]) => [asId<AccountId>(Number(id)), balance]));
      const entries = closingLines(settings, map, shuffled, FIRST_MASKS);
      expect(entries).toEqual(closingLines(settings, map, accounts, FIRST_MASKS));
      const after = new Map(map);
      for (const { number, lines } of entries) {
        expect(totalOf(lines, 'D'), number).toBe(totalOf(lines, 'C'));
        for (const line of lines) {
          expect(line.amount).toBeGreaterThan(0n);
          const signed = line.side === 'D' ? line.amount : -line.amount;
          after.set(line.accountId, (after.get(line.accountId) ?? 0n) + signed);
        }
      }
      for (const id of [710, 72, 79, 81, 82, 89]) expect(after.get(asId<AccountId>(id))).toBe(0n);
      const net = before[710] + before[72] + before[79] + before[81] + before[82] + before[89];
      expect(after.get(asId<AccountId>(6))! - before[6] + (after.get(asId<AccountId>(61)) ?? 0n)).toBe(net);
    }),
  );
});

test('a result account that is the profit and loss account receives the result and passes nothing on', () => {
  const direct = {
    ...settings,
    creditResultAccountId: asId<AccountId>(6),
    debitResultAccountId: asId<AccountId>(6),
    profitAccountId: asId<AccountId>(6),
    lossAccountId: asId<AccountId>(6),
  };
  const entries = closingLines(
    direct,
    new Map([
      [asId<AccountId>(710), -100n],
      [asId<AccountId>(6), -500n],
    ]),
    accounts,
    FIRST_MASKS,
  );
  expect(entries).toHaveLength(1);
  expect(entries[0]!.lines).toMatchObject([
    { side: 'D', accountId: 710, offsetAccountId: 6, amount: 100n },
    { side: 'C', accountId: 6, offsetAccountId: 710, amount: 100n },
  ]);
});
