import { type Day, firstDay, lastDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { BranchKey, Tenant } from '../../access/access.ts';
import type { Quota } from './quotas.read.sql.ts';

/** False when the day has its quota already; nothing is replaced then. */
export async function insertQuota(sql: Sql, tenant: Tenant, quota: Quota, confirmedBy: string): Promise<boolean> {
  const inserted = await sql.run(SQL`
    INSERT INTO tax_quota (company_id, branch_id, day, quota_value, net_equity, number_of_quotas, quota_decimals,
                           confirmed_by, reference_day, net_equity_account_id, include_open_result)
    VALUES (${tenant.companyId}, ${tenant.branchId}, ${quota.day}, ${quota.quotaValue}, ${quota.netEquity},
            ${quota.numberOfQuotas}, ${quota.quotaDecimals}, ${confirmedBy}, ${quota.referenceDay},
            ${quota.netEquityAccountId}, ${quota.includeOpenResult})
    ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

/** Quotas based on a reopened month, or on a later one, no longer agree with closed books. */
export async function markQuotasStale(sql: Sql, branch: BranchKey, month: Month): Promise<void> {
  await sql.run(SQL`
    UPDATE tax_quota SET stale_since = now()
     WHERE tax_quota.company_id = ${branch.companyId} AND tax_quota.branch_id = ${branch.branchId}
       AND tax_quota.reference_day >= ${firstDay(month)} AND tax_quota.stale_since IS NULL`);
}

/** After a month is closed: its quotas are stale as far as its balances give another equity than they divided. */
export async function compareQuotasWithBalances(sql: Sql, branch: BranchKey, month: Month): Promise<void> {
  const since = (moment: Fragment, changes: Fragment) => SQL`
    UPDATE tax_quota SET stale_since = ${moment}
      FROM tax_quota AS divided
     CROSS JOIN LATERAL (
             SELECT -coalesce(sum(monthly_balance.balance), 0) AS amount
               FROM monthly_balance
               JOIN account ON account.id = monthly_balance.account_id
              WHERE monthly_balance.company_id = ${branch.companyId}
                AND monthly_balance.branch_id = divided.branch_id AND monthly_balance.month = ${firstDay(month)}
                AND (account.id = divided.net_equity_account_id
                     OR (divided.include_open_result AND account.account_class = '04' AND account.level = 1))
           ) AS equity
     WHERE divided.company_id = ${branch.companyId} AND divided.branch_id = ${branch.branchId}
       AND divided.reference_day = ${lastDay(month)}
       AND tax_quota.company_id = ${branch.companyId} AND tax_quota.branch_id = divided.branch_id
       AND tax_quota.day = divided.day AND ${changes}`;
  await sql.run(since(SQL`NULL`, SQL`tax_quota.net_equity = equity.amount AND tax_quota.stale_since IS NOT NULL`));
  await sql.run(since(SQL`now()`, SQL`tax_quota.net_equity <> equity.amount AND tax_quota.stale_since IS NULL`));
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
  const { companyId, branchId } = tenant;
  const { numberOfQuotas, baseDay, today, createdBy } = change;
  await sql.run(SQL`
    INSERT INTO quota_movement (company_id, branch_id, day, kind, quotas, created_by)
    SELECT ${companyId}, ${branchId},
           CASE WHEN count(quota_movement.id) = 0 THEN ${baseDay}::date
                ELSE greatest(${baseDay}::date, ${today}::date) END,
           CASE WHEN count(quota_movement.id) = 0 THEN 'INITIAL' ELSE 'ADJUSTMENT' END,
           ${numberOfQuotas}::numeric - coalesce(sum(quota_movement.quotas), 0), ${createdBy}
      FROM quota_movement
     WHERE quota_movement.company_id = ${companyId} AND quota_movement.branch_id = ${branchId}
       AND quota_movement.day <= greatest(${baseDay}::date, ${today}::date)
    HAVING ${numberOfQuotas}::numeric <> coalesce(sum(quota_movement.quotas), 0)
    RETURNING quota_movement.id`);
}
