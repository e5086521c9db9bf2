import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import { firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import { assertWholeList } from '../../master-data/whole-list.ts';

export interface BranchMonths {
  /** From the branch's options; null when it has none. */
  readonly baseMonth: Month | null;
  readonly lastOpened: Month | null;
  readonly lastClosed: Month | null;
  readonly firstOpen: Month | null;
  readonly lastOpen: Month | null;
}

/** The state of the branch's months. */
export function selectBranchMonths(sql: Sql, companyId: CompanyId, branchId: BranchId): Promise<BranchMonths> {
  return sql.one<BranchMonths>(SQL`
    SELECT to_char((SELECT company_options.base_month FROM company_options
                     WHERE company_options.company_id = ${companyId}
                       AND company_options.branch_id = ${branchId}), 'YYYY-MM')
             AS "baseMonth",
           to_char(max(month.month), 'YYYY-MM') AS "lastOpened",
           to_char(max(month.month) FILTER (WHERE month.state = 'CLOSED'), 'YYYY-MM') AS "lastClosed",
           to_char(min(month.month) FILTER (WHERE month.state = 'OPEN'), 'YYYY-MM') AS "firstOpen",
           to_char(max(month.month) FILTER (WHERE month.state = 'OPEN'), 'YYYY-MM') AS "lastOpen"
      FROM month
     WHERE month.company_id = ${companyId} AND month.branch_id = ${branchId}`);
}

/** The current state of the month, without lock; undefined before it is opened. */
export async function selectMonthState(
  sql: Sql,
  companyId: CompanyId,
  branchId: BranchId,
  month: Month,
): Promise<'OPEN' | 'CLOSED' | undefined> {
  const row = await sql.maybe<{ state: 'OPEN' | 'CLOSED' }>(SQL`
    SELECT month.state FROM month
     WHERE month.company_id = ${companyId} AND month.branch_id = ${branchId} AND month.month = ${firstDay(month)}`);
  return row?.state;
}

export interface MonthReopening {
  readonly month: Month;
  readonly reason: string;
  readonly reopenedAt: Date;
  readonly reopenedBy: string;
}

/** Most reopenings that the list shows. */
const MAX_REOPENINGS = 10_000;

/** Reopenings of closed months, newest first; LIST_TOO_LONG beyond MAX_REOPENINGS. */
export async function selectReopenings(sql: Sql, companyId: CompanyId, branchId: BranchId): Promise<MonthReopening[]> {
  const rows = await sql.rows<MonthReopening>(SQL`
    SELECT to_char(month_reopening.month, 'YYYY-MM') AS month, month_reopening.reason,
           month_reopening.reopened_at AS "reopenedAt", month_reopening.reopened_by AS "reopenedBy"
      FROM month_reopening
     WHERE month_reopening.company_id = ${companyId} AND month_reopening.branch_id = ${branchId}
     ORDER BY month_reopening.id DESC LIMIT ${MAX_REOPENINGS + 1}`);
  return assertWholeList(rows, MAX_REOPENINGS);
}
