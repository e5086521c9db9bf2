import { addMonths, firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';
import { isShown, openingLeaves, rollUp } from '../balances/balance-rules.sql.ts';
import { dayLeaves } from '../balances/balances.read.sql.ts';

/**
 * Writes monthly and daily balances of all accounts of the month: lines summed by leaf and day, rolled up along the
 * stored ancestors, on the leaf balances of the month before or the base balances. One statement, one read of the lines
 * by the ledger index. Returns how many accounts got a row and whether debits equal credits.
 */
export function insertBalances(
  sql: Sql,
  branch: BranchKey,
  month: Month,
  isFirst: boolean,
): Promise<{ lines: number; accounts: number; difference: string }> {
  const { companyId, branchId } = branch;
  return sql.one(SQL.named('insert-balances')`
    WITH leaf AS MATERIALIZED (
      ${dayLeaves(branch, month)}
    ), opening_leaf AS (
      ${openingLeaves(branch, isFirst ? null : addMonths(month, -1))}
    ), opening AS MATERIALIZED (
      SELECT node.id AS account_id, sum(opening_leaf.balance) AS balance
        FROM opening_leaf
        ${rollUp('opening_leaf')}
       GROUP BY node.id
    ), rolled AS MATERIALIZED (
      SELECT node.id AS account_id, leaf.day, sum(leaf.debit) AS debit, sum(leaf.credit) AS credit,
             sum(leaf.closing_debit) AS closing_debit, sum(leaf.closing_credit) AS closing_credit
        FROM leaf
        ${rollUp('leaf')}
       GROUP BY node.id, leaf.day
    ), monthly AS (
      INSERT INTO monthly_balance (company_id, branch_id, month, account_id, opening, debit, credit, closing_debit,
                                   closing_credit, closing, balance)
      SELECT ${companyId}, ${branchId}, ${firstDay(month)}, coalesce(opening.account_id, moved.account_id),
             coalesce(opening.balance, 0),
             coalesce(moved.debit, 0), coalesce(moved.credit, 0), coalesce(moved.closing_debit, 0),
             coalesce(moved.closing_credit, 0), coalesce(moved.closing_debit - moved.closing_credit, 0),
             coalesce(opening.balance, 0)
             + coalesce(moved.debit - moved.credit + moved.closing_debit - moved.closing_credit, 0)
        FROM opening
        FULL JOIN (SELECT rolled.account_id, sum(rolled.debit) AS debit, sum(rolled.credit) AS credit,
                          sum(rolled.closing_debit) AS closing_debit, sum(rolled.closing_credit) AS closing_credit
                     FROM rolled GROUP BY rolled.account_id) AS moved ON moved.account_id = opening.account_id
       WHERE ${isShown(SQL`opening.balance`, SQL`moved.account_id IS NOT NULL`)}
      RETURNING monthly_balance.account_id
    ), daily AS (
      INSERT INTO daily_balance (company_id, branch_id, month, account_id, day, debit, credit, closing_debit,
                                 closing_credit, closing, balance)
      SELECT ${companyId}, ${branchId}, ${firstDay(month)}, rolled.account_id, rolled.day, rolled.debit,
             rolled.credit, rolled.closing_debit, rolled.closing_credit,
             rolled.closing_debit - rolled.closing_credit,
             coalesce(opening.balance, 0)
             + sum(rolled.debit - rolled.credit + rolled.closing_debit - rolled.closing_credit)
               OVER (PARTITION BY rolled.account_id ORDER BY rolled.day)
        FROM rolled
        LEFT JOIN opening ON opening.account_id = rolled.account_id
    )
    SELECT coalesce((SELECT sum(leaf.lines) FROM leaf), 0)::bigint AS lines,
           (SELECT count(*) FROM monthly) AS accounts,
           coalesce((SELECT sum(leaf.debit - leaf.credit + leaf.closing_debit - leaf.closing_credit) FROM leaf), 0)::numeric(20,2) AS difference`);
}

export async function markClosed(sql: Sql, branch: BranchKey, month: Month): Promise<void> {
  await sql.rows(SQL`SELECT close_month(${branch.companyId}, ${branch.branchId}, ${firstDay(month)})`);
}
