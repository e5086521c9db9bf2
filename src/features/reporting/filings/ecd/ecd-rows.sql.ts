import type { BranchId, ChartId, CompanyId } from '../../../../accounting/ids.ts';
import { type Month, monthNumberOf, yearOf } from '../../../../accounting/period.ts';
import { type Fragment, SQL } from '../../../../platform/database/statement.ts';

/** Whose rows a file is made of. */
export interface EcdRows {
  readonly companyId: CompanyId;
  readonly chartId: ChartId;
  readonly branchIds: readonly BranchId[];
  readonly from: Month;
  readonly to: Month;
  /** Branches are cost centres and stand apart. */
  readonly byBranch: boolean;
}

// All values stand in the text: COPY takes no parameters.

/** Rows of the file's branches. */
export function ofCompany({ companyId, branchIds }: EcdRows, table: string): Fragment {
  const [company, branch] = [SQL.identifier(`${table}.company_id`), SQL.identifier(`${table}.branch_id`)];
  return SQL`${company} = ${SQL.integer(companyId)} AND ${branch} = ANY (ARRAY[${SQL.join(branchIds.map(SQL.integer))}]::bigint[])`;
}

/** The first day of a month. */
export function monthDate(month: Month): Fragment {
  return SQL`make_date(${SQL.integer(yearOf(month))}, ${SQL.integer(monthNumberOf(month))}, 1)`;
}
