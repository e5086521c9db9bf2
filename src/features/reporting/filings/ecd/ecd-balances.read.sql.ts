import type { AccountId, BranchId } from '../../../../accounting/ids.ts';
import { type Centavos, centavosFromSql } from '../../../../accounting/money.ts';
import type { Month } from '../../../../accounting/period.ts';
import { copyRows, type TakeRow } from '../../../../platform/database/copy-rows.ts';
import type { Sql, Transaction } from '../../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../../platform/database/statement.ts';
import { type EcdRows, monthDate, ofCompany } from './ecd-rows.sql.ts';

/** Balances of posting accounts in closed months, the branches of the file together; those of zero without movement are none. */
function periodBalances(rows: EcdRows, months: Fragment): Fragment {
  const centre = rows.byBranch ? SQL`stored.branch_id` : SQL`0::bigint`;
  return SQL`
    SELECT stored.month, stored.account_id, ${centre} AS branch_id, account.sort_key, account.code,
           sum(stored.opening) AS opening, sum(stored.debit + stored.closing_debit) AS debit,
           sum(stored.credit + stored.closing_credit) AS credit, sum(stored.balance) AS balance
      FROM monthly_balance AS stored
      JOIN account ON account.id = stored.account_id AND account.account_type = 'A'
     WHERE ${ofCompany(rows, 'stored')} AND ${months}
     GROUP BY stored.month, stored.account_id, ${rows.byBranch ? SQL`stored.branch_id, ` : SQL``}account.sort_key, account.code
    HAVING sum(stored.opening) <> 0 OR sum(stored.debit + stored.closing_debit) <> 0
        OR sum(stored.credit + stored.closing_credit) <> 0`;
}

/** How many balances each account has in the months of the file. */
export function countPeriodBalances(
  sql: Sql,
  rows: EcdRows,
): Promise<{ readonly accountId: AccountId; readonly lines: number }[]> {
  return sql.rows(SQL`
    SELECT balance.account_id AS "accountId", count(*) AS lines
      FROM (${periodBalances(rows, SQL`stored.month BETWEEN ${monthDate(rows.from)} AND ${monthDate(rows.to)}`)}) AS balance
     GROUP BY balance.account_id`);
}

/** account ⇥ branch (0: all) ⇥ opening ⇥ debit ⇥ credit ⇥ balance, in the order of the chart. */
export function copyPeriodBalances(sql: Transaction, rows: EcdRows, month: Month, take: TakeRow, ready: Ready) {
  const { text } = SQL`
    COPY (
      SELECT balance.account_id, balance.branch_id, balance.opening, balance.debit, balance.credit, balance.balance
        FROM (${periodBalances(rows, SQL`stored.month = ${monthDate(month)}`)}) AS balance
       ORDER BY balance.sort_key, balance.code COLLATE "C", balance.branch_id
    ) TO STDOUT`;
  return copyRows(sql.connection, text, take, ready);
}

type Ready = () => Promise<void> | undefined;

/**
 * What each posting account was debited and credited on a day, closing entries with all the others. Accounts have their places
 * in the chart before they are joined: to sort a million days by their codes takes longer than all the rest.
 */
function dailyMovements(rows: EcdRows, months: Fragment): Fragment {
  // Each branch has one row for an account and day: only those of several are added up.
  const isSummed = !rows.byBranch && rows.branchIds.length > 1;
  const total = (amount: Fragment) => (isSummed ? SQL`sum(${amount})` : amount);
  const debit = total(SQL`moved.debit + coalesce(moved.closing_debit, 0)`);
  const credit = total(SQL`moved.credit + coalesce(moved.closing_credit, 0)`);
  const hasMoved = SQL`(${debit} <> 0 OR ${credit} <> 0)`;
  return SQL`
    SELECT moved.day, stored.account_id, ${rows.byBranch ? SQL`stored.branch_id` : SQL`0::bigint`} AS branch_id, listed.place,
           ${debit} AS debit, ${credit} AS credit
      FROM daily_balance AS stored
      JOIN (SELECT account.id, row_number() OVER (ORDER BY account.sort_key, account.code COLLATE "C") AS place
              FROM account
             WHERE account.chart_id = ${SQL.integer(rows.chartId)} AND account.account_type = 'A') AS listed
        ON listed.id = stored.account_id
     CROSS JOIN LATERAL unnest(stored.days, stored.debits, stored.credits, stored.closing_debits, stored.closing_credits)
             AS moved (day, debit, credit, closing_debit, closing_credit)
     WHERE ${ofCompany(rows, 'stored')} AND ${months}
     ${isSummed ? SQL`GROUP BY moved.day, stored.account_id, listed.place HAVING ${hasMoved}` : SQL`AND ${hasMoved}`}`;
}

/** Days with movement, and lines of accounts on them. */
export function countDailyMovements(
  sql: Sql,
  rows: EcdRows,
): Promise<{ readonly days: number; readonly lines: number }> {
  return sql.one(SQL`
    SELECT count(*) AS days, coalesce(sum(on_day.lines), 0)::bigint AS lines
      FROM (SELECT movement.day, count(*) AS lines
              FROM (${dailyMovements(rows, SQL`stored.month BETWEEN ${monthDate(rows.from)} AND ${monthDate(rows.to)}`)}) AS movement
             GROUP BY movement.day) AS on_day`);
}

/** day ⇥ account ⇥ branch (0: all) ⇥ debit ⇥ credit, by day in the order of the chart. */
export function copyDailyMovements(sql: Transaction, rows: EcdRows, month: Month, take: TakeRow, ready: Ready) {
  const { text } = SQL`
    COPY (
      SELECT movement.day, movement.account_id, movement.branch_id, movement.debit, movement.credit
        FROM (${dailyMovements(rows, SQL`stored.month = ${monthDate(month)}`)}) AS movement
       ORDER BY movement.day, movement.place, movement.branch_id
    ) TO STDOUT`;
  return copyRows(sql.connection, text, take, ready);
}

export interface ClosedResult {
  readonly month: Month;
  readonly accountId: AccountId;
  /** null: of all branches together. */
  readonly branchId: BranchId | null;
  /** Before closing, debit-positive. */
  readonly balance: Centavos;
}

/** Balances of the accounts of result before they were closed, in the branches and months that have closing entries. */
export async function selectClosedResults(sql: Sql, rows: EcdRows): Promise<ClosedResult[]> {
  const centre = rows.byBranch ? SQL`stored.branch_id` : SQL`NULL::bigint`;
  const found = await sql.rows<Omit<ClosedResult, 'balance'> & { balance: string }>(SQL`
    WITH closed AS MATERIALIZED (
      SELECT DISTINCT stored.branch_id, stored.month
        FROM monthly_balance AS stored
       WHERE ${ofCompany(rows, 'stored')} AND stored.month BETWEEN ${monthDate(rows.from)} AND ${monthDate(rows.to)}
         AND (stored.closing_debit <> 0 OR stored.closing_credit <> 0)
    )
    SELECT to_char(stored.month, 'YYYY-MM') AS month, stored.account_id AS "accountId", ${centre} AS "branchId",
           sum(stored.opening + stored.debit - stored.credit) AS balance
      FROM monthly_balance AS stored
      JOIN closed ON closed.branch_id = stored.branch_id AND closed.month = stored.month
      JOIN account ON account.id = stored.account_id AND account.account_type = 'A' AND account.account_class = '04'
     WHERE ${ofCompany(rows, 'stored')}
     GROUP BY stored.month, stored.account_id, ${rows.byBranch ? SQL`stored.branch_id, ` : SQL``}account.sort_key, account.code
    HAVING sum(stored.opening + stored.debit - stored.credit) <> 0
     ORDER BY stored.month, account.sort_key, account.code COLLATE "C", 3`);
  return found.map((row) => ({ ...row, balance: centavosFromSql(row.balance) }));
}

/** Accounts whose balances do not go on from one month to the next: branches came with balances of their own. */
export function selectBrokenOpenings(
  sql: Sql,
  rows: EcdRows,
): Promise<{ readonly accountId: AccountId; readonly month: Month }[]> {
  return sql.rows(SQL`
    WITH balance AS MATERIALIZED (
      ${periodBalances(rows, SQL`stored.month BETWEEN ${monthDate(rows.from)} AND ${monthDate(rows.to)}`)}
    )
    SELECT to_char(later.month, 'YYYY-MM') AS month, later.account_id AS "accountId"
      FROM balance AS later
      LEFT JOIN balance AS earlier ON earlier.account_id = later.account_id AND earlier.branch_id = later.branch_id
       AND earlier.month = later.month - interval '1 month'
     WHERE later.month > ${monthDate(rows.from)} AND later.opening <> coalesce(earlier.balance, 0)
     ORDER BY later.month, later.sort_key`);
}
