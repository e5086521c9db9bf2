import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import type { Month } from '../../../accounting/period.ts';
import type { Rounding } from '../../../accounting/quota.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';
import type { QuotaFigures } from '../quotas/quotas.read.sql.ts';
import { type Finding, MOST_ROWS } from './difference.ts';

/** A company or branch by id and code. */
export interface VerifiedPlace {
  readonly companyId: CompanyId;
  readonly company: string;
}
export interface VerifiedBranch extends VerifiedPlace {
  readonly branchId: BranchId;
  readonly branch: string;
}

/** Companies of these codes, or all of them, in the order of their ids. */
export function selectVerifiedCompanies(sql: Sql, code: string | undefined): Promise<VerifiedPlace[]> {
  return sql.rows<VerifiedPlace>(SQL`
    SELECT company.id AS "companyId", company.code AS company FROM company
     WHERE ${code ?? null}::text IS NULL OR company.code = ${code ?? null} ORDER BY company.id`);
}

export function selectVerifiedBranches(
  sql: Sql,
  companyId: CompanyId,
  code: string | undefined,
): Promise<VerifiedBranch[]> {
  return sql.rows<VerifiedBranch>(SQL`
    SELECT branch.company_id AS "companyId", company.code AS company, branch.id AS "branchId", branch.code AS branch
      FROM branch
      JOIN company ON company.id = branch.company_id
     WHERE branch.company_id = ${companyId} AND (${code ?? null}::text IS NULL OR branch.code = ${code ?? null})
     ORDER BY branch.id`);
}

/**
 * Months of the branch: opened ones, and others that rows of lines or balances name. Indexes that lead with branch and
 * month are jumped through, one probe a month.
 */
export async function selectMonthsOfBranch(sql: Sql, branch: BranchKey): Promise<Month[]> {
  const months = await sql.rows<{ month: Month }>(SQL`
    SELECT to_char(named.month, 'YYYY-MM') AS month
      FROM (SELECT month.month FROM month
             WHERE month.company_id = ${branch.companyId} AND month.branch_id = ${branch.branchId}
            UNION SELECT jumped.month FROM ${monthsIn('entry_line', branch)}
            UNION SELECT jumped.month FROM ${monthsIn('entry_line_archive', branch)}
            UNION SELECT jumped.month FROM ${monthsIn('batch', branch)}
            UNION SELECT jumped.month FROM ${monthsIn('batch_archive', branch)}
            UNION SELECT jumped.month FROM ${monthsIn('monthly_balance', branch)}
            UNION SELECT jumped.month FROM ${monthsIn('daily_balance', branch)}
            UNION SELECT jumped.month FROM ${monthsIn('line_sum', branch)}) AS named
     ORDER BY named.month`);
  return months.map(({ month }) => month);
}

function monthsIn(table: string, { companyId, branchId }: BranchKey): Fragment {
  const rows = SQL.identifier(table);
  return SQL`(
            WITH RECURSIVE jump AS (
              SELECT (SELECT min(${rows}.month) FROM ${rows}
                       WHERE ${rows}.company_id = ${companyId} AND ${rows}.branch_id = ${branchId}) AS month
              UNION ALL
              SELECT (SELECT min(${rows}.month) FROM ${rows}
                       WHERE ${rows}.company_id = ${companyId} AND ${rows}.branch_id = ${branchId}
                         AND ${rows}.month > jump.month)
                FROM jump WHERE jump.month IS NOT NULL)
            SELECT jump.month FROM jump WHERE jump.month IS NOT NULL) AS jumped`;
}

/** Base balances that do not sum to zero, or that no posting account of the branch's chart holds. */
export function selectWrongBaseBalances(sql: Sql, { companyId, branchId }: BranchKey): Promise<Finding[]> {
  return sql.rows<Finding>(SQL`
    SELECT 'BASE_BALANCE' AS kind, 'sum of all' AS what, '0.00' AS expected, sum(base_balance.balance)::text AS found
      FROM base_balance
     WHERE base_balance.company_id = ${companyId} AND base_balance.branch_id = ${branchId}
    HAVING sum(base_balance.balance) <> 0
    UNION ALL
    SELECT 'BASE_BALANCE', 'account ' || coalesce(account.code, base_balance.account_id::text),
           'a posting account of the branch''s chart', account.account_type
      FROM base_balance
      LEFT JOIN account ON account.id = base_balance.account_id
      LEFT JOIN company_options ON company_options.company_id = base_balance.company_id
       AND company_options.branch_id = base_balance.branch_id
     WHERE base_balance.company_id = ${companyId} AND base_balance.branch_id = ${branchId}
       AND (account.id IS NULL OR account.account_type <> 'A' OR account.chart_id <> company_options.chart_id)
     LIMIT ${MOST_ROWS}`);
}

/** A confirmed quota with what it was computed from. */
export interface VerifiedQuota extends QuotaFigures {
  readonly isStale: boolean;
  /** Of the settings as they are; null where they have changed since, or are gone. */
  readonly roundingMode: Rounding | null;
  /** Debit-positive balances at the end of the reference month, summed; null where that month is not closed. */
  readonly equityBalance: string | null;
  /** Of the movements up to the reference day; null where an account holds the quotas, or the settings have changed. */
  readonly movedQuotas: string | null;
}

export function selectVerifiedQuotas(sql: Sql, { companyId, branchId }: BranchKey): Promise<VerifiedQuota[]> {
  return sql.rows<VerifiedQuota>(SQL`
    SELECT tax_quota.day, tax_quota.reference_day AS "referenceDay", tax_quota.quota_value AS "quotaValue",
           tax_quota.net_equity AS "netEquity", tax_quota.number_of_quotas AS "numberOfQuotas",
           tax_quota.quota_decimals AS "quotaDecimals", tax_quota.stale_since IS NOT NULL AS "isStale",
           quota_configuration.rounding_mode AS "roundingMode",
           (SELECT sum(monthly_balance.balance)
              FROM monthly_balance
              JOIN account ON account.id = monthly_balance.account_id
             WHERE monthly_balance.company_id = ${companyId} AND monthly_balance.branch_id = ${branchId}
               AND monthly_balance.month = date_trunc('month', tax_quota.reference_day)::date
               AND (account.id = tax_quota.net_equity_account_id
                    OR (tax_quota.include_open_result AND account.account_class = '04' AND account.account_type = 'A')))
             AS "equityBalance",
           CASE WHEN quota_configuration.id IS NOT NULL AND quota_configuration.quota_quantity_account_id IS NULL
                THEN (SELECT coalesce(sum(quota_movement.quotas), 0)
                        FROM quota_movement
                       WHERE quota_movement.company_id = ${companyId} AND quota_movement.branch_id = ${branchId}
                         AND quota_movement.day <= tax_quota.reference_day) END AS "movedQuotas"
      FROM tax_quota
      LEFT JOIN quota_configuration ON quota_configuration.company_id = tax_quota.company_id
       AND quota_configuration.branch_id = tax_quota.branch_id
       AND quota_configuration.updated_at <= tax_quota.confirmed_at
     WHERE tax_quota.company_id = ${companyId} AND tax_quota.branch_id = ${branchId}
     ORDER BY tax_quota.day`);
}
