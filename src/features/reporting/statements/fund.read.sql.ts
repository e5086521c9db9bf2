import type { Day } from '../../../accounting/period.ts';
import type { MovementKind } from '../../../accounting/quota-series.ts';
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

/** The confirmed quota that divides the equity of that day: its daily one, else the last one of that equity. */
export function selectQuotaOfEquity(sql: Sql, tenant: Tenant, day: Day): Promise<ConfirmedQuota | undefined> {
  return sql.maybe<ConfirmedQuota>(SQL`
    SELECT of_day.value, of_day.quotas, of_day.decimals
      FROM (SELECT 0 AS rank, daily_quota.day, daily_quota.quota_value AS value, daily_quota.number_of_quotas AS quotas,
                   daily_quota.quota_decimals AS decimals
              FROM daily_quota
             WHERE daily_quota.company_id = ${tenant.companyId} AND daily_quota.branch_id = ${tenant.branchId}
               AND daily_quota.day = ${day} AND daily_quota.replaced_at IS NULL AND NOT daily_quota.stale
            UNION ALL
            SELECT 1, tax_quota.day, tax_quota.quota_value, tax_quota.number_of_quotas, tax_quota.quota_decimals
              FROM tax_quota
             WHERE tax_quota.company_id = ${tenant.companyId} AND tax_quota.branch_id = ${tenant.branchId}
               AND tax_quota.reference_day = ${day} AND tax_quota.stale_since IS NULL) AS of_day
     ORDER BY of_day.rank, of_day.day DESC LIMIT 1`);
}

/** Whether the branch has quotas at all. */
export async function hasQuotas(sql: Sql, tenant: Tenant): Promise<boolean> {
  const { companyId, branchId } = tenant;
  const { known } = await sql.one<{ known: boolean }>(SQL`
    SELECT EXISTS (SELECT 1 FROM quota_configuration
                    WHERE quota_configuration.company_id = ${companyId} AND quota_configuration.branch_id = ${branchId})
        OR EXISTS (SELECT 1 FROM daily_quota
                    WHERE daily_quota.company_id = ${companyId} AND daily_quota.branch_id = ${branchId})
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

/** Quotas that moved, by kind. */
export interface MovedQuotas {
  readonly kind: MovementKind;
  /** Signed, NUMERIC text; those whose quota is not known yet are left out. */
  readonly quotas: string;
  /** Without sign, NUMERIC text. */
  readonly amount: string;
}

/** What moved the quotas of a fund from one day to another. */
export function selectMovedQuotas(sql: Sql, tenant: Tenant, from: Day, to: Day): Promise<MovedQuotas[]> {
  return sql.rows<MovedQuotas>(SQL`
    SELECT quota_movement.kind, coalesce(sum(quota_movement.quotas), 0)::text AS quotas,
           coalesce(sum(quota_movement.amount), 0)::numeric(20,2) AS amount
      FROM quota_movement
     WHERE quota_movement.company_id = ${tenant.companyId} AND quota_movement.branch_id = ${tenant.branchId}
       AND quota_movement.day BETWEEN ${from} AND ${to}
     GROUP BY quota_movement.kind
     ORDER BY array_position(ARRAY['INITIAL', 'SUBSCRIPTION', 'REDEMPTION', 'COME_COTAS', 'AMORTIZATION', 'ADJUSTMENT'],
                             quota_movement.kind)`);
}
