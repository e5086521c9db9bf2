import type { Side } from './entry.ts';
import type { AccountId } from './ids.ts';
import type { Centavos } from './money.ts';

/** 01 asset, 02 liability, 03 equity, 04 result, 05 memorandum, 09 other: SPED's COD_NAT. */
export type AccountClass = '01' | '02' | '03' | '04' | '05' | '09';

/** The side that increases the account; M where either does. */
export type Nature = 'D' | 'C' | 'M';

/** What happened to one account in one period, debit-positive. */
export interface Movement {
  readonly opening: Centavos;
  readonly debit: Centavos;
  readonly credit: Centavos;
  /** Signed net (debit less credit) of closing entries, which stay out of `debit` and `credit`. */
  readonly closing: Centavos;
  /** What `closing` is the net of: with them the movement of a month ties to its journal. */
  readonly closingDebit: Centavos;
  readonly closingCredit: Centavos;
}

export const NO_MOVEMENT: Movement = {
  opening: 0n,
  debit: 0n,
  credit: 0n,
  closing: 0n,
  closingDebit: 0n,
  closingCredit: 0n,
};

/** The balance at the end of the period. */
export function balanceOf({
  opening,
  debit,
  credit,
  closing,
}: Pick<Movement, 'opening' | 'debit' | 'credit' | 'closing'>): Centavos {
  return opening + debit - credit + closing;
}

/** The side that a debit-positive balance is on; zero is on the debit side. */
export function sideOf(balance: Centavos): Side {
  return balance < 0n ? 'C' : 'D';
}

/** Neither balance nor movement. */
export function isNoMovement(movement: Movement): boolean {
  const { opening, debit, credit } = movement;
  return opening === 0n && debit === 0n && credit === 0n && !isMovedByClosing(movement);
}

/** Whether closing entries moved the account. */
export function isMovedByClosing({ closingDebit, closingCredit }: Movement): boolean {
  return closingDebit !== 0n || closingCredit !== 0n;
}

/** The same as if nothing had been closed. */
export function withoutClosing(movement: Movement): Movement {
  return isMovedByClosing(movement) ? { ...movement, ...NO_CLOSING } : movement;
}

/** The same with the closing within debits or credits: for statements without a column of its own. */
export function mergeClosing({ opening, debit, credit, closingDebit, closingCredit }: Movement): Movement {
  return { opening, debit: debit + closingDebit, credit: credit + closingCredit, ...NO_CLOSING };
}

const NO_CLOSING = { closing: 0n, closingDebit: 0n, closingCredit: 0n };

export function addMovements(a: Movement, b: Movement): Movement {
  return {
    opening: a.opening + b.opening,
    debit: a.debit + b.debit,
    credit: a.credit + b.credit,
    closing: a.closing + b.closing,
    closingDebit: a.closingDebit + b.closingDebit,
    closingCredit: a.closingCredit + b.closingCredit,
  };
}

export interface RollUpLine {
  readonly accountId: AccountId;
  readonly side: Side;
  readonly amount: Centavos;
  readonly closing: boolean;
}

export interface RollUpAccount {
  readonly id: AccountId;
  /** Ids of every account above it. */
  readonly ancestors: readonly AccountId[];
}

/**
 * Movements of all accounts, summary accounts included, by walking the lines. It says what the balances are in the plainest
 * way; the SQL that computes them for the program is tested against it.
 * @internal
 */
export function rollUpBalances(
  lines: Iterable<RollUpLine>,
  accounts: readonly RollUpAccount[],
  openings: ReadonlyMap<AccountId, Centavos> = new Map(),
): Map<AccountId, Movement> {
  const movements = new Map(accounts.map(({ id }) => [id, NO_MOVEMENT]));
  const paths = new Map(accounts.map(({ id, ancestors }) => [id, new Set([id, ...ancestors])]));
  const add = (accountId: AccountId, movement: Movement) => {
    const path = paths.get(accountId);
    if (path === undefined) throw new Error(`account ${accountId} is not in the chart`);
    for (const id of path) movements.set(id, addMovements(movements.get(id) ?? NO_MOVEMENT, movement));
  };
  for (const [accountId, opening] of openings) add(accountId, { ...NO_MOVEMENT, opening });
  for (const line of lines) add(line.accountId, movementOf(line));
  return movements;
}

function movementOf({ side, amount, closing }: RollUpLine): Movement {
  if (closing) {
    return side === 'D'
      ? { ...NO_MOVEMENT, closing: amount, closingDebit: amount }
      : { ...NO_MOVEMENT, closing: -amount, closingCredit: amount };
  }
  return side === 'D' ? { ...NO_MOVEMENT, debit: amount } : { ...NO_MOVEMENT, credit: amount };
}
