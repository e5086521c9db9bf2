import type { Sql } from '../../../platform/database/sql.ts';

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

const HISTORY_USERS = ['closure settings', 'standard releases', 'documents', 'entries'] as const;
type HistoryUser = (typeof HISTORY_USERS)[number];

/**
 * What names the history, in words. A branch that has a history of the same code for itself means that one. No index
 * leads by history code: it would cost every posting, and histories are removed once in a blue moon.
 */
export async function selectHistoryUse(sql: Sql, id: number): Promise<HistoryUser[]> {
  const named = (table: string, column: string) => `EXISTS (
    SELECT 1 FROM ${table} JOIN reached ON reached.company_id = ${table}.company_id AND reached.branch_id = ${table}.branch_id
     WHERE ${table}.${column} = reached.code)`;
  const row = await sql.one<Readonly<Record<HistoryUser, boolean>>>({
    text: `WITH reached AS MATERIALIZED (
             SELECT branch.company_id, branch.id AS branch_id, history.code
               FROM standard_history AS history
               JOIN branch ON (history.company_id IS NULL OR branch.company_id = history.company_id)
                AND (history.branch_id IS NULL OR branch.id = history.branch_id)
              WHERE history.id = $1
                AND NOT EXISTS (SELECT 1 FROM standard_history AS own
                                 WHERE own.company_id = branch.company_id AND own.branch_id = branch.id
                                   AND own.code = history.code AND own.id <> history.id))
           SELECT ${named('closure_settings', 'history_code')} AS "closure settings",
                  ${named('standard_release', 'history_code')} OR EXISTS (
                    SELECT 1 FROM standard_release
                      JOIN reached ON reached.company_id = standard_release.company_id
                       AND reached.branch_id = standard_release.branch_id
                     WHERE standard_release.lines @> jsonb_build_array(jsonb_build_object('cdhistorico', reached.code))
                  ) AS "standard releases",
                  ${named('document', 'standard_history')} AS documents,
                  ${named('entry_line', 'history_code')} OR ${named('entry_line_history', 'history_code')} AS entries`,
    values: [id],
  });
  return HISTORY_USERS.filter((user) => row[user]);
}
