import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import { firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { Tenant } from '../../access/access.ts';

export interface ArchivedMonth {
  readonly month: Month;
  readonly batches: number;
  readonly documents: number;
  readonly lines: number;
}

/** What is in the archive, by month. */
export function selectArchivedMonths(sql: Sql, tenant: Tenant): Promise<ArchivedMonth[]> {
  return sql.rows<ArchivedMonth>(SQL`
    SELECT to_char(month.month, 'YYYY-MM') AS month,
           (SELECT count(*) FROM batch_archive
             WHERE batch_archive.company_id = ${tenant.companyId} AND batch_archive.branch_id = ${tenant.branchId}
               AND batch_archive.month = month.month) AS batches,
           (SELECT count(*) FROM document_archive
             WHERE document_archive.company_id = ${tenant.companyId} AND document_archive.branch_id = ${tenant.branchId}
               AND document_archive.month = month.month) AS documents,
           (SELECT count(*) FROM entry_line_archive
             WHERE entry_line_archive.company_id = ${tenant.companyId}
               AND entry_line_archive.branch_id = ${tenant.branchId}
               AND entry_line_archive.month = month.month) AS lines
      FROM month
     WHERE month.company_id = ${tenant.companyId} AND month.branch_id = ${tenant.branchId} AND month.archived
     ORDER BY month.month`);
}

/** Maximum number of months that a rejection names. */
const MAX_NAMED = 12;

/** Archived months of the branches in the period, or at all; the first ones. */
export async function selectArchivedMonthsAmong(
  sql: Sql,
  branches: readonly { companyId: CompanyId; branchId: BranchId }[],
  period?: { from: Month; to: Month },
): Promise<Month[]> {
  const rows = await sql.rows<{ month: Month }>(SQL.named('archived-months-among')`
    SELECT DISTINCT to_char(month.month, 'YYYY-MM') AS month
      FROM month
     WHERE month.company_id = ANY (${branches.map((each) => each.companyId)}::bigint[])
       AND month.branch_id = ANY (${branches.map((each) => each.branchId)}::bigint[])
       AND month.month >= ${period ? firstDay(period.from) : '-infinity'}
       AND month.month <= ${period ? firstDay(period.to) : 'infinity'} AND month.archived
     ORDER BY 1 LIMIT ${MAX_NAMED}`);
  return rows.map((row) => row.month);
}
