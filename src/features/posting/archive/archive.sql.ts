import { firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';

export interface ArchivableBranch {
  readonly companyId: number;
  readonly branchId: number;
  readonly company: string;
  readonly branch: string;
}

/** Branches by id that the caller reaches. */
export function selectBranches(sql: Sql, ids: readonly number[]): Promise<ArchivableBranch[]> {
  return sql.rows<ArchivableBranch>({
    text: `SELECT branch.company_id AS "companyId", branch.id AS "branchId", company.code AS company, branch.code AS branch
             FROM branch JOIN company ON company.id = branch.company_id
            WHERE branch.id = ANY ($1::bigint[]) AND can_access(branch.company_id, branch.id)`,
    values: [[...ids]],
  });
}

/** Ids of every branch from the first to the last, reached or not: a foreign one in a range must be told of. */
export async function selectIdsInRange(sql: Sql, first: number, last: number, most: number): Promise<number[]> {
  const rows = await sql.rows<{ id: number }>({
    text: 'SELECT branch.id FROM branch WHERE branch.id BETWEEN $1 AND $2 ORDER BY branch.id LIMIT $3',
    values: [first, last, most],
  });
  return rows.map((row) => row.id);
}

/** Months of a branch held alone, in order: up to `month` for archiving, from it on for restoring. */
export function lockMonths(
  sql: Sql,
  branch: ArchivableBranch,
  month: Month,
  which: 'UP_TO' | 'FROM',
): Promise<{ month: Month; state: 'OPEN' | 'CLOSED'; archived: boolean }[]> {
  return sql.rows({
    text: `SELECT to_char(month.month, 'YYYY-MM') AS month, month.state, month.archived
             FROM month
            WHERE month.company_id = $1 AND month.branch_id = $2 AND month.month ${which === 'UP_TO' ? '<=' : '>='} $3
            ORDER BY month.month FOR UPDATE`,
    values: [branch.companyId, branch.branchId, firstDay(month)],
  });
}

/** Moves the movements of the months into the archive, or back; the program itself may not touch a closed month. */
export async function moveMovements(
  sql: Sql,
  branch: ArchivableBranch,
  months: readonly Month[],
  to: 'HISTORY' | 'BOOKS',
): Promise<void> {
  await sql.rows({
    text: 'SELECT move_movements($1, $2, $3::date[], $4)',
    values: [branch.companyId, branch.branchId, months.map(firstDay), to === 'HISTORY'],
  });
}
