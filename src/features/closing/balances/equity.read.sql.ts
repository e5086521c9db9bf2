import { centavosFromSql } from '../../../accounting/money.ts';
import { firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { BranchKey, BranchSet } from '../../access/access.ts';
import { openingLeaves, openNets, rowsOf } from './balance-rules.sql.ts';
import { type BalanceBaseline, baselineDay } from './balances.read.sql.ts';

/** Sums of the leaves of equity and of result. */
export interface EquityMonth {
  readonly month: Month;
  /** Debit-positive, as all balances here. */
  readonly equity: bigint;
  readonly result: bigint;
}

/** Equity (class 03) and open result (class 04) at the end of these months; branches together have closed equally far. */
export async function selectEquity(
  sql: Sql,
  branches: BranchKey | BranchSet,
  baseline: Pick<BalanceBaseline, 'closed'>,
  months: readonly Month[],
): Promise<EquityMonth[]> {
  const days = months.map(firstDay);
  const closed = baselineDay(baseline);
  const rows = await sql.rows<{ month: Month; equity: string; result: string }>(SQL`
    WITH asked AS (SELECT unnest(${days}::date[]) AS month), class_sum AS (
      SELECT monthly_balance.month, account.account_class, sum(monthly_balance.balance) AS balance
        FROM monthly_balance
        JOIN account ON account.id = monthly_balance.account_id AND account.account_type = 'A'
         AND account.account_class IN ('03', '04')
       WHERE ${rowsOf('monthly_balance', branches)}
         AND monthly_balance.month = ANY (${days}::date[]) AND monthly_balance.month <= ${closed}
       GROUP BY monthly_balance.month, account.account_class
      UNION ALL
      SELECT asked.month, account.account_class, sum(moved.net)
        FROM (SELECT opening.account_id, NULL::date AS month, opening.balance AS net
                FROM (${openingLeaves(branches, baseline.closed)}) AS opening
              UNION ALL
              SELECT since.account_id, since.month, since.net
                FROM (${openNets(branches, { after: closed, to: days.at(-1)! })}) AS since) AS moved
        JOIN account ON account.id = moved.account_id AND account.account_class IN ('03', '04')
        JOIN asked ON asked.month > ${closed} AND (moved.month IS NULL OR moved.month <= asked.month)
       GROUP BY asked.month, account.account_class
    )
    SELECT to_char(asked.month, 'YYYY-MM') AS month,
           coalesce(sum(class_sum.balance) FILTER (WHERE class_sum.account_class = '03'), 0)::numeric(20,2) AS equity,
           coalesce(sum(class_sum.balance) FILTER (WHERE class_sum.account_class = '04'), 0)::numeric(20,2) AS result
      FROM asked LEFT JOIN class_sum ON class_sum.month = asked.month
     GROUP BY asked.month ORDER BY asked.month`);
  return rows.map(({ month, equity, result }) => ({
    month,
    equity: centavosFromSql(equity),
    result: centavosFromSql(result),
  }));
}
