import { type Month, slashOf } from '../../../accounting/period.ts';
import { problem, throwIfAny } from '../../../accounting/problem.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { selectPurgedMonthsAmong } from './history.read.sql.ts';

/**
 * Refuses a question about lines of months whose lines are in history: less than was posted is no answer. Asked after
 * the lines are read, so that a purge between the two is noticed.
 */
export async function rejectPurged(
  sql: Sql,
  branches: readonly { companyId: number; branchId: number }[],
  period?: { from: Month; to: Month },
): Promise<void> {
  const months = await selectPurgedMonthsAmong(sql, branches, period);
  throwIfAny(months.map((month) => problem('MONTH_PURGED', { month: slashOf(month) })));
}
