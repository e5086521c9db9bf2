import { type Day, firstDay, lastDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { BranchKey, Tenant } from '../../access/access.ts';
import type { Quota } from './quotas.read.sql.ts';

/** False when the day has its quota already; nothing is replaced then. */
export async function insertQuota(sql: Sql, tenant: Tenant, quota: Quota, confirmedBy: string): Promise<boolean> {
  const inserted = await sql.run({
    text: `INSERT INTO tax_quota (company_id, branch_id, day, quota_value, net_equity, number_of_quotas, quota_decimals,
                                  confirmed_by, reference_day, net_equity_account_id, include_open_result)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING`,
    values: [
      tenant.companyId,
      tenant.branchId,
      quota.day,
      quota.quotaValue,
      quota.netEquity,
      quota.numberOfQuotas,
      quota.quotaDecimals,
      confirmedBy,
      quota.referenceDay,
      quota.netEquityAccountId,
      quota.includeOpenResult,
    ],
  });
  return inserted === 1;
}

/** Quotas based on a reopened month, or on a later one, no longer agree with closed books. */
export async function markQuotasStale(sql: Sql, branch: BranchKey, month: Month): Promise<void> {
  await sql.run({
    text: `UPDATE tax_quota SET stale_since = now()
            WHERE tax_quota.company_id = $1 AND tax_quota.branch_id = $2 AND tax_quota.reference_day >= $3
              AND tax_quota.stale_since IS NULL`,
    values: [branch.companyId, branch.branchId, firstDay(month)],
  });
}

/** After a month is closed: its quotas are stale as far as its balances give another equity than they divided. */
export async function compareQuotasWithBalances(sql: Sql, branch: BranchKey, month: Month): Promise<void> {
  await sql.run({
    text: `UPDATE tax_quota
              SET stale_since = CASE WHEN tax_quota.net_equity = equity.amount THEN NULL
                                     ELSE coalesce(tax_quota.stale_since, now()) END
             FROM tax_quota AS divided
            CROSS JOIN LATERAL (
                    SELECT -coalesce(sum(monthly_balance.balance), 0) AS amount
                      FROM monthly_balance
                      JOIN account ON account.id = monthly_balance.account_id
                     WHERE monthly_balance.company_id = divided.company_id
                       AND monthly_balance.branch_id = divided.branch_id AND monthly_balance.month = $3
                       AND (account.id = divided.net_equity_account_id
                            OR (divided.include_open_result AND account.account_class = '04' AND account.level = 1))
                  ) AS equity
            WHERE divided.company_id = $1 AND divided.branch_id = $2 AND divided.reference_day = $4
              AND tax_quota.company_id = divided.company_id AND tax_quota.branch_id = divided.branch_id
              AND tax_quota.day = divided.day`,
    values: [branch.companyId, branch.branchId, firstDay(month), lastDay(month)],
  });
}

/**
 * Sets the number of quotas from now on to the configured one: the first number is the initial movement of the day
 * before the base month, another one an adjustment of today. No figure of an earlier day changes.
 */
export async function moveToNumberOfQuotas(
  sql: Sql,
  tenant: Tenant,
  change: { numberOfQuotas: string; baseDay: Day; today: Day; createdBy: string },
): Promise<void> {
  await sql.run({
    text: `INSERT INTO quota_movement (company_id, branch_id, day, kind, quotas, created_by)
           SELECT $1, $2, CASE WHEN count(quota_movement.id) = 0 THEN $4::date ELSE greatest($4::date, $5::date) END,
                  CASE WHEN count(quota_movement.id) = 0 THEN 'INITIAL' ELSE 'ADJUSTMENT' END,
                  $3::numeric - coalesce(sum(quota_movement.quotas), 0), $6
             FROM quota_movement
            WHERE quota_movement.company_id = $1 AND quota_movement.branch_id = $2
              AND quota_movement.day <= greatest($4::date, $5::date)
           HAVING $3::numeric <> coalesce(sum(quota_movement.quotas), 0)`,
    values: [tenant.companyId, tenant.branchId, change.numberOfQuotas, change.baseDay, change.today, change.createdBy],
  });
}
