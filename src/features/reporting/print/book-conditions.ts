import {
  brazilianDate,
  type Day,
  firstDay,
  lastDay,
  monthOfDay,
  monthRange,
  slashOf,
} from '../../../accounting/period.ts';
import { type Problem, problem, throwIfAny } from '../../../accounting/problem.ts';
import { BOOK_NAMES } from '../books/issued-book.ts';
import type { NextBook } from '../books/issued-books.read.sql.ts';
import { archivedProblem, readMonthStates } from '../statements/month-states.ts';
import type { ReportingEntity } from '../statements/reporting-entity.ts';
import type { BalanceSelection } from '../statements/statement-source.ts';
import type { AnnexRequest, TermSignatory } from './report-request.ts';
import type { ReportSource } from './report-source.ts';

/** What is to be bound between terms. */
export interface WantedBook {
  readonly from: Day;
  readonly to: Day;
  readonly selection: BalanceSelection & {
    readonly accounts?: readonly unknown[];
    readonly onlyWithMovement?: boolean;
  };
  readonly signatories: readonly TermSignatory[];
  readonly annexes?: readonly AnnexRequest[] | undefined;
  /** It is being issued: what the register expects, and the number that the request names. */
  readonly sequence?: { readonly next: NextBook; readonly number: number | undefined } | undefined;
}

/** Maximum number of months that a rejection names. */
const MAX_REPORTED = 24;

/** Only whole books get terms: all accounts, closing considered, closed months, signed by two capacities. */
export async function rejectUnlessBook(source: ReportSource, entity: ReportingEntity, book: WantedBook): Promise<void> {
  throwIfAny([
    ...selectionProblems(book.selection),
    ...(await monthProblems(source, entity, book)),
    ...annexProblems(book),
    ...(book.sequence ? sequenceProblems(book.sequence.next, { from: book.from, number: book.sequence.number }) : []),
    ...signatoryProblems(book.signatories),
  ]);
}

/** A book goes on where the last one ends, in period and number: without gap, without overlap. */
export function sequenceProblems(
  next: NextBook,
  { from, number }: { readonly from: Day; readonly number: number | undefined },
): Problem[] {
  const book = BOOK_NAMES[next.kind];
  const days = { book, from: brazilianDate(from), expected: brazilianDate(next.from ?? from) };
  const numbers = { book, number: number ?? 0, expected: next.number ?? 0 };
  const goesOn = next.from === null || next.from === from;
  const isNext = number === undefined || next.number === null || next.number === number;
  return [
    ...(goesOn ? [] : [problem('BOOK_OUT_OF_SEQUENCE', days, 'from')]),
    ...(isNext ? [] : [problem('BOOK_NUMBER_NOT_NEXT', numbers, 'bookNumber')]),
  ];
}

/** What is bound with a book shows its days, which are of closed months. */
function annexProblems({ annexes = [], from, to }: WantedBook): Problem[] {
  const days = { from: brazilianDate(from), to: brazilianDate(to) };
  return annexes.flatMap((annex, at) => {
    const [first, last] = 'month' in annex ? [lastDay(annex.month), lastDay(annex.month)] : [annex.from, annex.to];
    return first >= from && last <= to ? [] : [problem('ANNEX_OUTSIDE_BOOK', days, `annexes[${at}]`)];
  });
}

function selectionProblems(selection: WantedBook['selection']): Problem[] {
  const narrowing: readonly (readonly [path: string, narrows: boolean])[] = [
    ['accountFrom', selection.accountFrom !== undefined],
    ['accountTo', selection.accountTo !== undefined],
    ['level', selection.level !== undefined],
    ['accounts', (selection.accounts ?? []).length > 0],
    ['onlyWithMovement', selection.onlyWithMovement ?? false],
  ];
  return [
    ...narrowing.filter(([, narrows]) => narrows).map(([path]) => problem('BOOK_OF_SOME_ACCOUNTS', {}, path)),
    ...(selection.considerClosing ? [] : [problem('BOOK_WITHOUT_CLOSING', {}, 'considerClosing')]),
  ];
}

/**
 * A book from before the base month was kept elsewhere: its months are unknown here. Archived ones have no lines to
 * bind.
 */
async function monthProblems(
  { sql, tenant }: ReportSource,
  { options }: ReportingEntity,
  { from, to }: WantedBook,
): Promise<Problem[]> {
  if (to < firstDay(options.baseMonth)) return [];
  const states = new Map((await readMonthStates(sql, tenant, from, to)).map((each) => [each.month, each]));
  return monthRange(monthOfDay(from), monthOfDay(to))
    .flatMap((month) => {
      const found = states.get(month);
      if (found?.state !== 'CLOSED') return problem('BOOK_OF_OPEN_MONTH', { month: slashOf(month) }, 'to');
      return archivedProblem(found, 'to') ?? [];
    })
    .slice(0, MAX_REPORTED);
}

/**
 * The accountant is the signatory with a CRC. The legal representative is the one marked so, else a signatory without a
 * CRC.
 */
function signatoryProblems(signatories: readonly TermSignatory[]): Problem[] {
  if (signatories.length === 0) return [problem('SIGNATORIES_REQUIRED', {}, 'signatories')];
  const isMarked = signatories.some(({ legalResponsible }) => legalResponsible);
  return [
    ...(signatories.some(({ crc }) => crc) ? [] : [problem('ACCOUNTANT_REQUIRED', {}, 'signatories')]),
    ...(isMarked || signatories.some(({ crc }) => !crc)
      ? []
      : [problem('LEGAL_REPRESENTATIVE_REQUIRED', {}, 'signatories')]),
  ];
}
