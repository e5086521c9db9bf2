import type { Sql } from '../../platform/sql.ts';

export interface NewHistory {
  readonly companyId: number | null;
  readonly branchId: number | null;
  readonly code: string;
  readonly description: string;
  readonly requiresComplement: boolean;
  readonly side: 'D' | 'C' | undefined;
  readonly active: boolean;
}

export interface ReachedBranch {
  readonly company: string;
  readonly branch: string;
  readonly companyId: number;
  readonly branchId: number;
}

/** The branches of these companies that the caller reaches. */
export function selectReachedBranches(sql: Sql, companies: readonly string[]): Promise<ReachedBranch[]> {
  return sql.rows<ReachedBranch>({
    text: `SELECT company.code AS company, branch.code AS branch, company.id AS "companyId", branch.id AS "branchId"
             FROM company
             JOIN branch ON branch.company_id = company.id
            WHERE company.code = ANY ($1::text[]) AND reaches(branch.company_id, branch.id)`,
    values: [[...companies]],
  });
}

/** Writes those whose code is free in their branch, or among everybody's; answers the keys of the written ones. */
export function insertHistories(
  sql: Sql,
  histories: readonly NewHistory[],
): Promise<{ branchId: number | null; code: string }[]> {
  return sql.rows({
    text: `INSERT INTO standard_history (company_id, branch_id, code, description, requires_complement, side, active)
           SELECT added."companyId", added."branchId", added.code, added.description, added."requiresComplement",
                  added.side, added.active
             FROM jsonb_to_recordset($1) AS added (
                  "companyId" bigint, "branchId" bigint, code text, description text, "requiresComplement" boolean,
                  side text, active boolean)
           ON CONFLICT DO NOTHING
           RETURNING standard_history.branch_id AS "branchId", standard_history.code`,
    values: [JSON.stringify(histories)],
  });
}
