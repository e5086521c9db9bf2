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
}

export const NO_MOVEMENT: Movement = { opening: 0n, debit: 0n, credit: 0n, closing: 0n };

/** The balance at the end of the period. */
export function balanceOf({ opening, debit, credit, closing }: Movement): Centavos {
  return opening + debit - credit + closing;
}

/** The side that a debit-positive balance is on; zero is on the debit side. */
export function sideOf(balance: Centavos): Side {
  return balance < 0n ? 'C' : 'D';
}

/** Neither balance nor movement. */
export function isNoMovement({ opening, debit, credit, closing }: Movement): boolean {
  return opening === 0n && debit === 0n && credit === 0n && closing === 0n;
}

/** Whether closing entries moved the account. */
export function isMovedByClosing({ closing }: Movement): boolean {
  return closing !== 0n;
}

/** The same as if nothing had been closed. */
export function withoutClosing(movement: Movement): Movement {
  return movement.closing === 0n ? movement : { ...movement, closing: 0n };
}

/** The same with the closing within debits or credits: for statements without a column of its own. */
export function mergeClosing({ opening, debit, credit, closing }: Movement): Movement {
  return closing > 0n
    ? { opening, debit: debit + closing, credit, closing: 0n }
    : { opening, debit, credit: credit - closing, closing: 0n };
}

export function addMovements(a: Movement, b: Movement): Movement {
  return {
    opening: a.opening + b.opening,
    debit: a.debit + b.debit,
    credit: a.credit + b.credit,
    closing: a.closing + b.closing,
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
  if (closing) return { ...NO_MOVEMENT, closing: side === 'D' ? amount : -amount };
  return side === 'D' ? { ...NO_MOVEMENT, debit: amount } : { ...NO_MOVEMENT, credit: amount };
}
