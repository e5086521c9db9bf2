import { type Day, firstDay, type Month } from '../../accounting/period.ts';
import type { ChartAccount } from '../../accounting/rule-language/chart-index.ts';
import type { Sql } from '../../platform/database/sql.ts';

/** A branch as a run of rules sees it. */
export interface BranchBooks {
  readonly companyId: number;
  readonly company: string;
  readonly branchId: number;
  readonly branch: string;
  /** Whether the caller's permission reaches the branch; the company is one that the caller sees in any case. */
  readonly reached: boolean;
  readonly chartId: number | null;
  readonly baseMonth: Month | null;
  readonly closedMonths: readonly Month[];
}

export interface BranchFilter {
  readonly branchIds?: readonly number[] | undefined;
  readonly companyId?: number | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Only branches that are reached and have this month closed. */
  readonly readyFor?: Month;
  readonly limit?: number;
}

/** Branches of the companies that the scope lets through, in the order of their codes. */
export function selectBranchBooks(sql: Sql, filter: BranchFilter): Promise<BranchBooks[]> {
  return sql.rows<BranchBooks>({
    text: `SELECT branch.company_id AS "companyId", company.code AS company, branch.id AS "branchId",
                  branch.code AS branch, can_access(branch.company_id, branch.id) AS reached,
                  company_options.chart_id AS "chartId",
                  to_char(company_options.base_month, 'YYYY-MM') AS "baseMonth",
                  ARRAY(SELECT to_char(month.month, 'YYYY-MM') FROM month
                         WHERE month.company_id = branch.company_id AND month.branch_id = branch.id
                           AND month.state = 'CLOSED') AS "closedMonths"
             FROM branch
             JOIN company ON company.id = branch.company_id
             LEFT JOIN company_options ON company_options.company_id = branch.company_id
              AND company_options.branch_id = branch.id
            WHERE ($1::bigint[] IS NULL OR branch.id = ANY ($1))
              AND ($2::bigint IS NULL OR branch.company_id = $2)
              AND ($3::text IS NULL OR natural_sort_key(branch.code) >= natural_sort_key($3))
              AND ($4::text IS NULL OR natural_sort_key(branch.code) <= natural_sort_key($4))
              AND ($5::date IS NULL OR (can_access(branch.company_id, branch.id)
                    AND EXISTS (SELECT FROM month
                                 WHERE month.company_id = branch.company_id AND month.branch_id = branch.id
                                   AND month.month = $5 AND month.state = 'CLOSED')))
            ORDER BY natural_sort_key(company.code), natural_sort_key(branch.code), branch.id
            LIMIT $6`,
    values: [
      filter.branchIds ?? null,
      filter.companyId ?? null,
      filter.from ?? null,
      filter.to ?? null,
      filter.readyFor === undefined ? null : firstDay(filter.readyFor),
      filter.limit ?? null,
    ],
  });
}

/** Codes in natural order, the order of ranges of branches. */
export async function isCodeAfter(sql: Sql, code: string, other: string): Promise<boolean> {
  const { after } = await sql.one<{ after: boolean }>({
    text: 'SELECT natural_sort_key($1) > natural_sort_key($2) AS after',
    values: [code, other],
  });
  return after;
}

/** Changes whenever an account of the chart is added, changed or removed. */
export async function selectChartStamp(sql: Sql, chartId: number): Promise<string> {
  const { stamp } = await sql.one<{ stamp: string }>({
    name: 'chart-stamp',
    text: `SELECT count(*) || '/' || coalesce(sum(extract(epoch FROM account.updated_at)), 0) AS stamp
             FROM account WHERE account.chart_id = $1`,
    values: [chartId],
  });
  return stamp;
}

export function selectChartAccounts(sql: Sql, chartId: number): Promise<ChartAccount[]> {
  return sql.rows<ChartAccount>({
    text: `SELECT account.id, account.code AS "cdAccounting", account.short_code AS "cdReduced",
                  account.account_class AS "accountClass", account.normal_balance AS "normalBalance", account.ancestors AS "ancestorIds"
             FROM account WHERE account.chart_id = $1`,
    values: [chartId],
  });
}

/** Amounts as the database writes them: of thousands of accounts, rules look at a few. */
export interface ClosedBalanceRow {
  readonly accountId: number;
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
  accountIds: readonly number[] | null,
): Promise<ClosedBalanceRow[]> {
  return sql.rows<ClosedBalanceRow>({
    name: accountIds === null ? 'frozen-balances' : 'frozen-balances-of',
    text: `SELECT monthly_balance.month, monthly_balance.account_id AS "accountId",
                  monthly_balance.balance AS accumulated, monthly_balance.closing,
                  monthly_balance.debit AS debits, monthly_balance.credit AS credits
             FROM monthly_balance
            WHERE monthly_balance.company_id = $1 AND monthly_balance.branch_id = $2
              AND monthly_balance.month = ANY ($3::date[])
              ${accountIds === null ? '' : 'AND monthly_balance.account_id = ANY ($4::bigint[])'}`,
    values: [companyId, branchId, months.map(firstDay), ...(accountIds === null ? [] : [accountIds])],
  });
}

/** The balance of an account at the end of a day on which it moved. */
export interface ClosedDayRow {
  readonly accountId: number;
  readonly day: Day;
  readonly balance: string;
}

/** Balances of the days of a closed month, in their order, of the accounts named or of all. */
export function selectClosedDays(
  sql: Sql,
  { companyId, branchId }: BranchBooks,
  month: Month,
  accountIds: readonly number[] | null,
): Promise<ClosedDayRow[]> {
  return sql.rows<ClosedDayRow>({
    name: accountIds === null ? 'frozen-days' : 'frozen-days-of',
    text: `SELECT daily_balance.account_id AS "accountId", daily_balance.day, daily_balance.balance
             FROM daily_balance
            WHERE daily_balance.company_id = $1 AND daily_balance.branch_id = $2 AND daily_balance.month = $3
              ${accountIds === null ? '' : 'AND daily_balance.account_id = ANY ($4::bigint[])'}
            ORDER BY daily_balance.day`,
    values: [companyId, branchId, firstDay(month), ...(accountIds === null ? [] : [accountIds])],
  });
}
