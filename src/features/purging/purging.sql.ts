import { firstDay, type Month } from '../../accounting/period.ts';
import type { Sql } from '../../platform/sql.ts';

const LINE_COLUMNS = `company_id, id, branch_id, document_id, account_id, counter_account_id, month, day, sequence, side,
  closing, amount, entry_number, history_code, history, narration, created_at,
  updated_at`;
const DOCUMENT_COLUMNS = `company_id, id, branch_id, month, batch_id, number, reference_day, text, standard_history,
  created_at, updated_at`;
const BATCH_COLUMNS = 'company_id, id, branch_id, month, number, description, closing, created_at, updated_at';

export interface PurgeableBranch {
  readonly companyId: number;
  readonly branchId: number;
  readonly company: string;
  readonly branch: string;
}

/** Branches by id that the caller reaches. */
export function selectBranches(sql: Sql, ids: readonly number[]): Promise<PurgeableBranch[]> {
  return sql.rows<PurgeableBranch>({
    text: `SELECT branch.company_id AS "companyId", branch.id AS "branchId", company.code AS company, branch.code AS branch
             FROM branch JOIN company ON company.id = branch.company_id
            WHERE branch.id = ANY ($1::bigint[]) AND reaches(branch.company_id, branch.id)`,
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

/** Months of a branch held alone, in order: up to `month` for purging, from it on for restoring. */
export function lockMonths(
  sql: Sql,
  branch: PurgeableBranch,
  month: Month,
  which: 'UP_TO' | 'FROM',
): Promise<{ month: Month; state: 'OPEN' | 'CONSOLIDATED'; purged: boolean }[]> {
  return sql.rows({
    text: `SELECT to_char(month.month, 'YYYY-MM') AS month, month.state, month.purged
             FROM month
            WHERE month.company_id = $1 AND month.branch_id = $2 AND month.month ${which === 'UP_TO' ? '<=' : '>='} $3
            ORDER BY month.month FOR UPDATE`,
    values: [branch.companyId, branch.branchId, firstDay(month)],
  });
}

/** Moves the movements of the months into history. */
export async function moveToHistory(sql: Sql, branch: PurgeableBranch, months: readonly Month[]): Promise<void> {
  await move(sql, branch, months, 'entry_line', 'entry_line_history', LINE_COLUMNS);
  await move(sql, branch, months, 'document', 'document_history', DOCUMENT_COLUMNS);
  await move(sql, branch, months, 'batch', 'batch_history', BATCH_COLUMNS);
  await markPurged(sql, branch, months, true);
}

/** Moves them back, parents first. */
export async function moveFromHistory(sql: Sql, branch: PurgeableBranch, months: readonly Month[]): Promise<void> {
  await move(sql, branch, months, 'batch_history', 'batch', BATCH_COLUMNS);
  await move(sql, branch, months, 'document_history', 'document', DOCUMENT_COLUMNS);
  await move(sql, branch, months, 'entry_line_history', 'entry_line', LINE_COLUMNS);
  await markPurged(sql, branch, months, false);
}

/** Copy, then delete: twice as fast as one DELETE … RETURNING into the other table, which keeps every row in memory. */
async function move(
  sql: Sql,
  branch: PurgeableBranch,
  months: readonly Month[],
  from: string,
  to: string,
  columns: string,
): Promise<void> {
  const values = [branch.companyId, branch.branchId, months.map(firstDay)];
  const chosen = `${from}.company_id = $1 AND ${from}.branch_id = $2 AND ${from}.month = ANY ($3::date[])`;
  await sql.run({ text: `INSERT INTO ${to} (${columns}) SELECT ${columns} FROM ${from} WHERE ${chosen}`, values });
  await sql.run({ text: `DELETE FROM ${from} WHERE ${chosen}`, values });
}

async function markPurged(sql: Sql, branch: PurgeableBranch, months: readonly Month[], purged: boolean): Promise<void> {
  await sql.run({
    text: `UPDATE month SET purged = $4
            WHERE month.company_id = $1 AND month.branch_id = $2 AND month.month = ANY ($3::date[])`,
    values: [branch.companyId, branch.branchId, months.map(firstDay), purged],
  });
}
