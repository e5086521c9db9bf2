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
export async function selectCandidates(sql: Sql, companyId: CompanyId): Promise<CandidateRow[]> {
  const branches = await sql.rows<Pick<CandidateRow, 'branchId' | 'branch' | 'headOffice' | 'accessible'>>(SQL`
    SELECT branch.id AS "branchId", branch.code AS branch, branch.head_office AS "headOffice",
           can_access(branch.company_id, branch.id) AS accessible
      FROM branch
     WHERE branch.company_id = ${companyId}
     ORDER BY natural_sort_key(branch.code)`);
  const options = await sql.rows<Pick<CandidateRow, 'branchId' | 'chartId' | 'chart' | 'baseMonth'>>(SQL`
    SELECT company_options.branch_id AS "branchId", company_options.chart_id AS "chartId", chart.code AS chart,
           to_char(company_options.base_month, 'YYYY-MM') AS "baseMonth"
      FROM company_options
      JOIN chart ON chart.id = company_options.chart_id
     WHERE company_options.company_id = ${companyId}`);
  const funds = await sql.rows<Pick<CandidateRow, 'branchId'>>(SQL`
    SELECT fund_settings.branch_id AS "branchId" FROM fund_settings WHERE fund_settings.company_id = ${companyId}`);
  const optionsOf = new Map(options.map((each) => [each.branchId, each]));
  const isFund = new Set(funds.map(({ branchId }) => branchId));
  return branches.map((branch) => ({
    ...{ chartId: null, chart: null, baseMonth: null, ...optionsOf.get(branch.branchId) },
    ...branch,
    fund: isFund.has(branch.branchId),
  }));
}
