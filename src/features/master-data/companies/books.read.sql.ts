import type { ChartId } from '../../../accounting/ids.ts';
import type { Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';

/** The chart that a branch posts to, and the first month of its books. */
export interface Books {
  readonly chartId: ChartId;
  readonly baseMonth: Month;
}

export const BOOKS_COLUMNS = SQL`company_options.chart_id AS "chartId",
  to_char(company_options.base_month, 'YYYY-MM') AS "baseMonth"`;

/** Undefined while the branch has no options. */
export function selectBooks(sql: Sql, { companyId, branchId }: BranchKey): Promise<Books | undefined> {
  return sql.maybe<Books>(SQL.named('books-of-branch')`
    SELECT ${BOOKS_COLUMNS} FROM company_options
     WHERE company_options.company_id = ${companyId} AND company_options.branch_id = ${branchId}`);
}
