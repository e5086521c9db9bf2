import type { Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { BranchKey } from './balances.read.sql.ts';

/** Months of a branch that have been opened, in their order. */
export async function selectOpenedMonths(sql: Sql, branch: BranchKey): Promise<Month[]> {
  const rows = await sql.rows<{ month: Month }>({
    text: `SELECT to_char(month.month, 'YYYY-MM') AS month FROM month
            WHERE month.company_id = $1 AND month.branch_id = $2 ORDER BY month.month`,
    values: [branch.companyId, branch.branchId],
  });
  return rows.map((row) => row.month);
}
