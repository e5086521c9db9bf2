import type { Month } from '../../accounting/period.ts';
import type { Sql } from '../../platform/sql.ts';

export interface BranchMonths {
  /** From the branch's options; null when it has none. */
  readonly baseMonth: Month | null;
  readonly lastOpened: Month | null;
  readonly lastConsolidated: Month | null;
  readonly firstOpen: Month | null;
  readonly lastOpen: Month | null;
}

/** Where the branch's months stand. */
export function selectBranchMonths(sql: Sql, companyId: number, branchId: number): Promise<BranchMonths> {
  return sql.one<BranchMonths>({
    text: `SELECT to_char((SELECT company_options.base_month FROM company_options
                            WHERE company_options.company_id = $1 AND company_options.branch_id = $2), 'YYYY-MM')
                    AS "baseMonth",
                  to_char(max(month.month), 'YYYY-MM') AS "lastOpened",
                  to_char(max(month.month) FILTER (WHERE month.state = 'CONSOLIDATED'), 'YYYY-MM') AS "lastConsolidated",
                  to_char(min(month.month) FILTER (WHERE month.state = 'OPEN'), 'YYYY-MM') AS "firstOpen",
                  to_char(max(month.month) FILTER (WHERE month.state = 'OPEN'), 'YYYY-MM') AS "lastOpen"
             FROM month
            WHERE month.company_id = $1 AND month.branch_id = $2`,
    values: [companyId, branchId],
  });
}
