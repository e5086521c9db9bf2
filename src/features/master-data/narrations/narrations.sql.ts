import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';

export interface NewNarration {
  readonly companyId: CompanyId | null;
  readonly branchId: BranchId | null;
  readonly code: string;
  readonly description: string;
  readonly requiresComplement: boolean;
  readonly side: 'D' | 'C' | undefined;
  readonly active: boolean;
}

export interface ReachedBranch {
  readonly company: string;
  readonly branch: string;
  readonly companyId: CompanyId;
  readonly branchId: BranchId;
}

/** The branches of these companies that the caller can access. */
export function selectReachedBranches(sql: Sql, companies: readonly string[]): Promise<ReachedBranch[]> {
  return sql.rows<ReachedBranch>(SQL`
    SELECT company.code AS company, branch.code AS branch, company.id AS "companyId", branch.id AS "branchId"
      FROM company
      JOIN branch ON branch.company_id = company.id
     WHERE company.code = ANY (${companies}::text[]) AND can_access(branch.company_id, branch.id)`);
}

/** Writes those whose code is free in their branch, or among everybody's; returns the keys of the written ones. */
export function insertNarrations(
  sql: Sql,
  narrations: readonly NewNarration[],
): Promise<{ branchId: BranchId | null; code: string }[]> {
  return sql.rows(SQL`
    INSERT INTO standard_narration (company_id, branch_id, code, description, requires_complement, side, active)
    SELECT added."companyId", added."branchId", added.code, added.description, added."requiresComplement",
           added.side, added.active
      FROM jsonb_to_recordset(${JSON.stringify(narrations)}) AS added (
           "companyId" bigint, "branchId" bigint, code text, description text, "requiresComplement" boolean,
           side text, active boolean)
    ON CONFLICT DO NOTHING
    RETURNING standard_narration.branch_id AS "branchId", standard_narration.code`);
}

const NARRATION_USERS = ['closure settings', 'entry templates', 'documents', 'entries'] as const;
type NarrationUser = (typeof NARRATION_USERS)[number];

/**
 * What uses the narration, as text. A branch with its own narration of the same code uses that one. No index leads by
 * narration code: it would cost every posting, and narrations are rarely removed.
 */
export async function selectNarrationUse(sql: Sql, id: number): Promise<NarrationUser[]> {
  const named = (table: Fragment, column: Fragment) => SQL`EXISTS (
    SELECT 1 FROM ${table} JOIN reached ON reached.company_id = ${table}.company_id
    AND reached.branch_id = ${table}.branch_id
     WHERE ${table}.${column} = reached.code)`;
  const row = await sql.one<Readonly<Record<NarrationUser, boolean>>>(SQL`
    WITH reached AS MATERIALIZED (
      SELECT branch.company_id, branch.id AS branch_id, narration.code
        FROM standard_narration AS narration
        JOIN branch ON (narration.company_id IS NULL OR branch.company_id = narration.company_id)
         AND (narration.branch_id IS NULL OR branch.id = narration.branch_id)
       WHERE narration.id = ${id}
         AND NOT EXISTS (SELECT 1 FROM standard_narration AS own
                          WHERE own.company_id = branch.company_id AND own.branch_id = branch.id
                            AND own.code = narration.code AND own.id <> narration.id))
    SELECT ${named(SQL`closure_settings`, SQL`narration_code`)} AS "closure settings",
           ${named(SQL`entry_template`, SQL`narration_code`)} OR EXISTS (
             SELECT 1 FROM entry_template
               JOIN reached ON reached.company_id = entry_template.company_id
                AND reached.branch_id = entry_template.branch_id
              WHERE entry_template.lines @> jsonb_build_array(jsonb_build_object('narrationCode', reached.code))
           ) AS "entry templates",
           ${named(SQL`document`, SQL`standard_narration`)} AS documents,
           ${named(SQL`entry_line`, SQL`narration_code`)}
           OR ${named(SQL`entry_line_archive`, SQL`narration_code`)} AS entries`);
  return NARRATION_USERS.filter((user) => row[user]);
}
