import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import { type Month, slashOf } from '../../../accounting/period.ts';
import { problem, throwIfAny } from '../../../accounting/problem.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { selectArchivedMonthsAmong } from './archive.read.sql.ts';

/**
 * Throws where lines of a requested month are in the archive, because the response would be incomplete. Called after
 * the lines are read, so that archiving between the two is noticed.
 */
export async function rejectArchived(
  sql: Sql,
  branches: readonly { companyId: CompanyId; branchId: BranchId }[],
  period?: { from: Month; to: Month },
): Promise<void> {
  const months = await selectArchivedMonthsAmong(sql, branches, period);
  throwIfAny(months.map((month) => problem('MONTH_PURGED', { month: slashOf(month) })));
}
