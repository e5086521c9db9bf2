import type { BlockingCode } from '../../../accounting/finding-code.ts';
import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import { firstDay, type Month } from '../../../accounting/period.ts';
import type { MonthState } from '../../../accounting/posting.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';

/** A branch as its checklist sees it. */
export interface ChecklistBranch {
  readonly branchId: BranchId;
  readonly branch: string;
  readonly name: string;
  readonly monthState: MonthState;
  readonly layout: 'COSIF' | 'CVM' | 'NONE';
  /** Its choice of what stops a month close; null: that of its layout. */
  readonly blockOn: readonly BlockingCode[] | null;
}

/** Branches of the company that the caller can access and that keep books, in the order of their codes, or one of them. */
export function selectChecklistBranches(
  sql: Sql,
  companyId: CompanyId,
  month: Month,
  limit: number,
  branchId: BranchId | null = null,
): Promise<ChecklistBranch[]> {
  return sql.rows<ChecklistBranch>(SQL`
    SELECT branch.id AS "branchId", branch.code AS branch, branch.name,
           coalesce(month.state, 'NOT_OPENED') AS "monthState",
           company_options.regulatory_layout AS layout, company_options.block_on AS "blockOn"
      FROM branch
      JOIN company_options ON company_options.company_id = branch.company_id AND company_options.branch_id = branch.id
      LEFT JOIN month ON month.company_id = branch.company_id AND month.branch_id = branch.id
       AND month.month = ${firstDay(month)}
     WHERE branch.company_id = ${companyId} AND (${branchId}::bigint IS NULL OR branch.id = ${branchId})
       AND can_access(branch.company_id, branch.id)
     ORDER BY natural_sort_key(branch.code), branch.id
     LIMIT ${limit}`);
}
