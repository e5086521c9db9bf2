import type { AccountId } from '../../../accounting/ids.ts';
import type { Day } from '../../../accounting/period.ts';
import type { Rounding } from '../../../accounting/quota.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { Tenant } from '../../access/access.ts';

export interface QuotaSettings {
  readonly netEquityAccountId: AccountId;
  readonly includeOpenResult: boolean;
  readonly quotaQuantityAccountId: AccountId | null;
  readonly quotaDecimals: number;
  readonly roundingMode: Rounding;
}

export function selectQuotaSettings(sql: Sql, tenant: Tenant): Promise<QuotaSettings | undefined> {
  return sql.maybe<QuotaSettings>(SQL`
    SELECT quota_configuration.net_equity_account_id AS "netEquityAccountId",
           quota_configuration.include_open_result AS "includeOpenResult",
           quota_configuration.quota_quantity_account_id AS "quotaQuantityAccountId",
           quota_configuration.quota_decimals AS "quotaDecimals",
           quota_configuration.rounding_mode AS "roundingMode"
      FROM quota_configuration
     WHERE quota_configuration.company_id = ${tenant.companyId}
       AND quota_configuration.branch_id = ${tenant.branchId}`);
}

export interface QuotaFigures {
  /** The day of the calculation. */
  readonly day: Day;
  /** The day whose equity it divides. */
  readonly referenceDay: Day;
  readonly quotaValue: string;
  readonly netEquity: string;
  readonly numberOfQuotas: string;
  readonly quotaDecimals: number;
}

export interface Quota extends QuotaFigures {
  readonly netEquityAccountId: AccountId;
  readonly includeOpenResult: boolean;
}

export interface StoredQuota extends QuotaFigures {
  readonly confirmedAt: Date;
  readonly confirmedBy: string;
  /** Its equity no longer agrees with the books. */
  readonly stale: boolean;
}

/** Confirmed quotas, newest first, of the days from and to which they are asked. */
export function selectQuotas(
  sql: Sql,
  tenant: Tenant,
  most: number,
  { from, to }: { readonly from?: Day | undefined; readonly to?: Day | undefined } = {},
): Promise<StoredQuota[]> {
  return sql.rows<StoredQuota>(SQL`
    SELECT tax_quota.day, tax_quota.reference_day AS "referenceDay", tax_quota.quota_value AS "quotaValue",
           tax_quota.net_equity AS "netEquity", tax_quota.number_of_quotas AS "numberOfQuotas",
           tax_quota.quota_decimals AS "quotaDecimals",
           tax_quota.confirmed_at AS "confirmedAt", tax_quota.confirmed_by AS "confirmedBy",
           tax_quota.stale_since IS NOT NULL AS stale
      FROM tax_quota
     WHERE tax_quota.company_id = ${tenant.companyId} AND tax_quota.branch_id = ${tenant.branchId}
       AND tax_quota.day BETWEEN ${from ?? '-infinity'} AND ${to ?? 'infinity'}
     ORDER BY tax_quota.day DESC LIMIT ${most}`);
}

/** Quotas in circulation at the end of the day, as NUMERIC text; '0' before the first movement. */
export async function selectQuantityOn(sql: Sql, tenant: Tenant, day: Day): Promise<string> {
  const { quotas } = await sql.one<{ quotas: string }>(SQL`
    SELECT coalesce(sum(quota_movement.quotas), 0)::text AS quotas FROM quota_movement
     WHERE quota_movement.company_id = ${tenant.companyId} AND quota_movement.branch_id = ${tenant.branchId}
       AND quota_movement.day <= ${day}`);
  return quotas;
}

/** Days of the confirmed quotas that divide an equity of this day or a later one and still agree with the books. */
export async function selectDaysOfQuotasSince(sql: Sql, tenant: Tenant, day: Day): Promise<Day[]> {
  const rows = await sql.rows<{ day: Day }>(SQL`
    SELECT tax_quota.day FROM tax_quota
     WHERE tax_quota.company_id = ${tenant.companyId} AND tax_quota.branch_id = ${tenant.branchId}
       AND tax_quota.reference_day >= ${day}
       AND tax_quota.stale_since IS NULL
     ORDER BY tax_quota.day`);
  return rows.map((row) => row.day);
}
