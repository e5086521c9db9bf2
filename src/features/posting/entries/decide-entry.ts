import type { AccountId } from '../../../accounting/ids.ts';
import type { Centavos } from '../../../accounting/money.ts';
import { type Day, dayIn, slashOf } from '../../../accounting/period.ts';
import {
  monthProblem,
  type PostingFacts,
  type PostingLine,
  physicalLines,
  postingProblems,
} from '../../../accounting/posting.ts';
import { BusinessError, reject, throwIfAny } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { DocumentPlace } from '../../operations/events/event-data.ts';
import { rejectLongNumber } from '../batches/retry-on-number-conflict.ts';
import type { NewEntry, NewLine, PostingPlace } from './entries.sql.ts';
import type { FactsOfEntries } from './posting-facts.ts';

/** A line and its offset account: together the two lines of a simple entry. */
export interface EntryInput {
  readonly documentId: number;
  /** Absent: the number after the document's highest. */
  readonly number: string | undefined;
  readonly side: 'D' | 'C';
  readonly dayNumber: number;
  readonly accountId: AccountId;
  readonly offsetAccountId: AccountId | undefined;
  readonly amount: Centavos;
  readonly narration: string | undefined;
  readonly narrationCode: string | undefined;
  /** Day of a fact that was not posted on its day. */
  readonly factDay: Day | undefined;
}

/** A simple entry: the offset account makes the line that balances it. */
export interface SimpleEntry extends EntryInput {
  readonly offsetAccountId: AccountId;
}

/** Without an offset account nothing balances a single line. */
export function withOffsetAccount(entry: EntryInput): SimpleEntry {
  const { offsetAccountId } = entry;
  if (offsetAccountId === undefined) reject('COUNTER_ACCOUNT_REQUIRED', {}, 'entry.offsetAccount');
  return { ...entry, offsetAccountId };
}

/** An entry as it is written, with where its document stands. */
export interface DecidedEntry extends NewEntry {
  readonly place: PostingPlace;
}

/** The entry as it is written; throws the first reasons against it. */
export function decideEntry(entry: SimpleEntry, facts: FactsOfEntries, by: string): DecidedEntry {
  const { documentId } = entry;
  const place = facts.place(documentId) ?? reject('NOT_FOUND', recordRef('Document', documentId), 'entry.document');
  const line = lineOf(entry, place);
  const lines = decideLines(entry.number ?? '', line, facts.of(place));
  const number = entry.number ?? facts.nextNumber(documentId);
  rejectLongNumber(number, 10, 'entry.number');
  return { place, documentId, number, day: line.day, lines, by };
}

/** The document's place alone, as events name it. */
export function placeOf({ month, batchId, batch, documentId, document }: DocumentPlace): DocumentPlace {
  return { month, batchId, batch, documentId, document };
}

/** Both lines of the entry; throws what the posting rules reject. */
export function decideLines(number: string, line: DecidedLine, facts: PostingFacts): NewLine[] {
  throwIfAny(postingProblems({ number, lines: [line] }, facts));
  return physicalLines([line])!;
}

/** What the entry says, on its day; throws where the month has no such day. */
export function lineOf(entry: SimpleEntry, place: MonthOfPlace): DecidedLine {
  return {
    day: dayIn(place.month, entry.dayNumber) ?? rejectDay(place, entry.dayNumber),
    side: entry.side,
    accountId: entry.accountId,
    offsetAccountId: entry.offsetAccountId,
    amount: entry.amount,
    narration: entry.narration ?? null,
    narrationCode: entry.narrationCode ?? null,
    factDay: entry.factDay ?? null,
  };
}

type MonthOfPlace = Pick<PostingPlace, 'month' | 'state'>;
type DecidedLine = NewLine & PostingLine & { readonly day: Day };

/** A closed month takes no entry on any day. */
function rejectDay({ month, state }: MonthOfPlace, day: number): never {
  const shut = monthProblem(state, month, 'entry.month');
  if (shut) throw new BusinessError(shut);
  return reject('DAY_NOT_IN_MONTH', { day, month: slashOf(month) }, 'entry.day');
}
