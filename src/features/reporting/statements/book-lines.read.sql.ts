import { centavosFromSql } from '../../../accounting/money.ts';
import { type Day, firstDay, monthOfDay } from '../../../accounting/period.ts';
import type { StatementLine } from '../../../accounting/statements/line-statement.ts';
import type { Sql, Transaction } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import { rollUp, rowsOf } from '../../closing/balances/balance-rules.sql.ts';
import { branchesOf, isOfBranches, type ReportedBooks } from '../../master-data/companies/institution.ts';
import { bookOrder } from '../../posting/entries/book-order.sql.ts';

interface LineRow extends Omit<StatementLine, 'amount'> {
  readonly amount: string;
}

export interface BookLinesChoice {
  readonly from: Day;
  readonly to: Day;
  /** Their order is the order of ACCOUNT; undefined for all. */
  readonly accounts?: readonly number[] | undefined;
  readonly batch?: string | undefined;
  readonly document?: string | undefined;
  readonly considerClosing: boolean;
  readonly orderBy: 'DATE' | 'BATCH' | 'ACCOUNT';
  /** Whether offset accounts that were not given are those of the other line of the entry, where there is one. */
  readonly derivesOffsets: boolean;
}

/** Documents are ranked with their batches. */
const LINE_ORDER = bookOrder({
  day: 'entry_line.day',
  document: { rank: 'folder.document_place' },
  entry: 'entry_line.entry_number',
  sequence: 'entry_line.sequence',
});

/** By account: in the order in which accounts were chosen. */
function orderOf({ orderBy, accounts }: BookLinesChoice): Fragment {
  if (orderBy === 'BATCH') return SQL`folder.batch_place, ${LINE_ORDER}`;
  return orderBy === 'ACCOUNT' && accounts !== undefined ? SQL`chosen.place, ${LINE_ORDER}` : LINE_ORDER;
}

/** Lines sorted at a time where the book follows the calendar: its first page needs no more. */
const SPAN_LINES = 20_000;

/** Lines of a period through cursors: a book of any length in portions. One at a time in a transaction. */
export async function* readBookLines(
  sql: Transaction,
  books: ReportedBooks,
  choice: BookLinesChoice,
): AsyncGenerator<StatementLine[]> {
  // All rows are read, so the plan must not be optimized for the first row.
  await sql.run(SQL`SET LOCAL cursor_tuple_fraction = 1`);
  await sql.run(SQL`SET LOCAL work_mem = '64MB'`);
  if (choice.orderBy !== 'DATE') return yield* readSpan(sql, books, choice);
  const days = await selectDaysWithLines(sql, books, choice.from, choice.to);
  for (const [from, to] of spansOf(days)) yield* readSpan(sql, books, { ...choice, from, to });
}

/** Neighbouring days together, up to about as many lines as are sorted at a time. */
function spansOf(days: readonly { day: Day; lines: number }[]): (readonly [Day, Day])[] {
  const spans: (readonly [Day, Day])[] = [];
  let from: Day | undefined;
  let lines = 0;
  days.forEach(({ day, lines: more }, at) => {
    from ??= day;
    lines += more;
    if (lines < SPAN_LINES && at < days.length - 1) return;
    spans.push([from, day]);
    from = undefined;
    lines = 0;
  });
  return spans;
}

function selectDaysWithLines(
  sql: Sql,
  books: ReportedBooks,
  from: Day,
  to: Day,
): Promise<{ day: Day; lines: number }[]> {
  return sql.rows(SQL`
    SELECT entry_line.day, count(*)::integer AS lines
      FROM entry_line
     WHERE ${inDays(books, from, to)}
     GROUP BY entry_line.day
     ORDER BY entry_line.day`);
}

/** Lines of the branches on days of one month or of several. */
function inDays(books: ReportedBooks, from: Day, to: Day): Fragment {
  return SQL`${rowsOf('entry_line', branchesOf(books))}
       AND entry_line.month BETWEEN ${firstDay(monthOfDay(from))} AND ${to} AND entry_line.day BETWEEN ${from} AND ${to}`;
}

/** Lines to a portion; FETCH takes no parameter. */
const FETCHED = 2_000;
const NEXT_LINES = SQL`FETCH 2000 FROM book_lines`;

async function* readSpan(
  sql: Transaction,
  books: ReportedBooks,
  choice: BookLinesChoice,
): AsyncGenerator<StatementLine[]> {
  const { accounts, batch = null, document = null, considerClosing, derivesOffsets } = choice;
  // The filters of the lines themselves, without those of their documents.
  const inSpan = SQL`${inDays(books, choice.from, choice.to)} AND (${considerClosing} OR NOT entry_line.closing)`;
  const chosen =
    accounts === undefined
      ? SQL``
      : SQL`
      JOIN unnest(${accounts}::bigint[]) WITH ORDINALITY AS chosen (id, place) ON chosen.id = entry_line.account_id`;
  // Branches number their batches each for itself: theirs come one after another.
  const [branch, byBranch] = isOfBranches(books)
    ? [SQL`branch.code`, SQL`natural_sort_key(branch.code), `]
    : [SQL`NULL::text`, SQL``];
  // How many entries have two lines is not in the statistics: a nested loop would be planned for few of them.
  if (derivesOffsets) await sql.run(SQL`SET LOCAL enable_nestloop = off`);
  // Documents are sorted before their lines are joined: comparing codes line by line takes three times as long.
  await sql.run(SQL`
    DECLARE book_lines NO SCROLL CURSOR FOR
    WITH folder AS MATERIALIZED (
      SELECT document.id, ${branch} AS branch, batch.number AS batch, document.number AS document,
             dense_rank() OVER (ORDER BY ${byBranch}${bookOrder({ batch: { rank: 'batch.sort_key' } })}) AS batch_place,
             row_number() OVER (
               ORDER BY ${byBranch}${bookOrder({ batch: { rank: 'batch.sort_key' }, document: { rank: 'document.sort_key' } })}) AS document_place
        FROM document
        JOIN batch ON batch.company_id = document.company_id AND batch.id = document.batch_id
        JOIN branch ON branch.company_id = document.company_id AND branch.id = document.branch_id
       WHERE ${rowsOf('document', branchesOf(books))}
         AND document.id IN (SELECT entry_line.document_id FROM entry_line WHERE ${inSpan})
         AND (${batch}::text IS NULL OR batch.number = ${batch})
         AND (${document}::text IS NULL OR document.number = ${document})
    )${derivesOffsets ? pairs(books, choice) : SQL``}
    SELECT entry_line.day, folder.branch, folder.batch, folder.document, entry_line.entry_number AS entry,
           entry_line.account_id AS "accountId", ${derivesOffsets ? PAIRED_OFFSET : SQL`entry_line.offset_account_id`} AS "offsetId", entry_line.side,
           entry_line.amount, coalesce(entry_line.printed_narration, entry_line.narration, '') AS "printedNarration"
      FROM entry_line
      JOIN folder ON folder.id = entry_line.document_id ${chosen}
      ${derivesOffsets ? JOIN_PAIRS : SQL``}
     WHERE ${inSpan}
     ORDER BY ${orderOf(choice)}`);
  if (derivesOffsets) await sql.run(SQL`SET LOCAL enable_nestloop = on`);
  try {
    for (;;) {
      const lines = await sql.rows<LineRow>(NEXT_LINES);
      if (lines.length === 0) return;
      yield lines.map((line) => ({ ...line, amount: centavosFromSql(line.amount) }));
      if (lines.length < FETCHED) return;
    }
  } finally {
    // After a failed statement the cursor was closed with its transaction.
    await sql.run(SQL`CLOSE book_lines`).catch(() => {});
  }
}

/** Entries of two lines that do not name each other's accounts. */
function pairs(books: ReportedBooks, { from, to }: BookLinesChoice): Fragment {
  return SQL`, pair AS MATERIALIZED (
      SELECT entry_line.document_id, entry_line.entry_number, min(entry_line.account_id) AS one,
             max(entry_line.account_id) AS other
        FROM entry_line
       WHERE ${inDays(books, from, to)}
       GROUP BY entry_line.document_id, entry_line.entry_number
      HAVING count(*) = 2 AND bool_or(entry_line.offset_account_id IS NULL)
    )`;
}

const JOIN_PAIRS = SQL`LEFT JOIN pair ON pair.document_id = entry_line.document_id
       AND pair.entry_number = entry_line.entry_number AND entry_line.offset_account_id IS NULL`;

const PAIRED_OFFSET = SQL`coalesce(entry_line.offset_account_id,
             CASE WHEN pair.one = entry_line.account_id THEN pair.other ELSE pair.one END)`;

/** Accounts with lines in a period, and those above them. */
export async function selectMovedAccounts(sql: Sql, books: ReportedBooks, from: Day, to: Day): Promise<number[]> {
  const rows = await sql.rows<{ id: number }>(SQL`
    SELECT DISTINCT node.id
      FROM (SELECT DISTINCT entry_line.account_id FROM entry_line WHERE ${inDays(books, from, to)}) AS moved
      ${rollUp('moved')}`);
  return rows.map((row) => row.id);
}
