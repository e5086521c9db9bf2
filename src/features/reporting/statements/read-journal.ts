import type { Day } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { type JournalRow, journal } from '../../../accounting/statements/journal.ts';
import type { StatementAccountRow } from '../../master-data/chart/chart.read.sql.ts';
import { readBookLines } from './book-lines.read.sql.ts';
import { type LinesStatement, linesStatement } from './lines-statement.ts';
import { openBook } from './open-book.ts';
import { chooseRange } from './read-accounts.ts';
import type { BalanceSelection, StatementSource } from './statement-source.ts';

export interface JournalSelection extends BalanceSelection {
  readonly from: Day;
  readonly to: Day;
}

/** The journal of at most a year. Rejects periods that are not open whole, and those with archived months. */
export async function readJournal(
  source: StatementSource,
  selection: JournalSelection,
): Promise<LinesStatement<JournalRow<StatementAccountRow>>> {
  const { from, to, considerClosing } = selection;
  if (to >= `${Number(from.slice(0, 4)) + 1}${from.slice(4)}`) reject('PERIOD_OVER_A_YEAR', {}, 'to');
  const book = await openBook(source, from, to);
  const inRange = await chooseRange(source.sql, book.entity.options.chartId, book.accounts, selection);
  const isWhole = inRange.length === book.accounts.length;
  const accounts = isWhole ? undefined : inRange.filter((account) => account.type === 'A').map(({ id }) => id);
  const choice = { from, to, accounts, considerClosing, orderBy: 'DATE', derivesOffsets: false } as const;
  return linesStatement(book, selection, readBookLines(source.sql, source.tenant, choice), journal(book.accountOf));
}
