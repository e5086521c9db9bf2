import type { Day } from '../../accounting/period.ts';
import type { Rounding } from '../../accounting/quota.ts';
import type { Sql } from '../../platform/sql.ts';
import type { Tenant } from '../access/access.ts';

export interface QuotaSettings {
  readonly netEquityAccountId: number;
  readonly includeOpenResult: boolean;
  /** NUMERIC text; null when an account holds the quantity. */
  readonly numberOfQuotas: string | null;
  readonly quotaQuantityAccountId: number | null;
  readonly quotaDecimals: number;
  readonly roundingMode: Rounding;
}

export function selectQuotaSettings(sql: Sql, tenant: Tenant): Promise<QuotaSettings | undefined> {
  return sql.maybe<QuotaSettings>({
    text: `SELECT quota_configuration.net_equity_account_id AS "netEquityAccountId",
                  quota_configuration.include_open_result AS "includeOpenResult",
                  quota_configuration.number_of_quotas AS "numberOfQuotas",
                  quota_configuration.quota_quantity_account_id AS "quotaQuantityAccountId",
                  quota_configuration.quota_decimals AS "quotaDecimals",
                  quota_configuration.rounding_mode AS "roundingMode"
             FROM quota_configuration
            WHERE quota_configuration.company_id = $1 AND quota_configuration.branch_id = $2`,
    values: [tenant.companyId, tenant.branchId],
  });
}

/** The day whose equity a stored quota divides: the last one before the month of its calculation. */
export const REFERENCE_DAY = "(date_trunc('month', tax_quota.day) - interval '1 day')::date";

export interface StoredQuota {
  readonly day: Day;
  readonly referenceDay: Day;
  readonly quotaValue: string;
  readonly netEquity: string;
  readonly numberOfQuotas: string;
  readonly quotaDecimals: number;
  readonly confirmedAt: Date;
  readonly confirmedBy: string;
}

/** Confirmed quotas, newest first. */
export function selectQuotas(sql: Sql, tenant: Tenant, most: number, day?: Day): Promise<StoredQuota[]> {
  return sql.rows<StoredQuota>({
    text: `SELECT tax_quota.day, ${REFERENCE_DAY} AS "referenceDay", tax_quota.quota_value AS "quotaValue", tax_quota.net_equity AS "netEquity",
                  tax_quota.number_of_quotas AS "numberOfQuotas", tax_quota.quota_decimals AS "quotaDecimals",
                  tax_quota.confirmed_at AS "confirmedAt", tax_quota.confirmed_by AS "confirmedBy"
             FROM tax_quota
            WHERE tax_quota.company_id = $1 AND tax_quota.branch_id = $2 AND ($4::date IS NULL OR tax_quota.day = $4)
            ORDER BY tax_quota.day DESC LIMIT $3`,
    values: [tenant.companyId, tenant.branchId, most, day ?? null],
  });
}
