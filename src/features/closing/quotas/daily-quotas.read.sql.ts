import type { AccountId, BranchId, CompanyId } from '../../../accounting/ids.ts';
import type { Day, Month } from '../../../accounting/period.ts';
import type { Rounding } from '../../../accounting/quota.ts';
import type { MovementKind } from '../../../accounting/quota-series.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';
import { FUND_YEAR_END } from '../month-close/closing-entries.sql.ts';

/** A branch that has quotas, with what its quotas are computed by. */
export interface Fund extends BranchKey {
  readonly branch: string;
  readonly netEquityAccountId: AccountId;
  readonly includeOpenResult: boolean;
  readonly quotaQuantityAccountId: AccountId | null;
  readonly quotaDecimals: number;
  readonly quantityDecimals: number;
  readonly roundingMode: Rounding;
  readonly redemptionDays: number;
  /** Last month of the fund's own year. */
  readonly yearEnd: number;
  readonly baseMonth: Month;
  readonly lastOpened: Month | null;
  /** The branch's current day: up to it, all business days before are closed; null: no business day is open. */
  readonly currentDay: Day | null;
  readonly wantsApproval: boolean;
}

/** The funds among these branches of a company, in the order of their ids. */
export function selectFunds(sql: Sql, companyId: CompanyId, branchIds: readonly BranchId[]): Promise<Fund[]> {
  return sql.rows<Fund>(SQL`
    SELECT quota_configuration.company_id AS "companyId", quota_configuration.branch_id AS "branchId", branch.code AS branch,
           quota_configuration.net_equity_account_id AS "netEquityAccountId",
           quota_configuration.include_open_result AS "includeOpenResult",
           quota_configuration.quota_quantity_account_id AS "quotaQuantityAccountId",
           quota_configuration.quota_decimals AS "quotaDecimals",
           quota_configuration.quantity_decimals AS "quantityDecimals",
           quota_configuration.rounding_mode AS "roundingMode", quota_configuration.redemption_days AS "redemptionDays",
           coalesce(${FUND_YEAR_END}, company_options.fiscal_year_end_month, 12) AS "yearEnd",
           to_char(company_options.base_month, 'YYYY-MM') AS "baseMonth",
           (SELECT to_char(max(month.month), 'YYYY-MM') FROM month
             WHERE month.company_id = ${companyId} AND month.branch_id = quota_configuration.branch_id) AS "lastOpened",
           (SELECT min(calendar_day.day) FROM month
              JOIN calendar_day ON calendar_day.company_id = ${companyId} AND calendar_day.branch_id = month.branch_id
               AND calendar_day.day >= month.month AND calendar_day.day < month.month + interval '1 month'
             WHERE month.company_id = ${companyId} AND month.branch_id = quota_configuration.branch_id
               AND month.state = 'OPEN' AND calendar_day.business_day AND NOT calendar_day.closed) AS "currentDay",
           'QUOTA' = ANY (company_options.four_eyes) AS "wantsApproval"
      FROM quota_configuration
      JOIN branch ON branch.company_id = ${companyId} AND branch.id = quota_configuration.branch_id
      JOIN company_options ON company_options.company_id = ${companyId}
       AND company_options.branch_id = quota_configuration.branch_id
      LEFT JOIN fund_settings ON fund_settings.company_id = ${companyId}
       AND fund_settings.branch_id = quota_configuration.branch_id AND fund_settings.active
     WHERE quota_configuration.company_id = ${companyId} AND quota_configuration.branch_id = ANY (${branchIds}::bigint[])
     ORDER BY quota_configuration.branch_id`);
}

/** Business days of a branch, closed ones too. */
export async function selectBusinessDays(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  { from, to }: { readonly from: Day; readonly to: Day },
): Promise<Day[]> {
  const rows = await sql.rows<{ day: Day }>(SQL`
    SELECT calendar_day.day FROM calendar_day
     WHERE calendar_day.company_id = ${companyId} AND calendar_day.branch_id = ${branchId}
       AND calendar_day.day BETWEEN ${from} AND ${to} AND calendar_day.business_day
     ORDER BY calendar_day.day`);
  return rows.map(({ day }) => day);
}

export interface MovementRow {
  readonly branchId: BranchId;
  readonly id: number;
  readonly day: Day;
  readonly kind: MovementKind;
  readonly quotas: string | null;
  readonly amount: string | null;
  readonly fromAmount: boolean;
  readonly holders: number | null;
}

/** Movements from one day to another, in the order of their days. */
export function selectMovements(
  sql: Sql,
  companyId: CompanyId,
  branchIds: readonly BranchId[],
  { from, to }: { readonly from: Day; readonly to: Day },
): Promise<MovementRow[]> {
  return sql.rows<MovementRow>(SQL`
    SELECT quota_movement.branch_id AS "branchId", quota_movement.id, quota_movement.day, quota_movement.kind,
           quota_movement.quotas, quota_movement.amount, quota_movement.quotas_from_amount AS "fromAmount",
           quota_movement.holders
      FROM quota_movement
     WHERE quota_movement.company_id = ${companyId} AND quota_movement.branch_id = ANY (${branchIds}::bigint[])
       AND quota_movement.day BETWEEN ${from} AND ${to}
     ORDER BY quota_movement.branch_id, quota_movement.day, quota_movement.id`);
}

export interface QuantityBefore {
  readonly branchId: BranchId;
  /** NUMERIC text. */
  readonly quotas: string;
  /** The first movement whose quotas are not known yet. */
  readonly pending: Day | null;
  readonly holders: number | null;
}

/** Quotas in circulation before a day; branches without movements before it are left out. */
export function selectQuantitiesBefore(
  sql: Sql,
  companyId: CompanyId,
  branchIds: readonly BranchId[],
  day: Day,
): Promise<QuantityBefore[]> {
  return sql.rows<QuantityBefore>(SQL`
    SELECT quota_movement.branch_id AS "branchId", coalesce(sum(quota_movement.quotas), 0)::text AS quotas,
           min(quota_movement.day) FILTER (WHERE quota_movement.quotas IS NULL) AS pending,
           (array_agg(quota_movement.holders ORDER BY quota_movement.day DESC, quota_movement.id DESC)
             FILTER (WHERE quota_movement.holders IS NOT NULL))[1] AS holders
      FROM quota_movement
     WHERE quota_movement.company_id = ${companyId} AND quota_movement.branch_id = ANY (${branchIds}::bigint[])
       AND quota_movement.day < ${day}
     GROUP BY quota_movement.branch_id`);
}

/** A confirmed quota of a day, as it is kept. Decimals are NUMERIC texts. */
export interface DailyQuota {
  readonly branchId: BranchId;
  readonly day: Day;
  readonly revision: number;
  readonly quotaValue: string;
  readonly quotaDecimals: number;
  readonly netEquity: string;
  readonly numberOfQuotas: string;
  readonly inflow: string;
  readonly outflow: string;
  readonly holders: number | null;
  readonly previousValue: string | null;
  readonly dayVariation: string | null;
  readonly monthVariation: string | null;
  readonly yearVariation: string | null;
  readonly twelveMonthsVariation: string | null;
  readonly stale: boolean;
  readonly confirmedAt: Date;
  readonly confirmedBy: string;
  readonly replacedAt: Date | null;
  readonly replacedBy: string | null;
  readonly replacementReason: string | null;
}

/** What a quota is compared with, and by how much it varies. */
export type VariationTexts = Pick<
  DailyQuota,
  'previousValue' | 'dayVariation' | 'monthVariation' | 'yearVariation' | 'twelveMonthsVariation'
>;

const DAILY_QUOTA_COLUMNS = SQL`daily_quota.branch_id AS "branchId", daily_quota.day, daily_quota.revision,
  daily_quota.quota_value AS "quotaValue", daily_quota.quota_decimals AS "quotaDecimals",
  daily_quota.net_equity AS "netEquity", daily_quota.number_of_quotas AS "numberOfQuotas", daily_quota.inflow,
  daily_quota.outflow, daily_quota.holders, daily_quota.previous_value AS "previousValue",
  daily_quota.day_variation AS "dayVariation", daily_quota.month_variation AS "monthVariation",
  daily_quota.year_variation AS "yearVariation", daily_quota.twelve_months_variation AS "twelveMonthsVariation",
  daily_quota.stale, daily_quota.confirmed_at AS "confirmedAt", daily_quota.confirmed_by AS "confirmedBy",
  daily_quota.replaced_at AS "replacedAt", daily_quota.replaced_by AS "replacedBy",
  daily_quota.replacement_reason AS "replacementReason"`;

/** Quotas that count, from one day to another, in the order of their days. */
export function selectDailyQuotas(
  sql: Sql,
  companyId: CompanyId,
  branchIds: readonly BranchId[],
  { from, to }: { readonly from: Day; readonly to: Day },
): Promise<DailyQuota[]> {
  return sql.rows<DailyQuota>(SQL`
    SELECT ${DAILY_QUOTA_COLUMNS} FROM daily_quota
     WHERE daily_quota.company_id = ${companyId} AND daily_quota.branch_id = ANY (${branchIds}::bigint[])
       AND daily_quota.day BETWEEN ${from} AND ${to} AND daily_quota.replaced_at IS NULL
     ORDER BY daily_quota.branch_id, daily_quota.day`);
}

/** Quotas of a branch and, where asked, those that others have replaced, the newest of a day first; `most` at most. */
export function selectListedQuotas(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  {
    from,
    to,
    replaced,
    most,
  }: { readonly from: Day; readonly to: Day; readonly replaced: boolean; readonly most: number },
): Promise<DailyQuota[]> {
  const replacedToo = replaced ? SQL`` : SQL` AND daily_quota.replaced_at IS NULL`;
  return sql.rows<DailyQuota>(SQL`
    SELECT ${DAILY_QUOTA_COLUMNS} FROM daily_quota
     WHERE daily_quota.company_id = ${companyId} AND daily_quota.branch_id = ${branchId}
       AND daily_quota.day BETWEEN ${from} AND ${to}${replacedToo}
     ORDER BY daily_quota.day, daily_quota.revision DESC LIMIT ${most}`);
}

export interface LastQuota {
  readonly branchId: BranchId;
  readonly upTo: Day;
  /** NUMERIC text. */
  readonly quotaValue: string;
}

/** The last quota that counts up to each of these days, one probe each; where there is none, no row. */
export function selectLastQuotas(
  sql: Sql,
  companyId: CompanyId,
  asked: readonly { readonly branchId: BranchId; readonly upTo: Day }[],
): Promise<LastQuota[]> {
  return sql.rows<LastQuota>(SQL`
    SELECT asked.branch_id AS "branchId", asked.up_to AS "upTo", last.quota_value AS "quotaValue"
      FROM unnest(${asked.map(({ branchId }) => branchId)}::bigint[], ${asked.map(({ upTo }) => upTo)}::date[])
           AS asked (branch_id, up_to)
     CROSS JOIN LATERAL (
           SELECT daily_quota.quota_value FROM daily_quota
            WHERE daily_quota.company_id = ${companyId} AND daily_quota.branch_id = asked.branch_id
              AND daily_quota.day <= asked.up_to AND daily_quota.replaced_at IS NULL
            ORDER BY daily_quota.day DESC LIMIT 1) AS last`);
}

/** Days of the quotas of this day and later ones that still agree with the books. */
export async function selectAgreeingDays(sql: Sql, { companyId, branchId }: BranchKey, since: Day): Promise<Day[]> {
  const rows = await sql.rows<{ day: Day }>(SQL`
    SELECT daily_quota.day FROM daily_quota
     WHERE daily_quota.company_id = ${companyId} AND daily_quota.branch_id = ${branchId} AND daily_quota.day >= ${since}
       AND daily_quota.replaced_at IS NULL AND NOT daily_quota.stale
     ORDER BY daily_quota.day`);
  return rows.map(({ day }) => day);
}

/** What is kept of a movement beside what it shows. */
export interface KeptMovement extends MovementRow {
  readonly documentId: number | null;
}

export function selectMovement(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  id: number,
): Promise<KeptMovement | undefined> {
  return sql.maybe<KeptMovement>(SQL`
    SELECT quota_movement.branch_id AS "branchId", quota_movement.id, quota_movement.day, quota_movement.kind,
           quota_movement.quotas, quota_movement.amount, quota_movement.quotas_from_amount AS "fromAmount",
           quota_movement.holders, quota_movement.document_id AS "documentId"
      FROM quota_movement
     WHERE quota_movement.company_id = ${companyId} AND quota_movement.branch_id = ${branchId} AND quota_movement.id = ${id}`);
}

/** The first day on which fewer than no quotas would be in circulation, and what there was before it. */
export function selectOverdrawnDay(
  sql: Sql,
  { companyId, branchId }: BranchKey,
): Promise<{ day: Day; balance: string } | undefined> {
  return sql.maybe(SQL`
    SELECT running.day, (running.after - running.moved)::text AS balance
      FROM (SELECT quota_movement.day, sum(quota_movement.quotas) AS moved,
                   sum(sum(quota_movement.quotas)) OVER (ORDER BY quota_movement.day) AS after
              FROM quota_movement
             WHERE quota_movement.company_id = ${companyId} AND quota_movement.branch_id = ${branchId}
               AND quota_movement.quotas IS NOT NULL
             GROUP BY quota_movement.day) AS running
     WHERE running.after < 0
     ORDER BY running.day LIMIT 1`);
}

export interface CalendarDay {
  readonly businessDay: boolean;
  readonly closed: boolean;
}

/** Days of the branch's calendar from one to another; those of months that were never opened are not in it. */
export async function selectCalendarDays(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  { from, to }: { readonly from: Day; readonly to: Day },
): Promise<Map<Day, CalendarDay>> {
  const rows = await sql.rows<CalendarDay & { day: Day }>(SQL`
    SELECT calendar_day.day, calendar_day.business_day AS "businessDay", calendar_day.closed FROM calendar_day
     WHERE calendar_day.company_id = ${companyId} AND calendar_day.branch_id = ${branchId}
       AND calendar_day.day BETWEEN ${from} AND ${to}`);
  return new Map(rows.map(({ day, ...each }) => [day, each]));
}

const TEMPLATE_OF_KIND: Partial<Record<MovementKind, Fragment>> = {
  SUBSCRIPTION: SQL`quota_configuration.subscription_template`,
  REDEMPTION: SQL`quota_configuration.redemption_template`,
  COME_COTAS: SQL`quota_configuration.come_cotas_template`,
  AMORTIZATION: SQL`quota_configuration.amortization_template`,
};

/** The code of the entry template that posts the amounts of a kind; undefined: somebody else posts them. */
export async function selectTemplateOf(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  kind: MovementKind,
): Promise<string | undefined> {
  const column = TEMPLATE_OF_KIND[kind];
  if (column === undefined) return undefined;
  const row = await sql.maybe<{ code: string | null }>(SQL`
    SELECT ${column} AS code FROM quota_configuration
     WHERE quota_configuration.company_id = ${companyId} AND quota_configuration.branch_id = ${branchId}`);
  return row?.code ?? undefined;
}
