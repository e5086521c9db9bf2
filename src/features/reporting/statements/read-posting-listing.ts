import type { AccountId } from '../../../accounting/ids.ts';
import type { Day } from '../../../accounting/period.ts';
import { type ListingRow, postingListing } from '../../../accounting/statements/posting-listing.ts';
import type { StatementAccountRow } from '../../master-data/chart/chart.read.sql.ts';
import { readBookLines } from './book-lines.read.sql.ts';
import { type LinesStatement, linesStatement } from './lines-statement.ts';
import { openBook } from './open-book.ts';
import { chooseRange, pickAccounts } from './read-accounts.ts';
import type { BalanceSelection, StatementSource } from './statement-source.ts';

export interface ListingSelection extends BalanceSelection {
  readonly from: Day;
  readonly to: Day;
  readonly batch?: string | undefined;
  readonly document?: string | undefined;
  /** Id or code of an account, a summary account means all below it. */
  readonly account?: AccountId | string | undefined;
  readonly orderBy: 'DATE' | 'BATCH' | 'ACCOUNT';
}

/** The lines of a period. Rejects periods that are not open whole, those with archived months, and unknown accounts. */
export async function readPostingListing(
  source: StatementSource,
  selection: ListingSelection,
): Promise<LinesStatement<ListingRow<StatementAccountRow>>> {
  const { from, to, account, level = Number.POSITIVE_INFINITY } = selection;
  const book = await openBook(source, from, to);
  const picked = account === undefined ? book.accounts : pickAccounts(book.accounts, [account], 'account');
  const inRange = await chooseRange(source.sql, book.entity.options.chartId, picked, selection);
  const lines = readBookLines(source.sql, source.tenant, {
    ...selection,
    derivesOffsets: true,
    accounts: inRange.filter((each) => each.type === 'A' && each.level <= level).map(({ id }) => id),
  });
  return linesStatement(book, selection, lines, postingListing(book.accountOf));
}
