import { balanceOf } from '../../../accounting/balance.ts';
import { addMonths, type Day, firstDay, type Month, monthRange } from '../../../accounting/period.ts';
import type { StatementRow } from '../../../accounting/statements/statement.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL, type Statement } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';
import {
  isShown,
  movementSums,
  NET,
  openingLeaves,
  openMovements,
  openNets,
  rollUp,
} from '../../closing/balances/balance-rules.sql.ts';
import {
  type BalanceBaseline,
  baselineDay,
  computedMonth,
  isClosed,
  movementFromSql,
} from '../../closing/balances/balances.read.sql.ts';
import { LISTED_ACCOUNT_COLUMNS, type ListedAccount } from '../../closing/balances/listed-accounts.read.sql.ts';

// Listings of balances, a page at a time: the database orders and cuts, so that only the page is transferred.

/** A row without its section: that is decided at the root of a tree, which need not be on the page. */
export interface ListedRow extends Omit<StatementRow<ListedAccount>, 'section'> {
  /** null in listings by month. */
  readonly day: Day | null;
}

/** Rows of one answer; the end of the listing where there are fewer. */
export interface AccountPage {
  readonly offset: number;
  readonly limit: number;
}

export interface ListingOrder {
  readonly by: keyof typeof LISTING_ORDERS;
  readonly direction: 'ASC' | 'DESC';
}

const CLOSING = SQL`listed.closing_debit - listed.closing_credit`;
const BALANCE = SQL`listed.opening + listed.debit - listed.credit + ${CLOSING}`;

/**
 * What a listing may be ordered by; a closed list, so that no request text becomes SQL. Within a value: the chart's
 * order.
 */
const LISTING_ORDERS = {
  accountCode: SQL`account.sort_key`,
  shortCode: SQL`account.short_code COLLATE "C"`,
  description: SQL`account.description COLLATE "C"`,
  accountType: SQL`account.account_type`,
  level: SQL`account.level`,
  opening: SQL`listed.opening`,
  debit: SQL`listed.debit`,
  credit: SQL`listed.credit`,
  closing: CLOSING,
  balance: BALANCE,
  side: SQL`CASE WHEN ${BALANCE} < 0 THEN 'C' ELSE 'D' END`,
} as const;

/** How many accounts the listing of each month shows, closed and open alike. */
export async function countListedAccounts(
  sql: Sql,
  branch: BranchKey,
  baseline: BalanceBaseline,
  from: Month,
  to: Month,
): Promise<Map<Month, number>> {
  const { closed, baseMonth } = baseline;
  const counts = new Map<Month, number>();
  const note = (rows: readonly { month: Month; accounts: number }[]) => {
    for (const { month, accounts } of rows) counts.set(month, accounts);
  };
  if (isClosed(baseline, from)) {
    const stored = await sql.rows<{ month: Month; accounts: number }>(SQL.named('count-closed-months')`
      SELECT to_char(monthly_balance.month, 'YYYY-MM') AS month, count(*) AS accounts
        FROM monthly_balance
       WHERE monthly_balance.company_id = ${branch.companyId} AND monthly_balance.branch_id = ${branch.branchId}
         AND monthly_balance.month BETWEEN ${firstDay(from)} AND ${firstDay(closed!)}
       GROUP BY monthly_balance.month`);
    note(stored);
  }
  if (!isClosed(baseline, to)) {
    const open = await sql.rows<{ month: Month; accounts: number }>(countOpenMonths(branch, baseline, to));
    note(open);
  }
  // Nothing changes beyond the month after the last opened one.
  let last = 0;
  return new Map(
    monthRange(baseMonth, to).flatMap((month) => {
      last = counts.get(month) ?? (isClosed(baseline, month) ? 0 : last);
      return month < from ? [] : [[month, last]];
    }),
  );
}

/** The series of months ends after the last one that may hold lines. */
function countOpenMonths(branch: BranchKey, baseline: BalanceBaseline, to: Month): Statement {
  const { companyId, branchId } = branch;
  const { closed, baseMonth } = baseline;
  const firstOpen = closed === null ? baseMonth : addMonths(closed, 1);
  return SQL.named('count-open-months')`
  WITH leaf AS (
    SELECT opening.account_id, NULL::date AS month, opening.balance AS net FROM (${openingLeaves(branch, closed)}) AS opening
    UNION ALL
    SELECT moved.account_id, moved.month,
           moved.debit - moved.credit + moved.closing_debit - moved.closing_credit
      FROM (${openMovements(branch, { after: baselineDay(baseline), to: firstDay(to) })}) AS moved
  ), node AS MATERIALIZED (
    SELECT node.id AS account_id, leaf.month, sum(leaf.net) AS net
      FROM leaf
      ${rollUp('leaf')}
     GROUP BY node.id, leaf.month
  ), series AS (
    SELECT day::date AS month
      FROM generate_series(${firstDay(firstOpen)}::date, least(${firstDay(to)}::date, (
             SELECT max(month.month) + interval '1 month' FROM month
              WHERE month.company_id = ${companyId} AND month.branch_id = ${branchId})), interval '1 month') AS day
  ), cell AS (
    SELECT series.month, node.month IS NOT NULL AS moved,
           coalesce(start.net, 0) + coalesce(sum(node.net) OVER (
             PARTITION BY present.account_id ORDER BY series.month
             ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS opening
      FROM (SELECT DISTINCT node.account_id FROM node) AS present
     CROSS JOIN series
      LEFT JOIN node ON node.account_id = present.account_id AND node.month = series.month
      LEFT JOIN node AS start ON start.account_id = present.account_id AND start.month IS NULL
  )
  SELECT to_char(cell.month, 'YYYY-MM') AS month,
         count(*) FILTER (WHERE ${isShown(SQL`cell.opening`, SQL`cell.moved`)}) AS accounts
    FROM cell GROUP BY cell.month`;
}

/** Balances of a month, in the chart's order by default. */
export function selectListedMonth(
  sql: Sql,
  branch: BranchKey,
  baseline: BalanceBaseline,
  month: Month,
  cut: AccountPage,
  order?: ListingOrder,
): Promise<ListedRow[]> {
  const source = isClosed(baseline, month)
    ? storedMonth(branch, month)
    : SQL`SELECT NULL::date AS day, month.* FROM (${computedMonth(branch, baseline, month)}) AS month`;
  return selectListing(sql, source, order, page(cut));
}

function storedMonth({ companyId, branchId }: BranchKey, month: Month): Fragment {
  return SQL`
  SELECT NULL::date AS day, monthly_balance.account_id, monthly_balance.opening, monthly_balance.debit,
         monthly_balance.credit, monthly_balance.closing_debit, monthly_balance.closing_credit
    FROM monthly_balance
   WHERE monthly_balance.company_id = ${companyId} AND monthly_balance.branch_id = ${branchId}
     AND monthly_balance.month = ${firstDay(month)}`;
}

function page({ limit, offset }: AccountPage): Fragment {
  return SQL`LIMIT ${limit} OFFSET ${offset}`;
}

/** Balances of the days from the first to the last, within one month: by day and then in the chart's order. */
export function selectListedDays(
  sql: Sql,
  branch: BranchKey,
  baseline: BalanceBaseline,
  month: Month,
  days: Days,
  cut: AccountPage,
  order?: ListingOrder,
): Promise<ListedRow[]> {
  if (!isClosed(baseline, month)) {
    return selectListing(sql, computedDays(branch, baseline, month, days), order, page(cut));
  }
  // In the chart's order the cut comes before the closed rows are looked for: one search in the index a row shown.
  if (order === undefined) return selectListing(sql, closedDays(branch, month, days, page(cut)), order, SQL``);
  return selectListing(sql, closedDays(branch, month, days, SQL``), order, page(cut));
}

interface Days {
  readonly from: Day;
  readonly to: Day;
}

/** Every account of the month on every one of the days, each with the last day up to it on which the account moved. */
function closedDays({ companyId, branchId }: BranchKey, month: Month, { from, to }: Days, cut: Fragment): Fragment {
  const asked = firstDay(month);
  const ofDay = (amounts: string) =>
    SQL`CASE WHEN last.moved THEN coalesce(${SQL.identifier(`kept.${amounts}`)}[last.place], 0) ELSE 0 END`;
  return SQL`
    SELECT cell.day, cell.account_id,
           coalesce(kept.balances[CASE WHEN last.moved THEN last.place - 1 ELSE last.place END], cell.opening) AS opening,
           ${ofDay('debits')} AS debit, ${ofDay('credits')} AS credit,
           ${ofDay('closing_debits')} AS closing_debit, ${ofDay('closing_credits')} AS closing_credit
      FROM (SELECT day.day::date AS day, monthly_balance.account_id, monthly_balance.opening
              FROM monthly_balance
              JOIN account ON account.id = monthly_balance.account_id
             CROSS JOIN generate_series(${from}::date, ${to}::date, interval '1 day') AS day (day)
             WHERE monthly_balance.company_id = ${companyId} AND monthly_balance.branch_id = ${branchId}
               AND monthly_balance.month = ${asked}
             ORDER BY day.day, account.sort_key, account.code ${cut}) AS cell
      LEFT JOIN daily_balance AS kept ON kept.company_id = ${companyId} AND kept.branch_id = ${branchId}
       AND kept.month = ${asked} AND kept.account_id = cell.account_id
     CROSS JOIN LATERAL (SELECT width_bucket(cell.day, kept.days) AS place,
                                kept.days[width_bucket(cell.day, kept.days)] = cell.day AS moved) AS last`;
}

/**
 * The same from the lines: what lies before and after the days is summed into one day each, because it only says the
 * opening and which accounts the month shows.
 */
function computedDays(branch: BranchKey, baseline: BalanceBaseline, month: Month, { from, to }: Days): Fragment {
  const { companyId, branchId } = branch;
  return SQL`
  WITH leaf AS (
    SELECT opening.account_id, NULL::date AS day, opening.balance AS net, 0::numeric AS debit, 0::numeric AS credit,
           0::numeric AS closing_debit, 0::numeric AS closing_credit
      FROM (${openingLeaves(branch, baseline.closed)}) AS opening
    UNION ALL
    SELECT before.account_id, NULL, sum(before.net), 0, 0, 0, 0
      FROM (${openNets(branch, { after: baselineDay(baseline), to: firstDay(addMonths(month, -1)) })}) AS before
     GROUP BY before.account_id
    UNION ALL
    SELECT entry_line.account_id, least(greatest(entry_line.day, ${from}::date - 1), ${to}::date + 1), sum(${NET}),
           ${movementSums()}
      FROM entry_line
     WHERE entry_line.company_id = ${companyId} AND entry_line.branch_id = ${branchId}
       AND entry_line.month = ${firstDay(month)}
     GROUP BY entry_line.account_id, 2
  ), node AS MATERIALIZED (
    SELECT node.id AS account_id, leaf.day, sum(leaf.net) AS net, sum(leaf.debit) AS debit,
           sum(leaf.credit) AS credit, sum(leaf.closing_debit) AS closing_debit,
           sum(leaf.closing_credit) AS closing_credit
      FROM leaf
      ${rollUp('leaf')}
     GROUP BY node.id, leaf.day
  ), present AS (
    SELECT node.account_id, coalesce(sum(node.net) FILTER (WHERE node.day IS NULL OR node.day < ${from}), 0) AS opening
      FROM node
     GROUP BY node.account_id
    HAVING ${isShown(SQL`coalesce(sum(node.net) FILTER (WHERE node.day IS NULL), 0)`, SQL`count(node.day) > 0`)}
  )
  SELECT day.day::date AS day, present.account_id,
         present.opening + coalesce(sum(node.net) OVER (
           PARTITION BY present.account_id ORDER BY day.day ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)
           AS opening,
         coalesce(node.debit, 0) AS debit, coalesce(node.credit, 0) AS credit,
         coalesce(node.closing_debit, 0) AS closing_debit, coalesce(node.closing_credit, 0) AS closing_credit
    FROM present
   CROSS JOIN generate_series(${from}::date, ${to}::date, interval '1 day') AS day (day)
    LEFT JOIN node ON node.account_id = present.account_id AND node.day = day.day::date`;
}

interface Row extends ListedAccount {
  readonly day: Day | null;
  readonly opening: string;
  readonly debit: string;
  readonly credit: string;
  readonly closingDebit: string;
  readonly closingCredit: string;
}

/** The source's rows with their accounts, in the order asked. */
async function selectListing(
  sql: Sql,
  source: Fragment,
  order: ListingOrder | undefined,
  cut: Fragment,
): Promise<ListedRow[]> {
  const first = order === undefined ? SQL`` : SQL`${LISTING_ORDERS[order.by]} ${SQL.direction(order.direction)}, `;
  const rows = await sql.rows<Row>(SQL`
    SELECT listed.day, listed.opening::numeric(20,2) AS opening, listed.debit::numeric(20,2) AS debit,
           listed.credit::numeric(20,2) AS credit, listed.closing_debit::numeric(20,2) AS "closingDebit",
           listed.closing_credit::numeric(20,2) AS "closingCredit",
           ${LISTED_ACCOUNT_COLUMNS}
      FROM (${source}) AS listed
      JOIN account ON account.id = listed.account_id
     ORDER BY ${first}listed.day, account.sort_key, account.code
     ${cut}`);
  return rows.map(({ day, opening, debit, credit, closingDebit, closingCredit, ...account }) => {
    const movement = movementFromSql({ opening, debit, credit, closingDebit, closingCredit });
    return { account, day, movement, balance: balanceOf(movement) };
  });
}
