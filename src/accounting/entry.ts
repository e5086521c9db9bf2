import type { AccountId } from './ids.ts';
import { type Centavos, sumOf } from './money.ts';
import type { Day } from './period.ts';

export type Side = 'D' | 'C';

/** One debit or credit of a logical entry. */
export interface EntryLine {
  readonly side: Side;
  readonly accountId: AccountId;
  readonly offsetAccountId: AccountId | null;
  readonly amount: Centavos;
  readonly day: Day;
  readonly narration: string;
  readonly narrationCode: string | null;
  /** Day of a fact that was not posted on its day. */
  readonly factDay?: Day | null;
}

/** One accounting fact: the lines that share an entry number inside a document. */
export interface LogicalEntry {
  readonly number: string;
  readonly lines: readonly EntryLine[];
}

/** The other half of a line that names its offset account: same fact, other side, accounts exchanged. */
export function balancingLine<
  L extends { readonly side: Side; readonly accountId: AccountId; readonly offsetAccountId: AccountId | null },
>(line: L & { readonly offsetAccountId: AccountId }): L {
  return {
    ...line,
    side: otherSide(line.side),
    accountId: line.offsetAccountId,
    offsetAccountId: line.accountId,
  };
}

export function otherSide(side: Side): Side {
  return side === 'D' ? 'C' : 'D';
}

export function totalOf(lines: Iterable<Pick<EntryLine, 'side' | 'amount'>>, side: Side): Centavos {
  return sumOf(Iterator.from(lines).map((line) => (line.side === side ? line.amount : 0n)));
}

/**
 * Lines that name no offset account, as they are kept: of one debit and one credit of the same amount each is the other's
 * offset account; in a compound entry none has one.
 */
export function withOffsetAccounts<L extends Pick<EntryLine, 'side'> & Unread>(
  lines: readonly L[],
): (L & { offsetAccountId: AccountId | null })[] {
  const [one, other] = lines;
  const isSimple = lines.length === 2 && one!.side !== other!.side && one!.amount === other!.amount;
  return lines.map((line) => ({
    ...line,
    offsetAccountId: isSimple ? ((line === one ? other : one)!.accountId ?? null) : null,
  }));
}

/** What a reader could not read is undefined. */
interface Unread {
  readonly accountId: AccountId | undefined;
  readonly amount: Centavos | undefined;
}
