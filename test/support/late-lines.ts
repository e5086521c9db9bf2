import type { Sql } from '../../src/platform/database/sql.ts';
import { SQL } from '../../src/platform/database/statement.ts';

/**
 * Posting accounts of closed months whose stored debits or credits differ from the lines of the table: lines that came
 * too late, or were lost. In months without a stored balance every line differs.
 */
export function lateLines(
  sql: Sql,
  branchIds: readonly number[],
  table: 'entry_line' | 'entry_line_archive' = 'entry_line',
): Promise<{ branchId: number; code: string; debit: string | null; lines: string | null }[]> {
  return sql.rows(SQL`
    SELECT coalesce(lines.branch_id, closed.branch_id) AS "branchId", account.code, closed.debit::text,
           lines.debit::text AS lines
      FROM (SELECT line.branch_id, line.account_id, sum(line.amount) FILTER (WHERE line.side = 'D') AS debit,
                   sum(line.amount) FILTER (WHERE line.side = 'C') AS credit
              FROM ${SQL.identifier(table)} AS line WHERE line.branch_id = ANY (${branchIds}::bigint[]) GROUP BY 1, 2) AS lines
      FULL JOIN (SELECT monthly_balance.branch_id, monthly_balance.account_id, monthly_balance.debit,
                        monthly_balance.credit
                   FROM monthly_balance
                   JOIN account ON account.id = monthly_balance.account_id AND account.account_type = 'A'
                  WHERE monthly_balance.branch_id = ANY (${branchIds}::bigint[])) AS closed
             ON closed.branch_id = lines.branch_id AND closed.account_id = lines.account_id
      JOIN account ON account.id = coalesce(lines.account_id, closed.account_id)
     WHERE coalesce(closed.debit, 0) <> coalesce(lines.debit, 0)
        OR coalesce(closed.credit, 0) <> coalesce(lines.credit, 0)`);
}
