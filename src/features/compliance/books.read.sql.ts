import type { AccountId, BranchId, ChartId, CompanyId } from '../../accounting/ids.ts';
import { type Day, firstDay, type Month } from '../../accounting/period.ts';
import type { ChartAccount } from '../../accounting/rule-language/chart-index.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { SQL } from '../../platform/database/statement.ts';
import { closedDays } from '../closing/balances/balance-rules.sql.ts';

/** A branch as a run of rules sees it. */
export interface BranchBooks {
  readonly companyId: CompanyId;
  readonly company: string;
  readonly branchId: BranchId;
  readonly branch: string;
  /** Whether the caller can access the branch; the company is visible in any case. */
  readonly reached: boolean;
  readonly chartId: ChartId | null;
  readonly baseMonth: Month | null;
  readonly closedMonths: readonly Month[];
}

export interface BranchFilter {
  readonly branchIds?: readonly BranchId[] | undefined;
  readonly companyId?: CompanyId | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Only accessible branches that have this month closed. */
  readonly readyFor?: Month;
  readonly limit?: number;
}

/** Branches of the companies that the scope lets through, in the order of their codes. */
export async function selectBranchBooks(sql: Sql, filter: BranchFilter): Promise<BranchBooks[]> {
  const { branchIds = null, companyId = null, from = null, to = null, readyFor, limit = null } = filter;
  const ready = readyFor === undefined ? undefined : await selectClosedBranches(sql, filter, readyFor);
  const branches = await sql.rows<Pick<BranchBooks, 'companyId' | 'company' | 'branchId' | 'branch' | 'reached'>>(SQL`
    SELECT branch.company_id AS "companyId", company.code AS company, branch.id AS "branchId",
           branch.code AS branch, can_access(branch.company_id, branch.id) AS reached
      FROM branch
      JOIN company ON company.id = branch.company_id
     WHERE (${branchIds}::bigint[] IS NULL OR branch.id = ANY (${branchIds}))
       AND (${companyId}::bigint IS NULL OR branch.company_id = ${companyId})
       AND (${from}::text IS NULL OR natural_sort_key(branch.code) >= natural_sort_key(${from}))
       AND (${to}::text IS NULL OR natural_sort_key(branch.code) <= natural_sort_key(${to}))
       AND (${ready ?? null}::bigint[] IS NULL
            OR (branch.id = ANY (${ready ?? null}) AND can_access(branch.company_id, branch.id)))
     ORDER BY natural_sort_key(company.code), natural_sort_key(branch.code), branch.id
     LIMIT ${limit}`);
  const companies = [...new Set(branches.map((each) => each.companyId))];
  const ids = branches.map((each) => each.branchId);
  const options = await sql.rows<Pick<BranchBooks, 'branchId' | 'chartId' | 'baseMonth'>>(SQL`
    SELECT company_options.branch_id AS "branchId", company_options.chart_id AS "chartId",
           to_char(company_options.base_month, 'YYYY-MM') AS "baseMonth"
      FROM company_options
     WHERE company_options.company_id = ANY (${companies}::bigint[])
       AND company_options.branch_id = ANY (${ids}::bigint[])`);
  const closed = await sql.rows<Pick<BranchBooks, 'branchId' | 'closedMonths'>>(SQL`
    SELECT month.branch_id AS "branchId", array_agg(to_char(month.month, 'YYYY-MM')) AS "closedMonths"
      FROM month
     WHERE month.company_id = ANY (${companies}::bigint[]) AND month.branch_id = ANY (${ids}::bigint[])
       AND month.state = 'CLOSED'
     GROUP BY month.company_id, month.branch_id`);
  const optionsOf = new Map(options.map((each) => [each.branchId, each]));
  const closedOf = new Map(closed.map((each) => [each.branchId, each.closedMonths]));
  return branches.map((branch) => ({
    ...{ chartId: null, baseMonth: null, ...optionsOf.get(branch.branchId) },
    ...branch,
    closedMonths: closedOf.get(branch.branchId) ?? [],
  }));
}

/** Those of the branches that have the month closed. */
async function selectClosedBranches(
  sql: Sql,
  { companyId, branchIds }: BranchFilter,
  month: Month,
): Promise<BranchId[]> {
  const ofCompany = companyId === undefined ? SQL`` : SQL`AND month.company_id = ${companyId}`;
  const among = branchIds === undefined ? SQL`` : SQL`AND month.branch_id = ANY (${branchIds}::bigint[])`;
  const rows = await sql.rows<{ branchId: BranchId }>(SQL`
    SELECT month.branch_id AS "branchId" FROM month
     WHERE month.month = ${firstDay(month)} AND month.state = 'CLOSED' ${ofCompany} ${among}`);
  return rows.map(({ branchId }) => branchId);
}

/** Codes in natural order, the order of ranges of branches. */
export async function isCodeAfter(sql: Sql, code: string, other: string): Promise<boolean> {
  const { after } = await sql.one<{ after: boolean }>(
    SQL`SELECT natural_sort_key(${code}) > natural_sort_key(${other}) AS after`,
  );
  return after;
}

/** Changes whenever an account of the chart is added, changed or removed. */
export async function selectChartStamp(sql: Sql, chartId: ChartId): Promise<string> {
  const { stamp } = await sql.one<{ stamp: string }>(SQL.named('chart-stamp')`
    SELECT count(*) || '/' || coalesce(sum(extract(epoch FROM account.updated_at)), 0) AS stamp
      FROM account WHERE account.chart_id = ${chartId}`);
  return stamp;
}

export function selectChartAccounts(sql: Sql, chartId: ChartId): Promise<ChartAccount[]> {
  return sql.rows<ChartAccount>(SQL`
    SELECT account.id, account.code, account.short_code AS "shortCode",
           account.account_class AS "accountClass", account.normal_balance AS "normalBalance", account.ancestors AS "ancestorIds"
      FROM account WHERE account.chart_id = ${chartId}`);
}

/** Amounts as the database writes them: of thousands of accounts, rules look at a few. */
export interface ClosedBalanceRow {
  readonly accountId: AccountId;
  /** First day of the month. */
  readonly month: Day;
  readonly accumulated: string;
  readonly closing: string;
  readonly debits: string;
  readonly credits: string;
}

/** Balances of closed months in one statement, of the accounts named or of all. */
export function selectClosedBalances(
  sql: Sql,
  { companyId, branchId }: Pick<BranchBooks, 'companyId' | 'branchId'>,
  months: readonly Month[],
  accountIds: readonly AccountId[] | null,
): Promise<ClosedBalanceRow[]> {
  return sql.rows<ClosedBalanceRow>(SQL.named(accountIds === null ? 'closed-balances' : 'closed-balances-of')`
    SELECT monthly_balance.month, monthly_balance.account_id AS "accountId",
           monthly_balance.balance AS accumulated, monthly_balance.closing,
           monthly_balance.debit AS debits, monthly_balance.credit AS credits
      FROM monthly_balance
     WHERE monthly_balance.company_id = ${companyId} AND monthly_balance.branch_id = ${branchId}
       AND monthly_balance.month = ANY (${months.map(firstDay)}::date[])
       ${accountIds === null ? SQL`` : SQL`AND monthly_balance.account_id = ANY (${accountIds}::bigint[])`}`);
}

/** The balance of an account at the end of a day on which it moved. */
export interface ClosedDayRow {
  readonly accountId: AccountId;
  readonly day: Day;
  readonly balance: string;
}

/** Balances of the days of a closed month, in their order, of the accounts named or of all. */
export function selectClosedDays(
  sql: Sql,
  branch: BranchBooks,
  month: Month,
  accountIds: readonly AccountId[] | null,
): Promise<ClosedDayRow[]> {
  return sql.rows<ClosedDayRow>(SQL.named(accountIds === null ? 'closed-day-balances' : 'closed-day-balances-of')`
    SELECT closed.account_id AS "accountId", closed.day, closed.balance
      FROM (${closedDays(branch, month)}) AS closed
     ${accountIds === null ? SQL`` : SQL`WHERE closed.account_id = ANY (${accountIds}::bigint[])`}
     ORDER BY closed.day`);
}
