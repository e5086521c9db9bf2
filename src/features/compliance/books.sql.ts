import type { BranchId, CompanyId } from '../../accounting/ids.ts';
import { firstDay, type Month } from '../../accounting/period.ts';
import type { Transaction } from '../../platform/database/sql.ts';
import { SQL } from '../../platform/database/statement.ts';

/**
 * Takes FOR SHARE locks on the month of the branches and returns the branches where it is closed. While rules read, it
 * cannot be reopened, nor a month before it, because only the last closed month reopens. In the order of ids, so that two
 * runs never deadlock.
 */
export async function lockClosed(
  sql: Transaction,
  branches: readonly { readonly companyId: CompanyId; readonly branchId: BranchId }[],
  month: Month,
): Promise<Set<number>> {
  const closed = new Set<number>();
  for (const companyId of [...new Set(branches.map((each) => each.companyId))].sort((one, other) => one - other)) {
    const ids = branches.filter((each) => each.companyId === companyId).map(({ branchId }) => branchId);
    const rows = await sql.rows<{ branchId: BranchId }>(SQL.named('lock-closed-months')`
      SELECT month.branch_id AS "branchId"
        FROM month
       WHERE month.company_id = ${companyId} AND month.branch_id = ANY (${ids}::bigint[])
         AND month.month = ${firstDay(month)} AND month.state = 'CLOSED'
       ORDER BY month.branch_id
         FOR SHARE`);
    for (const { branchId } of rows) closed.add(branchId);
  }
  return closed;
}
