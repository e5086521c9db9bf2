import type { BookPlace } from '../book-order.ts';
import type { Side } from '../entry.ts';
import type { AccountId } from '../ids.ts';
import type { Centavos } from '../money.ts';
import type { Day } from '../period.ts';

/** A line of the books as statements of lines show it. */
export interface StatementLine extends Omit<BookPlace, 'sequence'> {
  /** Its code, in the books of an institution; else null. */
  readonly branch?: string | null;
  readonly accountId: AccountId;
  /** The other account of an entry of two lines, or the one that was given; null where there are several. */
  readonly offsetId: AccountId | null;
  readonly side: Side;
  readonly amount: Centavos;
  /** The text of the posting. */
  readonly printedNarration: string;
}

/** The account of a line of that day, named as the day's month names it. */
export type AccountOfLine<Account> = (id: AccountId, day: Day) => Account | undefined;

/** Debits and credits together, without sign. */
export interface Turnover {
  readonly debit: Centavos;
  readonly credit: Centavos;
}

export const NO_TURNOVER: Turnover = { debit: 0n, credit: 0n };

export function addLine<Sums extends Turnover>(
  sums: Sums,
  { side, amount }: Pick<StatementLine, 'side' | 'amount'>,
): Sums {
  return side === 'D' ? { ...sums, debit: sums.debit + amount } : { ...sums, credit: sums.credit + amount };
}

/**
 * A statement of lines, made while they are read: the rows of each portion of lines, then those after the last line. It
 * keeps sums only, so memory does not grow with the book.
 */
export interface LineStatement<Row> {
  add(lines: readonly StatementLine[]): Row[];
  end(): Row[];
}
