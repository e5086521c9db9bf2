import type { Movement } from '../../../accounting/balance.ts';
import type { AccountId } from '../../../accounting/ids.ts';
import { type Centavos, centavosFromSql } from '../../../accounting/money.ts';
import { addMonths, BEFORE_ALL_DAYS, type Day, firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { BranchKey, BranchSet } from '../../access/access.ts';
import { BOOKS_COLUMNS, type Books } from '../../master-data/companies/books.read.sql.ts';
import {
  type BranchGroup,
  closedDays,
  isShown,
  movementSums,
  openingLeaves,
  openMovements,
  openNets,
  rollUp,
  rowsOf,
  withAccountsAbove,
} from './balance-rules.sql.ts';

/** Where a branch's closed balances end, seen from a month. */
export interface BalanceBaseline extends Books {
  /** The last closed month up to the one asked; null: the base balances are the start. */
  readonly closed: Month | null;
  /** Of the month asked. */
  readonly state: 'OPEN' | 'CLOSED' | null;
  readonly archived: boolean;
  /** Of an institution: its branches that have not opened the month asked. */
  readonly unopened?: readonly { readonly branch: string }[];
}

/** What statements about a branch up to a month are given. */
export type UpToMonth = BranchKey & { readonly to: Day; readonly beforeAll: typeof BEFORE_ALL_DAYS };

/**
 * The branch's last closed month up to another. A comparison with COALESCE(…) around it would not be an index
 * condition: under row-level security the planner uses only leakproof functions.
 */
export function lastClosed({
  companyId,
  branchId,
  to,
  beforeAll,
}: Readonly<Record<keyof UpToMonth, Fragment>>): Fragment {
  return SQL`SELECT coalesce(max(month.month), ${beforeAll}) AS month FROM month
           WHERE month.company_id = ${companyId} AND month.branch_id = ${branchId} AND month.month <= ${to}
             AND month.state = 'CLOSED'`;
}

const BALANCE_BASELINE = SQL.prepared<UpToMonth>(
  'balance-baseline',
  (given) => SQL`
    SELECT ${BOOKS_COLUMNS}, to_char(nullif((${lastClosed(given)}), ${given.beforeAll}), 'YYYY-MM') AS closed,
           asked.state, coalesce(asked.archived, false) AS archived
      FROM company_options
      LEFT JOIN month AS asked ON asked.company_id = ${given.companyId} AND asked.branch_id = ${given.branchId}
       AND asked.month = ${given.to}
     WHERE company_options.company_id = ${given.companyId} AND company_options.branch_id = ${given.branchId}`,
);

/** Undefined while the branch has no options. */
export function selectBaseline(sql: Sql, branch: BranchKey, month: Month): Promise<BalanceBaseline | undefined> {
  return sql.maybe<BalanceBaseline>(BALANCE_BASELINE(upToMonth(branch, month)));
}

export function upToMonth({ companyId, branchId }: BranchKey, month: Month): UpToMonth {
  return { companyId, branchId, to: firstDay(month), beforeAll: BEFORE_ALL_DAYS };
}

export interface AccountAmounts extends Movement {
  readonly accountId: AccountId;
}

interface MovementRow {
  readonly opening: string;
  readonly debit: string;
  readonly credit: string;
  readonly closingDebit: string;
  readonly closingCredit: string;
}

interface AmountsRow extends MovementRow {
  readonly accountId: AccountId;
}

const CLOSING_COLUMNS = (table: string): Fragment =>
  SQL`${SQL.identifier(`${table}.closing_debit`)} AS "closingDebit", ${SQL.identifier(`${table}.closing_credit`)} AS "closingCredit"`;

/** Closed balances of a closed month. */
export async function selectClosedMonth(sql: Sql, branch: BranchKey, month: Month): Promise<AccountAmounts[]> {
  const rows = await sql.rows<AmountsRow>(SQL.named('closed-month')`
    SELECT monthly_balance.account_id AS "accountId", monthly_balance.opening, monthly_balance.debit,
           monthly_balance.credit, ${CLOSING_COLUMNS('monthly_balance')}
      FROM monthly_balance
     WHERE monthly_balance.company_id = ${branch.companyId} AND monthly_balance.branch_id = ${branch.branchId}
       AND monthly_balance.month = ${firstDay(month)}`);
  return rows.map((row) => ({ accountId: row.accountId, ...movementFromSql(row) }));
}

/**
 * Balances of a month from the last closed ones and the lines since: leaves summed, then rolled up along the stored
 * ancestors. The lines are read by the ledger index alone.
 */
export async function computeMonth(
  sql: Sql,
  branch: BranchKey,
  baseline: BalanceBaseline,
  month: Month,
): Promise<AccountAmounts[]> {
  const rows = await sql.rows<AmountsRow>(SQL.named('compute-month')`
    SELECT computed.account_id AS "accountId", computed.opening, computed.debit, computed.credit,
           ${CLOSING_COLUMNS('computed')}
      FROM (${computedMonth(branch, baseline, month)}) AS computed`);
  return rows.map((row) => ({ accountId: row.accountId, ...movementFromSql(row) }));
}

/** Accounts of a month from the leaves at the baseline and the lines since, rolled up: the rows that month close writes. */
export function computedMonth(branch: BranchKey, baseline: BalanceBaseline, month: Month): Fragment {
  return rolledUpMonth(monthLeaves(branch, baseline.closed, month));
}

/** Leaf amounts of a month by branch: balances at the baseline, and the lines since. */
export function monthLeaves(branches: BranchKey | BranchSet, closed: Month | null, month: Month): Fragment {
  const [after, asked] = [baselineDay({ closed }), firstDay(month)];
  return SQL`
    SELECT opening.account_id, opening.balance AS opening, 0 AS lines, 0::numeric AS debit, 0::numeric AS credit,
           0::numeric AS closing_debit, 0::numeric AS closing_credit
      FROM (${openingLeaves(branches, closed)}) AS opening
    UNION ALL
    SELECT before.account_id, sum(before.net), 0, 0, 0, 0, 0
      FROM (${openNets(branches, { after, to: firstDay(addMonths(month, -1)) })}) AS before
     GROUP BY before.account_id
    UNION ALL
    SELECT moved.account_id, 0, moved.lines, moved.debit, moved.credit, moved.closing_debit, moved.closing_credit
      FROM (${openMovements(branches, { after, to: asked })}) AS moved
     WHERE moved.month = ${asked}`;
}

const MONTH_AMOUNTS = ['opening', 'lines', 'debit', 'credit', 'closing_debit', 'closing_credit'] as const;

/** The leaves summed, with all accounts above them. */
export function rolledUpMonth(leaves: Fragment): Fragment {
  return SQL`
  WITH leaf AS (${leaves}
  ), summed AS MATERIALIZED (
    SELECT leaf.account_id, sum(leaf.opening) AS opening, sum(leaf.lines) AS lines, sum(leaf.debit) AS debit,
           sum(leaf.credit) AS credit, sum(leaf.closing_debit) AS closing_debit,
           sum(leaf.closing_credit) AS closing_credit
      FROM leaf GROUP BY leaf.account_id
  )
  SELECT rolled.account_id, rolled.opening::numeric(20,2) AS opening, rolled.debit::numeric(20,2) AS debit,
         rolled.credit::numeric(20,2) AS credit, rolled.closing_debit::numeric(20,2) AS closing_debit,
         rolled.closing_credit::numeric(20,2) AS closing_credit
    FROM (${withAccountsAbove('summed', [], MONTH_AMOUNTS)}) AS rolled
   WHERE ${isShown(SQL`rolled.opening`, SQL`rolled.lines > 0`)}`;
}

/** Are the month's balances closed? */
export function isClosed({ closed }: BalanceBaseline, month: Month): boolean {
  return closed !== null && month <= closed;
}

/** Lines after this day count; before any month close all of them do. */
export function baselineDay({ closed }: Pick<BalanceBaseline, 'closed'>): Day {
  return closed === null ? BEFORE_ALL_DAYS : firstDay(closed);
}

export interface MonthAmounts extends Movement {
  readonly month: Month;
}

/**
 * What the posting accounts of result moved from the first month to the last, closing entries apart, in all branches
 * together. Base balances of books that begin after the first month are what had moved before.
 */
export async function selectResultMoved(
  sql: Sql,
  groups: readonly BranchGroup[],
  from: Month,
  to: Month,
): Promise<{ accountId: AccountId; net: Centavos }[]> {
  const parts = groups.map(
    (group) => SQL`
      SELECT monthly_balance.account_id, sum(monthly_balance.debit - monthly_balance.credit) AS net
        FROM monthly_balance
       WHERE ${rowsOf('monthly_balance', group)}
         AND monthly_balance.month BETWEEN ${firstDay(from)} AND ${baselineDay(group)}
       GROUP BY monthly_balance.account_id
      UNION ALL
      SELECT moved.account_id, sum(moved.debit - moved.credit) AS net
        FROM (${openMovements(group, { after: baselineDay(group), to: firstDay(to) })}) AS moved
       WHERE moved.month >= ${firstDay(from)}
       GROUP BY moved.account_id
      UNION ALL
      SELECT base_balance.account_id, base_balance.balance AS net
        FROM base_balance
        JOIN company_options ON company_options.company_id = base_balance.company_id
         AND company_options.branch_id = base_balance.branch_id
       WHERE ${rowsOf('base_balance', group)} AND company_options.base_month > ${firstDay(from)}`,
  );
  const rows = await sql.rows<{ accountId: AccountId; net: string }>(SQL`
    SELECT part.account_id AS "accountId", sum(part.net)::numeric(20,2) AS net
      FROM (${SQL.join(parts, ' UNION ALL ')}) AS part
      JOIN account ON account.id = part.account_id AND account.account_type = 'A' AND account.account_class = '04'
     GROUP BY part.account_id`);
  return rows.map(({ accountId, net }) => ({ accountId, net: centavosFromSql(net) }));
}

export interface DayAmounts {
  readonly accountId: AccountId;
  readonly day: Day;
  /** Of the day alone. */
  readonly movement: Movement;
}

/** Movements of all accounts, summary accounts too, on the days of a month up to `to`: closed, or from the lines. */
export async function selectDayMovements(
  sql: Sql,
  branch: BranchKey,
  month: Month,
  to: Day,
  stored: boolean,
): Promise<DayAmounts[]> {
  const rows = await sql.rows<DayRow>(
    stored
      ? SQL.named('closed-day-movements')`
          SELECT closed.account_id AS "accountId", closed.day, closed.debit, closed.credit,
                 ${CLOSING_COLUMNS('closed')}
            FROM (${closedDays(branch, month)}) AS closed
           WHERE closed.day <= ${to}
           ORDER BY closed.day`
      : SQL.named('computed-day-movements')`${rolledUpDays(dayLeaves(branch, month, to))}`,
  );
  return rows.map(dayAmountsOf);
}

interface DayRow extends Omit<AmountsRow, 'opening'> {
  readonly day: Day;
}

function dayAmountsOf({ accountId, day, ...row }: DayRow): DayAmounts {
  return { accountId, day, movement: movementFromSql({ ...row, opening: '0' }) };
}

/** The leaves of each day summed, with all accounts above them. */
function rolledUpDays(leaves: Fragment): Fragment {
  return SQL`
    SELECT node.id AS "accountId", leaf.day, sum(leaf.debit)::numeric(20,2) AS debit,
           sum(leaf.credit)::numeric(20,2) AS credit, sum(leaf.closing_debit)::numeric(20,2) AS "closingDebit",
           sum(leaf.closing_credit)::numeric(20,2) AS "closingCredit"
      FROM (${leaves}) AS leaf
      ${rollUp('leaf')}
     GROUP BY node.id, leaf.day
     ORDER BY leaf.day`;
}

/** Leaf movements by day of a month, or of its days up to one. */
export function dayLeaves(branches: BranchKey | BranchSet, month: Month, to?: Day): Fragment {
  return SQL`
  SELECT entry_line.account_id, entry_line.day, count(*) AS lines,
         ${movementSums()}
    FROM entry_line
   WHERE ${rowsOf('entry_line', branches)}
     AND entry_line.month = ${firstDay(month)}${to === undefined ? SQL`` : SQL` AND entry_line.day <= ${to}`}
   GROUP BY entry_line.account_id, entry_line.day`;
}

/** Balances of a month summed over branches: closed ones of those that closed it, computed ones of the others. */
export async function selectMonthOfGroups(
  sql: Sql,
  groups: readonly BranchGroup[],
  month: Month,
): Promise<AccountAmounts[]> {
  const rows = await sql.rows<AmountsRow>(SQL`
    SELECT summed.account_id AS "accountId", summed.opening, summed.debit, summed.credit,
           ${CLOSING_COLUMNS('summed')}
      FROM (${monthOfGroups(groups, month)}) AS summed`);
  return rows.map((row) => ({ accountId: row.accountId, ...movementFromSql(row) }));
}

function monthOfGroups(groups: readonly BranchGroup[], month: Month): Fragment {
  const [only, ...others] = groups;
  if (only?.closed !== month || others.length > 0) {
    const leaves = groups.map((group) =>
      group.closed === month ? closedLeaves(group, month) : monthLeaves(group, group.closed, month),
    );
    return rolledUpMonth(SQL.join(leaves, ' UNION ALL '));
  }
  return SQL`
    SELECT monthly_balance.account_id, sum(monthly_balance.opening) AS opening, sum(monthly_balance.debit) AS debit,
           sum(monthly_balance.credit) AS credit, sum(monthly_balance.closing_debit) AS closing_debit,
           sum(monthly_balance.closing_credit) AS closing_credit
      FROM monthly_balance
     WHERE ${rowsOf('monthly_balance', only)} AND monthly_balance.month = ${firstDay(month)}
     GROUP BY monthly_balance.account_id`;
}

/** As `monthLeaves`, from the closed month itself. */
function closedLeaves(group: BranchGroup, month: Month): Fragment {
  return SQL`
    SELECT monthly_balance.account_id, monthly_balance.opening, 1 AS lines, monthly_balance.debit,
           monthly_balance.credit, monthly_balance.closing_debit, monthly_balance.closing_credit
      FROM monthly_balance
      JOIN account ON account.id = monthly_balance.account_id AND account.account_type = 'A'
     WHERE ${rowsOf('monthly_balance', group)} AND monthly_balance.month = ${firstDay(month)}`;
}

/** Movements of the days of a month up to `to`, summed over branches. */
export async function selectDaysOfGroups(
  sql: Sql,
  groups: readonly BranchGroup[],
  month: Month,
  to: Day,
): Promise<DayAmounts[]> {
  const leaves = groups.map((group) =>
    group.closed === month ? closedDayLeaves(group, month, to) : dayLeaves(group, month, to),
  );
  return (await sql.rows<DayRow>(SQL`${rolledUpDays(SQL.join(leaves, ' UNION ALL '))}`)).map(dayAmountsOf);
}

/** As `dayLeaves`, from the closed month itself. */
function closedDayLeaves(group: BranchGroup, month: Month, to: Day): Fragment {
  return SQL`
    SELECT closed.account_id, closed.day, 1 AS lines, closed.debit, closed.credit, closed.closing_debit,
           closed.closing_credit
      FROM (${closedDays(group, month)}) AS closed
      JOIN account ON account.id = closed.account_id AND account.account_type = 'A'
     WHERE closed.day <= ${to}`;
}

/** Base balances summed over branches, of summary accounts too. */
export async function selectBaseBalances(sql: Sql, branches: BranchSet): Promise<Map<AccountId, Centavos>> {
  const rows = await sql.rows<{ accountId: AccountId; balance: string }>(SQL`
    SELECT node.id AS "accountId", sum(base.balance)::numeric(20,2) AS balance
      FROM (${openingLeaves(branches, null)}) AS base
      ${rollUp('base')}
     GROUP BY node.id`);
  return new Map(rows.map(({ accountId, balance }) => [accountId, centavosFromSql(balance)]));
}

/** NUMERIC texts of a row as amounts. */
export function movementFromSql(row: MovementRow): Movement {
  const [closingDebit, closingCredit] = [centavosFromSql(row.closingDebit), centavosFromSql(row.closingCredit)];
  return {
    opening: centavosFromSql(row.opening),
    debit: centavosFromSql(row.debit),
    credit: centavosFromSql(row.credit),
    closing: closingDebit - closingCredit,
    closingDebit,
    closingCredit,
  };
}
