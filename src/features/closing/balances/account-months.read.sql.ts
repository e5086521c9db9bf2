import type { AccountId, ChartId } from '../../../accounting/ids.ts';
import { type Centavos, centavosFromSql } from '../../../accounting/money.ts';
import { type Day, firstDay, type Month, monthOfDay, monthRange } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';
import { BOOKS_COLUMNS } from '../../master-data/companies/books.read.sql.ts';
import { movementSums, subtreeLeaves } from './balance-rules.sql.ts';
import { lastClosed, type MonthAmounts, movementFromSql, type UpToMonth, upToMonth } from './balances.read.sql.ts';

/** What is known of one account of a branch up to a month. */
export interface AccountMonths {
  readonly chartId: ChartId | null;
  /** null when the account is not in the branch's chart. */
  readonly code: string | null;
  readonly baseMonth: Month;
  /** The last closed month up to the last one asked. */
  readonly closed: Month | null;
  /** Of the months asked and of the last closed one, those that have a row. */
  readonly stored: readonly MonthAmounts[];
  /** Movements of the months after the last closed one; their openings are nothing. */
  readonly open: readonly MonthAmounts[];
  /** The base balance where no month is closed. */
  readonly base: Centavos;
}

/** Month, opening, debit, credit, debit and credit of closing entries: days and NUMERIC texts. */
type AmountsOfMonth = readonly [Day, string, string, string, string, string];

/**
 * One statement, so that it has one moment without a transaction around it, and each table in it but once or twice: it
 * is so quick that making its plan ready to run takes most of its time. Lines are found month by month and account by
 * account, so that no statistics can lead elsewhere; OFFSET 0 keeps it so.
 */
const ACCOUNT_MONTHS = SQL.prepared<UpToMonth & { accountId: AccountId; months: readonly Day[] }>(
  'account-months',
  (given) => SQL`
    WITH leaf AS MATERIALIZED (${subtreeLeaves(given.accountId)})
    SELECT ${BOOKS_COLUMNS}, asked.code, to_char(nullif(closed.month, ${given.beforeAll}), 'YYYY-MM') AS closed,
           (SELECT json_agg(json_build_array(monthly_balance.month, monthly_balance.opening::text,
                                             monthly_balance.debit::text, monthly_balance.credit::text,
                                             monthly_balance.closing_debit::text, monthly_balance.closing_credit::text))
              FROM monthly_balance
             WHERE monthly_balance.company_id = ${given.companyId} AND monthly_balance.branch_id = ${given.branchId}
               AND monthly_balance.account_id = ${given.accountId}
               AND monthly_balance.month = ANY (${given.months}::date[] || closed.month)) AS stored,
           (SELECT json_agg(json_build_array(month.month, '0', moved.debit::text, moved.credit::text,
                                             moved.closing_debit::text, moved.closing_credit::text)
                            ORDER BY month.month)
              FROM month
             CROSS JOIN LATERAL (
                   SELECT ${movementSums()}
                     FROM leaf
                    CROSS JOIN LATERAL (
                          SELECT entry_line.side, entry_line.amount, entry_line.closing
                            FROM entry_line
                           WHERE entry_line.company_id = ${given.companyId} AND entry_line.branch_id = ${given.branchId}
                             AND entry_line.month = month.month AND entry_line.account_id = leaf.id
                          OFFSET 0) AS entry_line) AS moved
             WHERE month.company_id = ${given.companyId} AND month.branch_id = ${given.branchId}
               AND month.month > closed.month AND month.month <= ${given.to}) AS open,
           CASE closed.month WHEN ${given.beforeAll} THEN
             (SELECT sum(base_balance.balance)
                FROM leaf
                JOIN base_balance ON base_balance.account_id = leaf.id
               WHERE base_balance.company_id = ${given.companyId} AND base_balance.branch_id = ${given.branchId})
           END AS base
      FROM company_options
      LEFT JOIN leaf AS asked ON asked.id = ${given.accountId} AND asked.chart_id = company_options.chart_id
     CROSS JOIN LATERAL (${lastClosed(given)}) AS closed
     WHERE company_options.company_id = ${given.companyId} AND company_options.branch_id = ${given.branchId}`,
);

/** What PostgreSQL puts together fastest of some rows: fields with commas between them, rows with semicolons. */
const MONTH_FIELDS = (table: string, opening: Fragment): Fragment => {
  const amounts = ['debit', 'credit', 'closing_debit', 'closing_credit'].map((name) =>
    SQL.identifier(`${table}.${name}`),
  );
  return SQL`string_agg(concat_ws(',', ${SQL.join([SQL.identifier(`${table}.month`), opening, ...amounts])}), ';')`;
};

/**
 * The same of an account that is posted to, in a branch that has closed a month: without accounts below and base
 * balances. Making the plan of these ready to run takes a third of the time, and JSON a tenth.
 */
const POSTING_ACCOUNT_MONTHS = SQL.prepared<UpToMonth & { accountId: AccountId; from: Day }>(
  'posting-account-months',
  (given) => SQL`
    SELECT ${BOOKS_COLUMNS}, account.code, account.account_type AS type,
           to_char(nullif(closed.month, ${given.beforeAll}), 'YYYY-MM') AS closed,
           (SELECT ${MONTH_FIELDS('monthly_balance', SQL`monthly_balance.opening`)}
              FROM monthly_balance
             WHERE monthly_balance.company_id = ${given.companyId} AND monthly_balance.branch_id = ${given.branchId}
               AND monthly_balance.account_id = ${given.accountId}
               AND monthly_balance.month BETWEEN least(${given.from}, closed.month) AND ${given.to}) AS stored,
           (SELECT ${MONTH_FIELDS('moved', SQL`'0'`)}
              FROM (SELECT month.month, sums.*
                      FROM month
                     CROSS JOIN LATERAL (
                           SELECT ${movementSums()}
                             FROM entry_line
                            WHERE entry_line.company_id = ${given.companyId}
                              AND entry_line.branch_id = ${given.branchId}
                              AND entry_line.month = month.month AND entry_line.account_id = ${given.accountId}) AS sums
                     WHERE month.company_id = ${given.companyId} AND month.branch_id = ${given.branchId}
                       AND month.month > closed.month AND month.month <= ${given.to}
                     ORDER BY month.month) AS moved) AS open
      FROM company_options
      LEFT JOIN account ON account.id = ${given.accountId} AND account.chart_id = company_options.chart_id
     CROSS JOIN LATERAL (${lastClosed(given)}) AS closed
     WHERE company_options.company_id = ${given.companyId} AND company_options.branch_id = ${given.branchId}`,
);

interface PostingAccountRow extends Omit<AccountMonths, 'stored' | 'open' | 'base'> {
  readonly type: 'S' | 'A' | null;
  readonly stored: string | null;
  readonly open: string | null;
}

/** Undefined while the branch has no options. */
export async function selectAccountMonths(
  sql: Sql,
  branch: BranchKey,
  accountId: AccountId,
  from: Month,
  to: Month,
): Promise<AccountMonths | undefined> {
  const row = await sql.maybe<PostingAccountRow>(
    POSTING_ACCOUNT_MONTHS({ ...upToMonth(branch, to), accountId, from: firstDay(from) }),
  );
  if (row === undefined) return undefined;
  if (row.type === 'S' || row.closed === null) return selectMonthsOfAnyAccount(sql, branch, accountId, from, to);
  return { ...row, stored: monthsOfText(row.stored), open: monthsOfText(row.open), base: 0n };
}

function monthsOfText(text: string | null): MonthAmounts[] {
  return text === null ? [] : text.split(';').map((row) => monthAmountsOf(row.split(',') as unknown as AmountsOfMonth));
}

async function selectMonthsOfAnyAccount(
  sql: Sql,
  branch: BranchKey,
  accountId: AccountId,
  from: Month,
  to: Month,
): Promise<AccountMonths | undefined> {
  const months = monthRange(from, to).map(firstDay);
  const row = await sql.maybe<
    Omit<AccountMonths, 'stored' | 'open' | 'base'> & {
      stored: readonly AmountsOfMonth[] | null;
      open: readonly AmountsOfMonth[] | null;
      base: string | null;
    }
  >(ACCOUNT_MONTHS({ ...upToMonth(branch, to), accountId, months }));
  return (
    row && {
      ...row,
      stored: (row.stored ?? []).map(monthAmountsOf),
      open: (row.open ?? []).map(monthAmountsOf),
      base: row.base === null ? 0n : centavosFromSql(row.base),
    }
  );
}

function monthAmountsOf([day, opening, debit, credit, closingDebit, closingCredit]: AmountsOfMonth): MonthAmounts {
  return { month: monthOfDay(day), ...movementFromSql({ opening, debit, credit, closingDebit, closingCredit }) };
}
