import type { AccountId, BranchId, ChartId } from '../../../accounting/ids.ts';
import type { Day } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import { MAX_LISTED } from '../whole-list.ts';
import type { ChartOwner } from './chart-owner.ts';

/** What statements show of an account. */
export interface StatementAccountRow {
  readonly id: AccountId;
  readonly code: string;
  readonly shortCode: string;
  readonly description: string;
  readonly type: 'S' | 'A';
  readonly normalBalance: 'D' | 'C' | 'M';
  readonly accountClass: string;
  readonly level: number;
  readonly parentId: AccountId | null;
  readonly contra: boolean;
  readonly cofiCode: string | null;
  /** ISO text: making thousands of Date objects costs more than reading the rows. */
  readonly createdAt: string;
}

export interface AccountRow extends StatementAccountRow {
  readonly chartId: ChartId;
  readonly chart: string;
  readonly cosifCode: string | null;
  readonly estbanCode: string | null;
  readonly referenceAccountId: string | null;
  readonly startDate: Day | null;
  readonly endDate: Day | null;
  readonly active: boolean;
  readonly updatedAt: string;
}

export interface AccountDetailRow extends AccountRow {
  readonly childrenCount: number;
  readonly hasEntries: boolean;
  readonly parentCode: string | null;
}

const isoText = (column: Fragment) => SQL`to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export const ACCOUNT_COLUMNS = SQL`account.id, account.chart_id AS "chartId", chart.code AS chart, account.code, account.short_code AS "shortCode",
  account.description, account.account_type AS type, account.normal_balance AS "normalBalance", account.account_class AS "accountClass",
  account.level, account.parent_id AS "parentId", account.contra, account.cosif_code AS "cosifCode",
  account.cofi_code AS "cofiCode", account.estban_code AS "estbanCode",
  account.reference_account_id AS "referenceAccountId", account.start_date AS "startDate",
  account.end_date AS "endDate", account.active, ${isoText(SQL`account.created_at`)} AS "createdAt",
  ${isoText(SQL`account.updated_at`)} AS "updatedAt"`;

/**
 * Whether the visible branch of a row of account_use has entries of its account, those of an archived month included: one
 * index probe a month, ended by the first hit.
 */
export const usedInBooks = () => SQL`EXISTS (
  SELECT 1
    FROM month
   WHERE month.company_id = account_use.company_id AND month.branch_id = account_use.branch_id
     AND (EXISTS (SELECT 1 FROM entry_line
                   WHERE entry_line.company_id = month.company_id AND entry_line.branch_id = month.branch_id
                     AND entry_line.month = month.month AND entry_line.account_id = account_use.account_id)
          OR (month.archived AND EXISTS (
                SELECT 1 FROM monthly_balance
                 WHERE monthly_balance.company_id = month.company_id AND monthly_balance.branch_id = month.branch_id
                   AND monthly_balance.month = month.month
                   AND monthly_balance.account_id = account_use.account_id))))`;

/**
 * Charts of the branches that the caller can access, of the caller's whole companies, and those that the caller created
 * and that have no owner yet. No branch has the id 0: only access to the whole company matches it.
 */
export const visibleCharts = (callerId: number) => SQL`(SELECT visible.id FROM chart AS visible
  WHERE sees_everything()
     OR (visible.owner_company_id IS NOT NULL AND can_access(visible.owner_company_id, 0))
     OR (visible.owner_company_id IS NULL AND NOT visible.installation AND visible.created_by = ${callerId})
     OR visible.id IN (SELECT company_options.chart_id FROM company_options
                        WHERE can_access(company_options.company_id, company_options.branch_id)))`;

/**
 * The charts shown, in the order of their codes, or one of them. Accounts are ordered by the chart's place: comparing the
 * codes themselves, by the rules of a language, took as long as all the rest of a listing of 4,032 accounts.
 */
const shownCharts = (callerId: number, chart: string | null) => SQL`shown AS MATERIALIZED (
  SELECT chart.id, chart.code, row_number() OVER (ORDER BY chart.code) AS place FROM chart
   WHERE chart.id IN ${visibleCharts(callerId)} AND (${chart}::text IS NULL OR chart.code = ${chart}))`;

/** Accounts of the charts that the caller sees, or of one of them. */
export function selectVisibleAccounts(sql: Sql, callerId: number, chart?: string): Promise<AccountRow[]> {
  return sql.rows<AccountRow>(SQL.named('visible-accounts')`
    WITH ${shownCharts(callerId, chart ?? null)}
    SELECT ${ACCOUNT_COLUMNS}
      FROM account
      JOIN shown AS chart ON chart.id = account.chart_id
     ORDER BY chart.place, account.sort_key`);
}

/**
 * The same with the number of children, whether the caller's companies have entries there, and the parent's code. An
 * account's family is in its own chart: counting it here took half the time of joining it there.
 */
export async function selectVisibleDetails(sql: Sql, callerId: number, chart?: string): Promise<AccountDetailRow[]> {
  const rows = await selectVisibleAccounts(sql, callerId, chart);
  const isUsed = await selectUsedAccounts(
    sql,
    rows.map(({ id }) => id),
  );
  const codes = new Map(rows.map((row) => [row.id, row.code]));
  const children = new Map<AccountId | null, number>();
  for (const { parentId } of rows) children.set(parentId, (children.get(parentId) ?? 0) + 1);
  return rows.map((row) =>
    Object.assign(row, {
      hasEntries: isUsed.has(row.id),
      childrenCount: children.get(row.id) ?? 0,
      parentCode: row.parentId === null ? null : (codes.get(row.parentId) ?? null),
    }),
  );
}

/**
 * Those of the accounts that have entries in a branch that the caller sees. One branch of each account is asked first: there
 * may be thousands, and an account that was ever used nearly always has entries where it was used.
 */
async function selectUsedAccounts(sql: Sql, ids: readonly AccountId[]): Promise<Set<AccountId>> {
  const uses = await sql.rows<{ id: AccountId; branchId: BranchId }>(SQL.named('uses-of-accounts')`
    SELECT account_use.account_id AS id, min(account_use.branch_id) AS "branchId"
      FROM account_use
     WHERE account_use.account_id = ANY (${ids}::bigint[])
     GROUP BY account_use.account_id`);
  const branches = [...new Set(uses.map(({ branchId }) => branchId))];
  const used = await selectUsed(sql, uses, SQL`account_use.branch_id = ANY (${branches}::bigint[])`);
  const others = uses.filter(({ id }) => !used.has(id));
  return others.length === 0 ? used : used.union(await selectUsed(sql, others, SQL`true`));
}

async function selectUsed(
  sql: Sql,
  accounts: readonly { readonly id: AccountId }[],
  where: Fragment,
): Promise<Set<AccountId>> {
  const rows = await sql.rows<{ id: AccountId }>(SQL`
    SELECT DISTINCT account_use.account_id AS id
      FROM account_use
     WHERE account_use.account_id = ANY (${accounts.map(({ id }) => id)}::bigint[]) AND ${where} AND ${usedInBooks()}`);
  return new Set(rows.map(({ id }) => id));
}

export function selectAccountsOfChart(sql: Sql, chartId: ChartId): Promise<AccountRow[]> {
  return sql.rows<AccountRow>(SQL.named('accounts-of-chart')`
    SELECT ${ACCOUNT_COLUMNS}
      FROM account
      JOIN chart ON chart.id = account.chart_id
     WHERE account.chart_id = ${chartId}
     ORDER BY account.sort_key`);
}

/** The same for statements, which are asked for far more often and show half of the columns. */
export function selectStatementAccounts(sql: Sql, chartId: ChartId): Promise<StatementAccountRow[]> {
  return sql.rows<StatementAccountRow>(SQL.named('statement-accounts')`
    SELECT account.id, account.code, account.short_code AS "shortCode", account.description, account.account_type AS type,
           account.normal_balance AS "normalBalance", account.account_class AS "accountClass", account.level,
           account.parent_id AS "parentId", account.contra, account.cofi_code AS "cofiCode",
           ${isoText(SQL`account.created_at`)} AS "createdAt"
      FROM account
     WHERE account.chart_id = ${chartId}
     ORDER BY account.sort_key`);
}

/** An account of a chart that the caller sees. */
export function selectVisibleAccount(sql: Sql, callerId: number, id: AccountId): Promise<AccountRow | undefined> {
  return sql.maybe<AccountRow>(SQL`
    SELECT ${ACCOUNT_COLUMNS}
      FROM account
      JOIN chart ON chart.id = account.chart_id
     WHERE account.id = ${id} AND account.chart_id IN ${visibleCharts(callerId)}`);
}

export interface ChartRow extends ChartOwner {
  readonly id: ChartId;
  readonly code: string;
  readonly visible: boolean;
  /** Code of the owner company, where the caller can access it. */
  readonly owner: string | null;
}

export const OWNER_COLUMNS = SQL`chart.owner_company_id AS "ownerCompanyId", chart.installation, chart.shared,
  chart.created_by AS "createdBy"`;

/** The chart of that code, and whether the caller sees it. */
export function selectChart(sql: Sql, callerId: number, code: string): Promise<ChartRow | undefined> {
  return sql.maybe<ChartRow>(SQL`
    SELECT chart.id, chart.code, chart.id IN ${visibleCharts(callerId)} AS visible, ${OWNER_COLUMNS},
           company.code AS owner
      FROM chart
      LEFT JOIN company ON company.id = chart.owner_company_id AND can_access(company.id, NULL)
     WHERE chart.code = ${code}`);
}

/** The charts that the caller sees, at most one more than a list may have. */
export function selectVisibleCharts(sql: Sql, callerId: number): Promise<ChartRow[]> {
  return sql.rows<ChartRow>(SQL`
    SELECT chart.id, chart.code, true AS visible, ${OWNER_COLUMNS}, company.code AS owner
      FROM chart
      LEFT JOIN company ON company.id = chart.owner_company_id AND can_access(company.id, NULL)
     WHERE chart.id IN ${visibleCharts(callerId)}
     ORDER BY chart.code LIMIT ${MAX_LISTED + 1}`);
}

/** Accounts of the chart that have a parent. */
export async function countChildAccounts(sql: Sql, chartId: ChartId): Promise<number> {
  const row = await sql.one<{ count: number }>(
    SQL`SELECT count(*) AS count FROM account WHERE account.chart_id = ${chartId} AND account.parent_id IS NOT NULL`,
  );
  return row.count;
}

/** Direct children of the account of that code; undefined without such an account. */
export async function countChildrenOf(sql: Sql, chartId: ChartId, code: string): Promise<number | undefined> {
  const row = await sql.maybe<{ count: number }>(SQL`
    SELECT (SELECT count(*) FROM account AS child WHERE child.parent_id = account.id) AS count
      FROM account
     WHERE account.chart_id = ${chartId} AND account.code = ${code}`);
  return row?.count;
}
