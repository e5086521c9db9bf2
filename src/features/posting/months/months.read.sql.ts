import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import { type Day, firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';
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

/** The branch's months that take entries, in order; those that have begun by a day, where one is given. */
export async function selectOpenMonths(sql: Sql, { companyId, branchId }: BranchKey, begunBy?: Day): Promise<Month[]> {
  const rows = await sql.rows<{ month: Month }>(SQL`
    SELECT to_char(month.month, 'YYYY-MM') AS month FROM month
     WHERE month.company_id = ${companyId} AND month.branch_id = ${branchId} AND month.state = 'OPEN'
       AND (${begunBy ?? null}::date IS NULL OR month.month <= ${begunBy ?? null})
     ORDER BY month.month`);
  return rows.map((row) => row.month);
}

export interface OpenDay {
  readonly day: Day;
  readonly month: Month;
}

/** The branch's current day: the earliest business day, not closed, of its open months. */
export function selectCurrentDay(sql: Sql, companyId: CompanyId, branchId: BranchId): Promise<OpenDay | undefined> {
  return sql.maybe<OpenDay>(SQL`
    SELECT calendar_day.day, to_char(month.month, 'YYYY-MM') AS month
      FROM month
      JOIN calendar_day ON calendar_day.company_id = month.company_id AND calendar_day.branch_id = month.branch_id
       AND calendar_day.day >= month.month AND calendar_day.day < month.month + interval '1 month'
     WHERE month.company_id = ${companyId} AND month.branch_id = ${branchId} AND month.state = 'OPEN'
       AND calendar_day.business_day AND NOT calendar_day.closed
     ORDER BY calendar_day.day LIMIT 1`);
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
