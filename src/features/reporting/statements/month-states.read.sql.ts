import type { BranchId } from '../../../accounting/ids.ts';
import { type Day, firstDay, type Month, monthOfDay } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import { rowsOf } from '../../closing/balances/balance-rules.sql.ts';
import { branchesOf, type ReportedBooks } from '../../master-data/companies/institution.ts';
import { type Moment, momentText } from './printed-names.read.sql.ts';

/** An opened month of a branch. */
export interface BranchMonth {
  readonly branchId: BranchId;
  readonly month: Month;
  readonly state: 'OPEN' | 'CLOSED';
  readonly archived: boolean;
  readonly closedAt: Moment | null;
  /** Its result has been closed: on its last day there are closing entries, unless they were archived. */
  readonly hasClosing: boolean;
}

/** Months that any branch of the books has opened, in their order, and how many have. */
export function selectOpenedMonths(
  sql: Sql,
  books: ReportedBooks,
): Promise<{ readonly month: Month; readonly branches: number }[]> {
  return sql.rows(SQL`
    SELECT to_char(month.month, 'YYYY-MM') AS month, count(*)::int AS branches
      FROM month
     WHERE ${rowsOf('month', branchesOf(books))}
     GROUP BY month.month ORDER BY month.month`);
}

/** The opened months of a span of days, of each branch of the books. */
export function selectMonthStates(sql: Sql, books: ReportedBooks, from: Day, to: Day): Promise<BranchMonth[]> {
  const branches = branchesOf(books);
  const named = SQL.named('branchIds' in branches ? 'month-states-of-branches' : 'month-states');
  return sql.rows<BranchMonth>(named`
    SELECT month.branch_id AS "branchId", to_char(month.month, 'YYYY-MM') AS month, month.state, month.archived,
           ${momentText('month.closed_at')} AS "closedAt",
           EXISTS (SELECT 1 FROM batch
                    WHERE batch.company_id = ${branches.companyId} AND batch.branch_id = month.branch_id
                      AND batch.month = month.month AND batch.closing) AS "hasClosing"
      FROM month
     WHERE ${rowsOf('month', branches)} AND month.month BETWEEN ${firstDay(monthOfDay(from))} AND ${to}
     ORDER BY month.month`);
}
