import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import { type Day, firstDay, type Month, monthOfDay } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';
import { fairMonthLock } from '../../posting/months/months.sql.ts';
import type { DailyQuota, Fund, VariationTexts } from './daily-quotas.read.sql.ts';

/**
 * Locks funds for who computes their quotas or changes their movements: one at a time. Returns those that there are, in the
 * order of their ids, which is also the order of the locks.
 */
export async function lockFunds(sql: Sql, companyId: CompanyId, branchIds: readonly BranchId[]): Promise<BranchId[]> {
  const rows = await sql.rows<{ branchId: BranchId }>(SQL`
    SELECT quota_configuration.branch_id AS "branchId" FROM quota_configuration
     WHERE quota_configuration.company_id = ${companyId} AND quota_configuration.branch_id = ANY (${branchIds}::bigint[])
     ORDER BY quota_configuration.branch_id
       FOR NO KEY UPDATE`);
  return rows.map(({ branchId }) => branchId);
}

/**
 * Locks the months that equities up to a day are computed from, the last closed one and the open ones after it: nobody posts,
 * closes or reopens in between, so what is posted later finds the quota and is noted on it.
 */
export async function lockMonthsUpTo(
  sql: Sql,
  companyId: CompanyId,
  branchIds: readonly BranchId[],
  to: Day,
): Promise<void> {
  await sql.rows(SQL`
    SELECT ${fairMonthLock('UPDATE')}, month.branch_id
      FROM month
     WHERE month.company_id = ${companyId} AND month.branch_id = ANY (${branchIds}::bigint[])
       AND month.month >= (SELECT coalesce(max(closed.month), '0001-01-01') FROM month AS closed
                            WHERE closed.company_id = ${companyId} AND closed.branch_id = month.branch_id
                              AND closed.state = 'CLOSED')
       AND (month.month <= ${firstDay(monthOfDay(to))} OR month.state = 'CLOSED')
     ORDER BY month.branch_id, month.month
       FOR UPDATE OF month`);
}

/** A quota that is to be kept. Decimals are NUMERIC texts. */
export interface NewDailyQuota
  extends Omit<
    DailyQuota,
    'stale' | 'confirmedAt' | 'confirmedBy' | 'replacedAt' | 'replacedBy' | 'replacementReason'
  > {
  readonly fund: Pick<Fund, 'netEquityAccountId' | 'includeOpenResult' | 'quotaQuantityAccountId'>;
}

export async function insertDailyQuotas(
  sql: Sql,
  companyId: CompanyId,
  quotas: readonly NewDailyQuota[],
  by: { readonly username: string; readonly at: Date },
): Promise<void> {
  const all = <Key extends keyof NewDailyQuota>(key: Key) => quotas.map((quota) => quota[key]);
  await sql.run(SQL`
    INSERT INTO daily_quota (company_id, branch_id, day, revision, quota_value, quota_decimals, net_equity, number_of_quotas,
                             inflow, outflow, holders, previous_value, day_variation, month_variation, year_variation,
                             twelve_months_variation, net_equity_account_id, include_open_result, quota_quantity_account_id,
                             confirmed_at, confirmed_by)
    SELECT ${companyId}, added.branch_id, added.day, added.revision, added.quota_value, added.quota_decimals,
           added.net_equity, added.number_of_quotas, added.inflow, added.outflow, added.holders, added.previous_value,
           added.day_variation, added.month_variation, added.year_variation, added.twelve_months_variation,
           added.net_equity_account_id, added.include_open_result, added.quota_quantity_account_id,
           ${by.at}, ${by.username}
      FROM unnest(${all('branchId')}::bigint[], ${all('day')}::date[], ${all('revision')}::integer[],
                  ${all('quotaValue')}::numeric[], ${all('quotaDecimals')}::integer[], ${all('netEquity')}::numeric[],
                  ${all('numberOfQuotas')}::numeric[], ${all('inflow')}::numeric[], ${all('outflow')}::numeric[],
                  ${all('holders')}::integer[], ${all('previousValue')}::numeric[], ${all('dayVariation')}::numeric[],
                  ${all('monthVariation')}::numeric[], ${all('yearVariation')}::numeric[],
                  ${all('twelveMonthsVariation')}::numeric[],
                  ${quotas.map(({ fund }) => fund.netEquityAccountId)}::bigint[],
                  ${quotas.map(({ fund }) => fund.includeOpenResult)}::boolean[],
                  ${quotas.map(({ fund }) => fund.quotaQuantityAccountId)}::bigint[])
           AS added (branch_id, day, revision, quota_value, quota_decimals, net_equity, number_of_quotas, inflow, outflow,
                     holders, previous_value, day_variation, month_variation, year_variation, twelve_months_variation,
                     net_equity_account_id, include_open_result, quota_quantity_account_id)
    RETURNING daily_quota.branch_id`);
}

/** Variations of quotas that count, after one before them was added or replaced. */
export async function updateVariations(
  sql: Sql,
  companyId: CompanyId,
  quotas: readonly (Pick<DailyQuota, 'branchId' | 'day'> & VariationTexts)[],
): Promise<void> {
  const all = <Key extends keyof (typeof quotas)[number]>(key: Key) => quotas.map((quota) => quota[key]);
  await sql.run(SQL`
    UPDATE daily_quota
       SET previous_value = changed.previous_value, day_variation = changed.day_variation,
           month_variation = changed.month_variation, year_variation = changed.year_variation,
           twelve_months_variation = changed.twelve_months_variation
      FROM unnest(${all('branchId')}::bigint[], ${all('day')}::date[], ${all('previousValue')}::numeric[],
                  ${all('dayVariation')}::numeric[], ${all('monthVariation')}::numeric[],
                  ${all('yearVariation')}::numeric[], ${all('twelveMonthsVariation')}::numeric[])
           AS changed (branch_id, day, previous_value, day_variation, month_variation, year_variation,
                       twelve_months_variation)
     WHERE daily_quota.company_id = ${companyId} AND daily_quota.branch_id = changed.branch_id
       AND daily_quota.day = changed.day AND daily_quota.replaced_at IS NULL`);
}

/** The quotas of amounts, now that the quota of their day is known. */
export async function setQuotasOfAmounts(
  sql: Sql,
  companyId: CompanyId,
  conversions: readonly { readonly id: number; readonly quotas: string | null }[],
): Promise<void> {
  await sql.run(SQL`
    UPDATE quota_movement SET quotas = converted.quotas
      FROM unnest(${conversions.map(({ id }) => id)}::bigint[], ${conversions.map(({ quotas }) => quotas)}::numeric[])
           AS converted (id, quotas)
     WHERE quota_movement.company_id = ${companyId} AND quota_movement.id = converted.id
       AND quota_movement.quotas IS DISTINCT FROM converted.quotas`);
}

/** The quotas of these days count no more; they stay with who replaced them, when and why. */
export async function markReplaced(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  days: readonly Day[],
  by: { readonly username: string; readonly at: Date; readonly reason: string },
): Promise<void> {
  await sql.run(SQL`
    UPDATE daily_quota SET replaced_at = ${by.at}, replaced_by = ${by.username}, replacement_reason = ${by.reason}
     WHERE daily_quota.company_id = ${companyId} AND daily_quota.branch_id = ${branchId}
       AND daily_quota.day = ANY (${days}::date[]) AND daily_quota.replaced_at IS NULL`);
}

/** While a month is open again, its quotas and those after it are stale. */
export async function markReopened(sql: Sql, { companyId, branchId }: BranchKey, month: Month): Promise<void> {
  await sql.run(SQL`
    UPDATE daily_quota SET reopened_at = now()
     WHERE daily_quota.company_id = ${companyId} AND daily_quota.branch_id = ${branchId}
       AND daily_quota.day >= ${firstDay(month)} AND daily_quota.replaced_at IS NULL AND daily_quota.reopened_at IS NULL`);
}

/** Once it is closed again, only what has changed under a quota makes it stale. */
export async function markClosedAgain(sql: Sql, { companyId, branchId }: BranchKey, month: Month): Promise<void> {
  await sql.run(SQL`
    UPDATE daily_quota SET reopened_at = NULL
     WHERE daily_quota.company_id = ${companyId} AND daily_quota.branch_id = ${branchId}
       AND daily_quota.day >= ${firstDay(month)} AND daily_quota.replaced_at IS NULL AND daily_quota.reopened_at IS NOT NULL`);
}
