import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addMovements, balanceOf, type Movement, NO_MOVEMENT, rollUpBalances } from './balance.ts';
import { defaultPairs, type EliminationPair, Eliminations, pairProblems } from './eliminations.ts';
import { type AccountId, asId } from './ids.ts';
import { sumOf } from './money.ts';
import type { StatementAccount } from './statements/statement.ts';

type Account = StatementAccount & { readonly shortCode: string };

function parentOf(codes: readonly string[], code: string): AccountId | null {
  const place = codes.indexOf(code.split('.').slice(0, -1).join('.'));
  return place < 0 ? null : asId<AccountId>(place + 1);
}

/** Accounts in their order; a code with others below it is a summary account. */
function chartOf(...codes: readonly string[]): Account[] {
  return codes.map((code, at) => ({
    id: asId<AccountId>(at + 1),
    parentId: parentOf(codes, code),
    code,
    shortCode: String(at + 1),
    description: code,
    type: codes.some((other) => other.startsWith(`${code}.`)) ? 'S' : 'A',
    level: code.split('.').length,
    accountClass: '01',
    normalBalance: 'M',
  }));
}

const CHART = chartOf('1', '1.1', '1.5', '1.5.1', '1.5.2', '2', '2.1', '4', '4.5', '4.5.1', '4.5.2');
const PAIR: EliminationPair = { debit: '1.5', credit: '4.5' };

function movement(opening: bigint, debit = 0n, credit = 0n, closing = 0n): Movement {
  const [closingDebit, closingCredit] = closing > 0n ? [closing, 0n] : [0n, -closing];
  return { opening, debit, credit, closing, closingDebit, closingCredit };
}

/** Movements of all accounts from those of the posting accounts. */
function rolledUp(chart: readonly Account[], leaves: Readonly<Record<string, Movement>>): Map<AccountId, Movement> {
  const sums = new Map<AccountId, Movement>();
  for (const [code, moved] of Object.entries(leaves)) {
    for (let each = chart.find((account) => account.code === code); each; ) {
      sums.set(each.id, addMovements(sums.get(each.id) ?? NO_MOVEMENT, moved));
      const { parentId } = each;
      each = chart.find((account) => account.id === parentId);
    }
  }
  return sums;
}

/** Code and movement of the accounts that have one, the lines of residues by their names. */
function shown(
  eliminations: Eliminations<Account>,
  movements: ReadonlyMap<number, Movement>,
): Record<string, Movement> {
  return Object.fromEntries(
    eliminations.accounts.flatMap((account) => {
      const found = movements.get(account.id);
      return found === undefined ? [] : [[account.id < 0 ? account.description : account.code, found]];
    }),
  );
}

describe('a pair of prefixes', () => {
  const eliminations = new Eliminations(CHART, [PAIR], []);
  const eliminated = (leaves: Readonly<Record<string, Movement>>) => eliminations.eliminate(rolledUp(CHART, leaves));

  test('that cancels leaves nothing behind, whatever accounts the claims are on', () => {
    const movements = eliminated({
      '1.1': movement(0n, 10n),
      '1.5.1': movement(70n, 30n),
      '1.5.2': movement(30n, 0n, 20n),
      '2.1': movement(0n, 0n, 10n),
      '4.5.1': movement(-100n, 20n),
      '4.5.2': movement(0n, 0n, 30n),
    });
    expect(shown(eliminations, movements)).toEqual({
      '1': movement(0n, 10n),
      '1.1': movement(0n, 10n),
      '2': movement(0n, 0n, 10n),
      '2.1': movement(0n, 0n, 10n),
    });
    expect(eliminations.residuesIn(movements)).toEqual([]);
  });

  test('keeps what does not cancel on a line under the side of its balance', () => {
    const claims = eliminated({ '1.5.1': movement(100n), '2.1': movement(-25n), '4.5.1': movement(-75n) });
    expect(shown(eliminations, claims)).toEqual({
      '1': movement(25n),
      '1.5': movement(25n),
      'Eliminações não casadas 1.5/4.5': movement(25n),
      '2': movement(-25n),
      '2.1': movement(-25n),
    });
    const debts = eliminated({ '1.5.1': movement(75n), '2.1': movement(25n), '4.5.1': movement(-100n) });
    expect(shown(eliminations, debts)).toEqual({
      '2': movement(25n),
      '2.1': movement(25n),
      '4': movement(-25n),
      '4.5': movement(-25n),
      'Eliminações não casadas 1.5/4.5': movement(-25n),
    });
    expect(eliminations.residuesIn(debts)).toEqual([{ pair: PAIR, movement: movement(-25n) }]);
  });

  test('answered a month late shows the answer as movement', () => {
    const movements = eliminated({
      '1.5.1': movement(40n),
      '1.1': movement(-40n, 40n),
      '4.5.1': movement(0n, 0n, 40n),
    });
    expect(shown(eliminations, movements)['Eliminações não casadas 1.5/4.5']).toEqual(movement(40n, 0n, 40n));
  });

  test('takes closing entries along, and the opposite sides of accounts that turned', () => {
    const movements = eliminated({ '1.5.1': movement(-5n, 0n, 0n, 3n), '4.5.1': movement(5n, 0n, 0n, -3n) });
    expect(movements.size).toBe(0);
  });

  test('of which the chart has one side only hangs both lines under it; of neither, none', () => {
    const onlyDebit = chartOf('1', '1.5', '1.5.1', '2');
    const half = new Eliminations(onlyDebit, [PAIR], []);
    const debts = half.eliminate(rolledUp(onlyDebit, { '1.5.1': movement(-9n), '2': movement(9n) }));
    expect(shown(half, debts)).toEqual({
      '1': movement(-9n),
      '1.5': movement(-9n),
      'Eliminações não casadas 1.5/4.5': movement(-9n),
      '2': movement(9n),
    });
    const chart = chartOf('1', '2');
    const movementsOf = rolledUp(chart, { '1': movement(1n), '2': movement(-1n) });
    const none = new Eliminations(chart, [PAIR], []);
    expect(none.accounts).toBe(chart);
    expect(none.eliminate(movementsOf)).toEqual(movementsOf);
  });

  test('of posting accounts themselves puts its line beside them', () => {
    const exact = new Eliminations(CHART, [{ debit: '1.5.1', credit: '4.5.1' }], []);
    const [line] = exact.accounts.filter(({ id }) => id < 0);
    expect(line).toMatchObject({ parentId: 3, level: 3, type: 'A', code: '1.5.1', shortCode: '' });
    expect(exact.accounts.map(({ id }) => id)).toEqual([1, 2, 3, 4, -1, 5, 6, 7, 8, 9, 10, -2, 11]);
  });
});

test('debits still equal credits, and a summary account is still the sum of those below', () => {
  const amount = fc.bigInt({ min: 0n, max: 1_000n });
  const leaves = CHART.filter(({ type }) => type === 'A');
  const fact = fc.record({
    debit: fc.constantFrom(...leaves),
    credit: fc.constantFrom(...leaves),
    amount,
    isOpening: fc.boolean(),
    closing: fc.boolean(),
  });
  const pairs = fc.constantFrom<readonly EliminationPair[]>(
    [],
    [PAIR],
    [
      { debit: '1.5.1', credit: '4.5.1' },
      { debit: '1.5.2', credit: '4.5.2' },
    ],
    [{ debit: '4.5', credit: '2.1' }],
  );
  fc.assert(
    fc.property(fc.array(fact, { maxLength: 30 }), pairs, (facts, pairs) => {
      const ancestors = ({ id, parentId }: Account): AccountId[] => {
        const parent = CHART.find((account) => account.id === parentId);
        return parent === undefined || parent.id === id ? [] : [...ancestors(parent), parent.id];
      };
      const openings = new Map<AccountId, bigint>();
      for (const { debit, credit, amount, isOpening } of facts) {
        if (!isOpening) continue;
        openings.set(debit.id, (openings.get(debit.id) ?? 0n) + amount);
        openings.set(credit.id, (openings.get(credit.id) ?? 0n) - amount);
      }
      const lines = facts
        .filter(({ isOpening }) => !isOpening)
        .flatMap(({ debit, credit, amount, closing }) => [
          { accountId: debit.id, side: 'D' as const, amount, closing },
          { accountId: credit.id, side: 'C' as const, amount, closing },
        ]);
      const movements = rollUpBalances(
        lines,
        CHART.map((account) => ({ id: account.id, ancestors: ancestors(account) })),
        openings,
      );
      const eliminations = new Eliminations(CHART, pairs, []);
      const after = eliminations.eliminate(movements);
      const of = ({ id }: { id: number }) => after.get(id) ?? NO_MOVEMENT;
      const postings = eliminations.accounts.filter(({ type }) => type === 'A').map(of);
      expect(sumOf(postings.map(({ opening }) => opening))).toBe(0n);
      expect(sumOf(postings.map(balanceOf))).toBe(0n);
      const total = postings.reduce(addMovements, NO_MOVEMENT);
      expect(total.debit).toBe(total.credit);
      expect(total.closingDebit).toBe(total.closingCredit);
      for (const account of eliminations.accounts.filter(({ type }) => type === 'S')) {
        const children = eliminations.accounts.filter(({ parentId }) => parentId === account.id).map(of);
        expect(of(account)).toEqual(children.reduce(addMovements, NO_MOVEMENT));
      }
      const left = eliminations.residuesIn(after).map(({ movement }) => balanceOf(movement));
      const inPairs = CHART.filter(
        ({ type, code }) =>
          type === 'A' && pairs.some(({ debit, credit }) => code.startsWith(debit) || code.startsWith(credit)),
      );
      expect(sumOf(left)).toBe(sumOf(inPairs.map(({ id }) => balanceOf(movements.get(id) ?? NO_MOVEMENT))));
      for (const { id } of inPairs) expect(after.has(id)).toBe(false);
    }),
  );
});

test('balances of a moment are eliminated alike', () => {
  const eliminations = new Eliminations(CHART, [PAIR], []);
  const balances = new Map(
    [...rolledUp(CHART, { '1.5.1': movement(9n), '4.5.1': movement(-9n), '2.1': movement(0n) })].map(
      ([id, { opening }]) => [id, opening],
    ),
  );
  expect([...eliminations.eliminateBalances(balances).values()].filter((balance) => balance !== 0n)).toEqual([]);
});

test('only the chart of the central bank has pairs of its own', () => {
  expect(defaultPairs('COSIF')).toEqual([PAIR]);
  expect(defaultPairs('CVM')).toEqual([]);
  expect(defaultPairs('NONE')).toEqual([]);
});

test('prefixes with accounts in common are rejected', () => {
  const overlap = (...pairs: readonly EliminationPair[]) =>
    pairProblems(pairs, [], 'pairs').map(({ params }) => `${params.other} ${params.prefix}`);
  expect(overlap(PAIR, { debit: '1.6', credit: '4.6' })).toEqual([]);
  expect(overlap({ debit: '1.5', credit: '1.5' })).toEqual(['1.5 1.5']);
  expect(overlap(PAIR, { debit: '1.5.2', credit: '4' })).toEqual(['1.5 1.5.2', '4.5 4']);
});
