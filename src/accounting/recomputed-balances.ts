import type { AccountId } from './ids.ts';
import type { Centavos } from './money.ts';
import type { Day } from './period.ts';

/** What lines moved, in centavos; those of closing entries apart. */
export interface MovedAmounts {
  readonly debit: Centavos;
  readonly credit: Centavos;
  readonly closingDebit: Centavos;
  readonly closingCredit: Centavos;
}

/** What the lines of a month moved on a posting account and day. */
export interface DayMovement extends MovedAmounts {
  readonly accountId: AccountId;
  readonly day: Day;
}

/** An account that moved or has a balance: debit-positive before the month, what moved in it, and its days in order. */
export interface RecomputedBalance extends MovedAmounts {
  readonly opening: Centavos;
  readonly balance: Centavos;
  readonly days: readonly RecomputedDay[];
}

export interface RecomputedDay extends MovedAmounts {
  readonly day: Day;
  /** At the end of the day, debit-positive. */
  readonly balance: Centavos;
}

/** Where an account hangs in its chart. */
export type ParentOf = (id: AccountId) => AccountId | null | undefined;

/**
 * Balances of a month by plain addition, for comparison with stored ones (domain: closing a month, 3): every opening and
 * every movement of a posting account is added to it and, one parent after the other, to all accounts above it. An account
 * without opening and lines has none.
 */
export function recomputeBalances(
  openings: ReadonlyMap<AccountId, Centavos>,
  movements: readonly DayMovement[],
  parentOf: ParentOf,
): Map<AccountId, RecomputedBalance> {
  const opened = new Map<AccountId, Centavos>();
  for (const [id, balance] of openings) {
    for (const each of pathUp(id, parentOf)) opened.set(each, (opened.get(each) ?? 0n) + balance);
  }
  const moved = new Map<AccountId, Map<Day, MovedAmounts>>();
  for (const movement of movements) {
    for (const each of pathUp(movement.accountId, parentOf)) {
      const days = moved.get(each) ?? new Map<Day, MovedAmounts>();
      days.set(movement.day, added(days.get(movement.day) ?? NOTHING, movement));
      moved.set(each, days);
    }
  }
  const balances = new Map<AccountId, RecomputedBalance>();
  for (const id of new Set([...opened.keys(), ...moved.keys()])) {
    const days = moved.get(id);
    const opening = opened.get(id) ?? 0n;
    if (opening !== 0n || days !== undefined) balances.set(id, inOrder(opening, days ?? new Map()));
  }
  return balances;
}

function inOrder(opening: Centavos, moved: ReadonlyMap<Day, MovedAmounts>): RecomputedBalance {
  let balance = opening;
  let total = NOTHING;
  const days = [...moved]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([day, amounts]): RecomputedDay => {
      balance += netOf(amounts);
      total = added(total, amounts);
      return { day, ...amounts, balance };
    });
  return { opening, ...total, balance, days };
}

/** The account and all above it; a chart that has become a circle ends where it began. */
function pathUp(id: AccountId, parentOf: ParentOf): Set<AccountId> {
  const path = new Set<AccountId>();
  for (let at: AccountId | null | undefined = id; at != null && !path.has(at); at = parentOf(at)) path.add(at);
  return path;
}

const NOTHING: MovedAmounts = { debit: 0n, credit: 0n, closingDebit: 0n, closingCredit: 0n };

function added(one: MovedAmounts, other: MovedAmounts): MovedAmounts {
  return {
    debit: one.debit + other.debit,
    credit: one.credit + other.credit,
    closingDebit: one.closingDebit + other.closingDebit,
    closingCredit: one.closingCredit + other.closingCredit,
  };
}

function netOf({ debit, credit, closingDebit, closingCredit }: MovedAmounts): Centavos {
  return debit - credit + closingDebit - closingCredit;
}
