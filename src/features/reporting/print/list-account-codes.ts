import type { Day } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import type { ReportedTenant } from '../../access/access.ts';
import { type StatementAccountRow, selectStatementAccounts } from '../../master-data/chart/chart.read.sql.ts';
import { isOfBranches, type ReportedBooks, readReportedBooks } from '../../master-data/companies/institution.ts';
import { requireBooks } from '../../master-data/companies/require-books.ts';
import { selectMovedAccounts } from '../statements/book-lines.read.sql.ts';
import { chooseRange, pickAccounts } from '../statements/read-accounts.ts';
import type { BookBinding, LedgerBookRequest } from './report-request.ts';

export type AccountCodesRequest = Omit<LedgerBookRequest, 'kind' | 'from' | 'to' | keyof BookBinding> & {
  readonly from: Day | undefined;
  readonly to: Day | undefined;
};

/** Codes of the branch's chart in hierarchical order, cut down as the request says. */
export async function listAccountCodes(
  { sql }: Context,
  tenant: ReportedTenant,
  request: AccountCodesRequest,
): Promise<string[]> {
  const { from, to } = request;
  if (from !== undefined && to !== undefined && from > to) reject('INVALID_DATE_RANGE', { from, to }, 'from');
  const books = await readReportedBooks(sql, tenant);
  const { chartId } = isOfBranches(books) ? books : await requireBooks(sql, books);
  const all = await selectStatementAccounts(sql, chartId);
  const named = request.accounts.length === 0 ? all : pickAccounts(all, request.accounts, 'accounts');
  const inRange = await chooseRange(sql, chartId, named, request);
  const isMoved = request.onlyWithMovement ? await movedAccounts(request, books, { sql }) : () => true;
  const { level = Number.POSITIVE_INFINITY } = request;
  return inRange.filter((account) => account.level <= level && isMoved(account)).map(({ code }) => code);
}

async function movedAccounts(
  { from, to }: AccountCodesRequest,
  books: ReportedBooks,
  { sql }: Pick<Context, 'sql'>,
): Promise<(account: StatementAccountRow) => boolean> {
  const required = { reason: 'REQUIRED_WITH_MOVEMENT' } as const;
  if (from === undefined) reject('INVALID_FIELD', required, 'from');
  if (to === undefined) reject('INVALID_FIELD', required, 'to');
  const moved = new Set(await selectMovedAccounts(sql, books, from, to));
  return ({ id }) => moved.has(id);
}
