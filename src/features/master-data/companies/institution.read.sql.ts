import type { BranchId, ChartId, CompanyId } from '../../../accounting/ids.ts';
import type { Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';

/** A branch of a company, as it may be part of the institution. */
export interface CandidateRow {
  readonly branchId: BranchId;
  readonly branch: string;
  readonly headOffice: boolean;
  /** null while the branch has no options. */
  readonly chartId: ChartId | null;
  readonly chart: string | null;
  readonly baseMonth: Month | null;
  /** It keeps the books of a fund. */
  readonly fund: boolean;
  /** The caller's permission reaches it. */
  readonly accessible: boolean;
}

/** All branches of a company in the order of their codes. */
export function selectCandidates(sql: Sql, companyId: CompanyId): Promise<CandidateRow[]> {
  return sql.rows<CandidateRow>(SQL`
    SELECT branch.id AS "branchId", branch.code AS branch, branch.head_office AS "headOffice",
           company_options.chart_id AS "chartId", chart.code AS chart,
           to_char(company_options.base_month, 'YYYY-MM') AS "baseMonth",
           EXISTS (SELECT 1 FROM fund_settings WHERE fund_settings.company_id = branch.company_id
                      AND fund_settings.branch_id = branch.id) AS fund,
           can_access(branch.company_id, branch.id) AS accessible
      FROM branch
      LEFT JOIN company_options ON company_options.company_id = branch.company_id
       AND company_options.branch_id = branch.id
      LEFT JOIN chart ON chart.id = company_options.chart_id
     WHERE branch.company_id = ${companyId}
     ORDER BY natural_sort_key(branch.code)`);
}
