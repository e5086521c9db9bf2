import { firstDay, lastDay, type Month, monthOfDay, monthRange } from '../../../accounting/period.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { ReportToPrint } from './print-task.ts';
import type { ReportRequest } from './report-request.ts';

/** Keeps when a report of whole months of a branch was printed last; one of the institution is of no branch. */
export async function recordPrint(
  sql: Sql,
  { caller }: Pick<Context, 'caller'>,
  { tenant, request }: ReportToPrint,
): Promise<void> {
  const months = wholeMonthsOf(request).map(firstDay);
  if (tenant.branchId === undefined || months.length === 0) return;
  await sql.run(SQL.named('printed-report')`
    INSERT INTO printed_report (company_id, branch_id, month, kind, printed_at, printed_by)
    SELECT ${tenant.companyId}, ${tenant.branchId}, printed.month, ${request.kind}, now(), ${caller.username}
      FROM unnest(${months}::date[]) AS printed (month)
     ORDER BY printed.month
        ON CONFLICT (company_id, branch_id, month, kind)
        DO UPDATE SET printed_at = excluded.printed_at, printed_by = excluded.printed_by`);
}

/** The month that it is of, or those that its days hold from the first to the last. */
function wholeMonthsOf(request: ReportRequest): Month[] {
  if ('month' in request) return [request.month];
  const { from, to } = request;
  return monthRange(monthOfDay(from), monthOfDay(to)).filter(
    (month) => from <= firstDay(month) && lastDay(month) <= to,
  );
}
