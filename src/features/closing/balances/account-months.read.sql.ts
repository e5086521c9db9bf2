import type { AccountId, ChartId } from '../../../accounting/ids.ts';
import { type Centavos, centavosFromSql } from '../../../accounting/money.ts';
import { BEFORE_ALL_DAYS, type Day, firstDay, type Month, monthOfDay, monthRange } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';
import { BOOKS_COLUMNS } from '../../master-data/companies/books.read.sql.ts';
import { movementSums, subtreeLeaves } from './balance-rules.sql.ts';
import { lastClosed, type MonthAmounts, movementFromSql } from './balances.read.sql.ts';

/** What is known of one account of a branch up to a month. */
export interface AccountMonths {
  readonly chartId: ChartId | null;
  /** null when the account is not in the branch's chart. */
  readonly code: string | null;
  readonly baseMonth: Month;
  /** The last closed month up to the last one asked. */
  readonly closed: Month | null;
  /** Those of the months asked that have a row. */
  readonly stored: readonly MonthAmounts[];
  /** Movements of the months after the last closed one; their openings are nothing. */
  readonly open: readonly MonthAmounts[];
  /** At the end of the last closed month, or the base balance before the first. */
  readonly baseline: Centavos;
}

/** Month, opening, debit, credit, debit and credit of closing entries: days and NUMERIC texts. */
type AmountsOfMonth = readonly [Day, string, string, string, string, string];

/**
 * Undefined while the branch has no options. One statement, so that it has one moment without a transaction around it:
 * what a request costs here is mostly the messages between two processes. Lines are found month by month and account by
 * account, so that no statistics can lead elsewhere; OFFSET 0 keeps it so.
 */
export async function selectAccountMonths(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  accountId: AccountId,
  from: Month,
  to: Month,
): Promise<AccountMonths | undefined> {
  const row = await sql.maybe<
    Omit<AccountMonths, 'stored' | 'open' | 'baseline'> & {
      stored: readonly AmountsOfMonth[] | null;
      open: readonly AmountsOfMonth[] | null;
      baseline: string | null;
    }
  >(SQL.named('account-months')`
    SELECT ${BOOKS_COLUMNS}, asked.code, to_char(nullif(closed.month, ${BEFORE_ALL_DAYS}), 'YYYY-MM') AS closed,
           (SELECT json_agg(json_build_array(monthly_balance.month, monthly_balance.opening::text,
                                             monthly_balance.debit::text, monthly_balance.credit::text,
                                             monthly_balance.closing_debit::text, monthly_balance.closing_credit::text))
              FROM monthly_balance
             WHERE monthly_balance.company_id = ${companyId} AND monthly_balance.branch_id = ${branchId}
               AND monthly_balance.account_id = ${accountId}
               AND monthly_balance.month = ANY (${monthRange(from, to).map(firstDay)}::date[])) AS stored,
           (SELECT json_agg(json_build_array(month.month, '0', moved.debit::text, moved.credit::text,
                                             moved.closing_debit::text, moved.closing_credit::text)
                            ORDER BY month.month)
              FROM month
             CROSS JOIN LATERAL (
                   SELECT ${movementSums()}
                     FROM (${subtreeLeaves(accountId)}) AS leaf
                    CROSS JOIN LATERAL (
                          SELECT entry_line.side, entry_line.amount, entry_line.closing
                            FROM entry_line
                           WHERE entry_line.company_id = ${companyId} AND entry_line.branch_id = ${branchId}
                             AND entry_line.month = month.month AND entry_line.account_id = leaf.id
                          OFFSET 0) AS entry_line) AS moved
             WHERE month.company_id = ${companyId} AND month.branch_id = ${branchId}
               AND month.month > closed.month AND month.month <= ${firstDay(to)}) AS open,
           CASE closed.month
             WHEN ${BEFORE_ALL_DAYS} THEN
               (SELECT sum(base_balance.balance)
                  FROM (${subtreeLeaves(accountId)}) AS leaf
                  JOIN base_balance ON base_balance.account_id = leaf.id
                 WHERE base_balance.company_id = ${companyId} AND base_balance.branch_id = ${branchId})
             ELSE
               (SELECT monthly_balance.balance
                  FROM monthly_balance
                 WHERE monthly_balance.company_id = ${companyId} AND monthly_balance.branch_id = ${branchId}
                   AND monthly_balance.month = closed.month AND monthly_balance.account_id = ${accountId})
           END AS baseline
      FROM company_options
      LEFT JOIN account AS asked ON asked.chart_id = company_options.chart_id AND asked.id = ${accountId}
     CROSS JOIN LATERAL (${lastClosed({ companyId, branchId }, to)}) AS closed
     WHERE company_options.company_id = ${companyId} AND company_options.branch_id = ${branchId}`);
  return (
    row && {
      ...row,
      stored: (row.stored ?? []).map(monthAmountsOf),
      open: (row.open ?? []).map(monthAmountsOf),
      baseline: row.baseline === null ? 0n : centavosFromSql(row.baseline),
    }
  );
}

function monthAmountsOf([day, opening, debit, credit, closingDebit, closingCredit]: AmountsOfMonth): MonthAmounts {
  return { month: monthOfDay(day), ...movementFromSql({ opening, debit, credit, closingDebit, closingCredit }) };
}
