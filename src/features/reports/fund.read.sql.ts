import type { Day } from '../../accounting/period.ts';
import type { Rounding } from '../../accounting/quota.ts';
import type { Sql } from '../../platform/sql.ts';
import type { Tenant } from '../access/access.ts';

export interface ConfirmedQuota {
  readonly day: Day;
  /** NUMERIC text. */
  readonly value: string;
  readonly quotas: string;
  readonly decimals: number;
}

/** The last confirmed quota of a span of days. */
export function selectLastQuota(sql: Sql, tenant: Tenant, from: Day, to: Day): Promise<ConfirmedQuota | undefined> {
  return sql.maybe<ConfirmedQuota>({
    text: `SELECT tax_quota.day, tax_quota.quota_value AS value, tax_quota.number_of_quotas AS quotas,
                  tax_quota.quota_decimals AS decimals
             FROM tax_quota
            WHERE tax_quota.company_id = $1 AND tax_quota.branch_id = $2 AND tax_quota.day BETWEEN $3 AND $4
            ORDER BY tax_quota.day DESC LIMIT 1`,
    values: [tenant.companyId, tenant.branchId, from, to],
  });
}

export interface QuotaBasis {
  /** NUMERIC text. */
  readonly quotas: string;
  readonly decimals: number;
  readonly rounding: Rounding;
}

/** What the quota is calculated with, where the number of quotas is a figure of the settings. */
export function selectQuotaBasis(sql: Sql, tenant: Tenant): Promise<QuotaBasis | undefined> {
  return sql.maybe<QuotaBasis>({
    text: `SELECT quota_configuration.number_of_quotas AS quotas, quota_configuration.quota_decimals AS decimals,
                  quota_configuration.rounding_mode AS rounding
             FROM quota_configuration
            WHERE quota_configuration.company_id = $1 AND quota_configuration.branch_id = $2
              AND quota_configuration.number_of_quotas > 0`,
    values: [tenant.companyId, tenant.branchId],
  });
}
