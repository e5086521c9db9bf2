import { randomInt } from 'node:crypto';
import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import { firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';
import { bookOrder } from '../../posting/entries/book-order.sql.ts';
import { NET } from '../balances/balance-rules.sql.ts';

/** The lines of a branch's month, and whether each of its entries balances. */
export interface Proof {
  readonly branchId: BranchId;
  readonly lines: number;
  /** Logical entries. */
  readonly entries: number;
  readonly balanced: boolean;
}

/**
 * Proves the entries of a month by one number for each branch that has lines: each line's amount, credits negative,
 * times a 64-bit hash of its entry under a seed of this run. Entries that balance give exactly 0; others give 0 once in
 * some 10^19 months. In a transaction the lines are read in the order of the table: in that of the ledger index, which
 * the planner believes to be the same, every line is another page.
 */
export async function proveEntries(
  sql: Sql,
  companyId: CompanyId,
  branchIds: readonly BranchId[],
  month: Month,
): Promise<Proof[]> {
  const seed = randomInt(2 ** 47);
  return inTableOrder(sql, () =>
    sql.rows<Proof>(SQL`
    SELECT entry_line.branch_id AS "branchId", count(*) AS lines,
           count(*) FILTER (WHERE entry_line.sequence = 1) AS entries,
           sum(${NET} * hashtextextended(entry_line.entry_number, entry_line.document_id # ${seed}::bigint)) = 0
             AS balanced
      FROM entry_line
     WHERE entry_line.company_id = ${companyId} AND entry_line.branch_id = ANY (${branchIds}::bigint[])
       AND entry_line.month = ${firstDay(month)}
     GROUP BY entry_line.branch_id`),
  );
}

/** Reads many lines in the order of their table; in a transaction. */
export async function inTableOrder<Row>(sql: Sql, read: () => Promise<Row>): Promise<Row> {
  await setIndexScan(sql, 'off');
  const found = await read();
  await setIndexScan(sql, 'on');
  return found;
}

/** Until the end of the transaction; bitmap scans stay allowed. */
async function setIndexScan(sql: Sql, value: 'on' | 'off'): Promise<void> {
  await sql.run(SQL`SELECT set_config('enable_indexscan', ${value}, true)`);
}

/** Logical entries of the month that do not balance, with their sums. */
export function unbalancedEntries(companyId: CompanyId, branchIds: readonly BranchId[], month: Month): Fragment {
  return SQL`
    SELECT entry_line.branch_id, entry_line.document_id, entry_line.entry_number,
           coalesce(sum(entry_line.amount) FILTER (WHERE entry_line.side = 'D'), 0)::numeric(20,2) AS debits,
           coalesce(sum(entry_line.amount) FILTER (WHERE entry_line.side = 'C'), 0)::numeric(20,2) AS credits
      FROM entry_line
     WHERE entry_line.company_id = ${companyId} AND entry_line.branch_id = ANY (${branchIds}::bigint[])
       AND entry_line.month = ${firstDay(month)}
     GROUP BY entry_line.branch_id, entry_line.document_id, entry_line.entry_number
    HAVING sum(${NET}) <> 0`;
}

export interface UnbalancedEntry {
  readonly batch: string;
  readonly document: string;
  readonly entry: string;
  readonly debits: string;
  readonly credits: string;
}

/**
 * Counts the month's lines and logical entries, and finds logical entries that do not balance, the first ones in book order. The triggers
 * reject such lines; those that bypassed them, by a restore or an administrator of the database, are found here.
 */
export async function checkEntries(
  sql: Sql,
  branch: BranchKey,
  month: Month,
  limit: number,
): Promise<{ lines: number; entries: number; unbalanced: UnbalancedEntry[] }> {
  const [proof] = await proveEntries(sql, branch.companyId, [branch.branchId], month);
  if (proof === undefined) return { lines: 0, entries: 0, unbalanced: [] };
  const { lines, entries, balanced } = proof;
  return { lines, entries, unbalanced: balanced ? [] : await selectUnbalanced(sql, branch, month, limit) };
}

function selectUnbalanced(sql: Sql, branch: BranchKey, month: Month, limit: number): Promise<UnbalancedEntry[]> {
  return sql.rows<UnbalancedEntry>(SQL`
    SELECT coalesce(batch.number, '?') AS batch, coalesce(document.number, '?') AS document,
           wrong.entry_number AS entry, wrong.debits, wrong.credits
      FROM (${unbalancedEntries(branch.companyId, [branch.branchId], month)}) AS wrong
      LEFT JOIN document ON document.company_id = ${branch.companyId} AND document.id = wrong.document_id
      LEFT JOIN batch ON batch.company_id = ${branch.companyId} AND batch.id = document.batch_id
     ORDER BY ${bookOrder({ batch: 'batch.number', document: 'document.number', entry: 'wrong.entry_number' })}
     LIMIT ${limit}`);
}
