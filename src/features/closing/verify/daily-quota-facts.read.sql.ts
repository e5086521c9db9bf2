import type { Day } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';

/** A confirmed quota of a day that counts, with what its books add up to. Decimals are NUMERIC texts. */
export interface VerifiedDailyQuota {
  readonly day: Day;
  readonly quotaValue: string;
  readonly quotaDecimals: number;
  readonly netEquity: string;
  readonly numberOfQuotas: string;
  /** What has been noted as changed since. */
  readonly equityChange: string;
  readonly quantityChange: string;
  /** Debit-positive: base balances, and all lines up to the day. */
  readonly equityBalance: string;
  /** null where an account holds the quotas. */
  readonly movedQuotas: string | null;
}

/** From the base balances and every line up to the day, archived ones too: other sums than those that computed it. */
export function selectVerifiedDailyQuotas(sql: Sql, { companyId, branchId }: BranchKey): Promise<VerifiedDailyQuota[]> {
  return sql.rows<VerifiedDailyQuota>(SQL`
    WITH line AS MATERIALIZED (
      SELECT moved.account_id, moved.day, sum(moved.net) AS net
        FROM (SELECT base_balance.account_id, '-infinity'::date AS day, base_balance.balance AS net FROM base_balance
               WHERE base_balance.company_id = ${companyId} AND base_balance.branch_id = ${branchId}
              UNION ALL
              SELECT entry_line.account_id, entry_line.day,
                     CASE entry_line.side WHEN 'D' THEN entry_line.amount ELSE -entry_line.amount END
                FROM entry_line
               WHERE entry_line.company_id = ${companyId} AND entry_line.branch_id = ${branchId}
              UNION ALL
              SELECT archived.account_id, archived.day,
                     CASE archived.side WHEN 'D' THEN archived.amount ELSE -archived.amount END
                FROM entry_line_archive AS archived
               WHERE archived.company_id = ${companyId} AND archived.branch_id = ${branchId}) AS moved
       GROUP BY moved.account_id, moved.day
    )
    SELECT daily_quota.day, daily_quota.quota_value AS "quotaValue", daily_quota.quota_decimals AS "quotaDecimals",
           daily_quota.net_equity AS "netEquity", daily_quota.number_of_quotas AS "numberOfQuotas",
           daily_quota.equity_change AS "equityChange", daily_quota.quantity_change AS "quantityChange",
           (SELECT coalesce(sum(line.net), 0)::numeric(20,2) FROM line
              JOIN account ON account.id = line.account_id
             WHERE line.day <= daily_quota.day
               AND (account.id = daily_quota.net_equity_account_id
                    OR daily_quota.net_equity_account_id = ANY (account.ancestors)
                    OR (daily_quota.include_open_result AND account.account_class = '04'))) AS "equityBalance",
           CASE WHEN daily_quota.quota_quantity_account_id IS NULL
                THEN (SELECT coalesce(sum(quota_movement.quotas), 0)::numeric(30,12) FROM quota_movement
                       WHERE quota_movement.company_id = ${companyId} AND quota_movement.branch_id = ${branchId}
                         AND quota_movement.day <= daily_quota.day) END AS "movedQuotas"
      FROM daily_quota
     WHERE daily_quota.company_id = ${companyId} AND daily_quota.branch_id = ${branchId} AND daily_quota.replaced_at IS NULL
     ORDER BY daily_quota.day`);
}
