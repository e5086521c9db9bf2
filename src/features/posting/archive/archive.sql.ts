import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import { firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';

export interface ArchivableBranch {
  readonly companyId: CompanyId;
  readonly branchId: BranchId;
  readonly company: string;
  readonly branch: string;
}

/** Branches by id that the caller can access. */
export function selectBranches(sql: Sql, ids: readonly BranchId[]): Promise<ArchivableBranch[]> {
  return sql.rows<ArchivableBranch>(SQL`
    SELECT branch.company_id AS "companyId", branch.id AS "branchId", company.code AS company, branch.code AS branch
      FROM branch JOIN company ON company.id = branch.company_id
     WHERE branch.id = ANY (${ids}::bigint[]) AND can_access(branch.company_id, branch.id)`);
}

/** Ids of all branches from the first to the last, accessible or not: a foreign one makes the range invalid. */
export async function selectIdsInRange(sql: Sql, first: number, last: number, most: number): Promise<BranchId[]> {
  const rows = await sql.rows<{ id: BranchId }>(
    SQL`SELECT branch.id FROM branch WHERE branch.id BETWEEN ${first} AND ${last} ORDER BY branch.id LIMIT ${most}`,
  );
  return rows.map((row) => row.id);
}

/** Locks months of a branch FOR UPDATE, in order: up to `month` for archiving, from it on for restoring. */
export function lockMonths(
  sql: Sql,
  branch: ArchivableBranch,
  month: Month,
  which: 'UP_TO' | 'FROM',
): Promise<{ month: Month; state: 'OPEN' | 'CLOSED'; archived: boolean }[]> {
  return sql.rows(SQL`
    SELECT to_char(month.month, 'YYYY-MM') AS month, month.state, month.archived
      FROM month
     WHERE month.company_id = ${branch.companyId} AND month.branch_id = ${branch.branchId}
       AND month.month ${which === 'UP_TO' ? SQL`<=` : SQL`>=`} ${firstDay(month)}
     ORDER BY month.month FOR UPDATE`);
}

/** Moves the movements of the months into the archive, or back; the program itself may not touch a closed month. */
export async function moveMovements(
  sql: Sql,
  branch: ArchivableBranch,
  months: readonly Month[],
  to: 'ARCHIVED' | 'LIVE',
): Promise<void> {
  await sql.rows(SQL`
    SELECT move_movements(${branch.companyId}, ${branch.branchId}, ${months.map(firstDay)}::date[],
      ${to === 'ARCHIVED'})`);
}
