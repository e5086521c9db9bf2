import type { BranchId, CompanyId } from '../../accounting/ids.ts';
import { firstDay, type Month } from '../../accounting/period.ts';
import type { Transaction } from '../../platform/database/sql.ts';
import { SQL } from '../../platform/database/statement.ts';

/**
 * Takes FOR SHARE locks on the month of the branches and returns the branches where it is closed. While rules read, it
 * cannot be reopened, nor a month before it, because only the last closed month reopens. One statement in the order of
 * ids, so that two runs never deadlock.
 */
export async function lockClosed(
  sql: Transaction,
  branches: readonly { readonly companyId: CompanyId; readonly branchId: BranchId }[],
  month: Month,
): Promise<Set<number>> {
  const rows = await sql.rows<{ branchId: BranchId }>(SQL.named('lock-closed-months')`
    SELECT month.branch_id AS "branchId"
      FROM month
      JOIN unnest(${branches.map(({ companyId }) => companyId)}::bigint[],
        ${branches.map(({ branchId }) => branchId)}::bigint[]) AS asked (company_id, branch_id)
        ON asked.company_id = month.company_id AND asked.branch_id = month.branch_id
     WHERE month.month = ${firstDay(month)} AND month.state = 'CLOSED'
     ORDER BY month.company_id, month.branch_id
       FOR SHARE OF month`);
  return new Set(rows.map(({ branchId }) => branchId));
}
