import type { Day } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { Tenant } from '../../access/access.ts';
import { FUND_YEAR_END } from '../../closing/month-close/closing-entries.sql.ts';

export interface ConfirmedQuota {
  /** NUMERIC text. */
  readonly value: string;
  readonly quotas: string;
  readonly decimals: number;
}

/** The last confirmed quota that divides the equity of that day. */
export function selectQuotaOfEquity(sql: Sql, tenant: Tenant, day: Day): Promise<ConfirmedQuota | undefined> {
  return sql.maybe<ConfirmedQuota>(SQL`
    SELECT tax_quota.quota_value AS value, tax_quota.number_of_quotas AS quotas, tax_quota.quota_decimals AS decimals
      FROM tax_quota
     WHERE tax_quota.company_id = ${tenant.companyId} AND tax_quota.branch_id = ${tenant.branchId}
       AND tax_quota.reference_day = ${day} AND tax_quota.stale_since IS NULL
     ORDER BY tax_quota.day DESC LIMIT 1`);
}

/** Whether the branch has quotas at all. */
export async function hasQuotas(sql: Sql, tenant: Tenant): Promise<boolean> {
  const { companyId, branchId } = tenant;
  const { known } = await sql.one<{ known: boolean }>(SQL`
    SELECT EXISTS (SELECT 1 FROM quota_configuration
                    WHERE quota_configuration.company_id = ${companyId} AND quota_configuration.branch_id = ${branchId})
        OR EXISTS (SELECT 1 FROM tax_quota
                    WHERE tax_quota.company_id = ${companyId} AND tax_quota.branch_id = ${branchId}) AS known`);
  return known;
}

/** Last month of the own year of the fund that the branch keeps the books of; undefined when it names none. */
export async function selectFundYearEnd(sql: Sql, tenant: Tenant): Promise<number | undefined> {
  const row = await sql.maybe<{ month: number | null }>(SQL`
    SELECT ${FUND_YEAR_END} AS month FROM fund_settings
     WHERE fund_settings.company_id = ${tenant.companyId} AND fund_settings.branch_id = ${tenant.branchId}
       AND fund_settings.active`);
  return row?.month ?? undefined;
}
