import { addMonths, firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';
import { isShown, openingLeaves, rollUp, withAccountsAbove } from '../balances/balance-rules.sql.ts';
import { dayLeaves } from '../balances/balances.read.sql.ts';

const DAY_AMOUNTS = ['debit', 'credit', 'closing_debit', 'closing_credit'] as const;

/**
 * Writes monthly and daily balances of all accounts of the month: lines summed by leaf and day, rolled up along the
 * stored ancestors, on the leaf balances of the month before or the base balances. One statement, one read of the lines
 * by the ledger index. Returns how many accounts got a row, whether debits equal credits, and the debits.
 */
export function insertBalances(
  sql: Sql,
  branch: BranchKey,
  month: Month,
  isFirst: boolean,
): Promise<{ lines: number; accounts: number; difference: string; debits: string }> {
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
    ), total AS MATERIALIZED (
      SELECT coalesce(sum(leaf.lines), 0) AS lines,
             coalesce(sum(leaf.debit) - sum(leaf.credit) + sum(leaf.closing_debit) - sum(leaf.closing_credit), 0)
               AS difference,
             coalesce(sum(leaf.debit) + sum(leaf.closing_debit), 0) AS debits,
             sum(leaf.closing_debit) + sum(leaf.closing_credit) > 0 AS has_closing
        FROM leaf
    ), rolled AS (
      ${withAccountsAbove('leaf', ['day'], DAY_AMOUNTS)}
    ), moved AS MATERIALIZED (${movedByAccount()}
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
        FULL JOIN moved ON moved.account_id = opening.account_id
       WHERE ${isShown(SQL`opening.balance`, SQL`moved.account_id IS NOT NULL`)}
      RETURNING monthly_balance.account_id
    ), daily AS (
      INSERT INTO daily_balance (company_id, branch_id, month, account_id, days, debits, credits, closing_debits,
                                 closing_credits, balances)
      SELECT ${companyId}, ${branchId}, ${firstDay(month)}, moved.account_id, moved.days, moved.debits, moved.credits,
             moved.closing_debits, moved.closing_credits, moved.balances
        FROM moved
      RETURNING daily_balance.account_id
    )
    SELECT total.lines::bigint AS lines, (SELECT count(*) FROM monthly) AS accounts,
           total.difference::numeric(20,2) AS difference, total.debits::numeric(20,2) AS debits
      FROM total`);
}

/** What each account of `rolled` moved, and its days in order; those of closing entries are kept where the month has some. */
function movedByAccount(): Fragment {
  const inOrder = (amount: string) => SQL`array_agg(${SQL.identifier(`dated.${amount}`)} ORDER BY dated.day)`;
  const ofClosing = SQL`FILTER (WHERE (SELECT total.has_closing FROM total))`;
  return SQL`
      SELECT dated.account_id, sum(dated.debit) AS debit, sum(dated.credit) AS credit,
             sum(dated.closing_debit) AS closing_debit, sum(dated.closing_credit) AS closing_credit,
             ${inOrder('day')} AS days, ${inOrder('debit')} AS debits, ${inOrder('credit')} AS credits,
             ${inOrder('closing_debit')} ${ofClosing} AS closing_debits,
             ${inOrder('closing_credit')} ${ofClosing} AS closing_credits, ${inOrder('balance')} AS balances
        FROM (SELECT rolled.*,
                     coalesce(opening.balance, 0)
                     + sum(rolled.debit - rolled.credit + rolled.closing_debit - rolled.closing_credit)
                       OVER (PARTITION BY rolled.account_id ORDER BY rolled.day ROWS UNBOUNDED PRECEDING) AS balance
                FROM rolled
                LEFT JOIN opening ON opening.account_id = rolled.account_id) AS dated
       GROUP BY dated.account_id`;
}

/** What is kept of a closed month beside its balances: who closed it, its logical entries and its debits, closing entries included. */
export interface ClosedFigures {
  readonly closedBy: string;
  readonly entries: number;
  /** NUMERIC text. */
  readonly debits: string;
}

export async function markClosed(sql: Sql, branch: BranchKey, month: Month, figures: ClosedFigures): Promise<void> {
  const { closedBy, entries, debits } = figures;
  await sql.rows(SQL`
    SELECT close_month(${branch.companyId}, ${branch.branchId}, ${firstDay(month)}, ${closedBy}, ${entries}, ${debits})`);
}
