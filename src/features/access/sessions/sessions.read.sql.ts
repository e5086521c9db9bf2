import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import { offsetOf, type PageRequest } from '../../../platform/page-request.ts';

export interface SessionRow {
  readonly id: number;
  readonly userId: number;
  readonly username: string;
  readonly name: string;
  readonly how: string;
  readonly address: string;
  readonly agent: string;
  readonly createdAt: Date;
  readonly usedAt: Date;
}

export interface SessionFilter {
  /** Of one user; of everybody without. */
  readonly userId: number | undefined;
  /** Older ones have ended, though they may not be removed yet. */
  readonly createdAfter: Date;
  readonly usedAfter: Date;
}

const filtered = ({ userId = undefined, createdAfter, usedAfter }: SessionFilter) => SQL`
  console_session JOIN app_user ON app_user.id = console_session.user_id
   AND app_user.credential_version = console_session.credential_version AND app_user.active
 WHERE (${userId ?? null}::bigint IS NULL OR console_session.user_id = ${userId ?? null})
   AND console_session.created_at > ${createdAfter} AND console_session.used_at > ${usedAfter}`;

/** The sessions that are open, those used last first. */
export function selectSessions(sql: Sql, filter: SessionFilter, slice: PageRequest): Promise<SessionRow[]> {
  return sql.rows<SessionRow>(SQL`
    SELECT console_session.id, console_session.user_id AS "userId", app_user.username, app_user.name,
           console_session.how, console_session.address, console_session.agent,
           console_session.created_at AS "createdAt", console_session.used_at AS "usedAt"
      FROM ${filtered(filter)}
     ORDER BY console_session.used_at DESC, console_session.id DESC
     LIMIT ${slice.size} OFFSET ${offsetOf(slice)}`);
}

export async function countSessions(sql: Sql, filter: SessionFilter): Promise<number> {
  const { count } = await sql.one<{ count: number }>(SQL`SELECT count(*) AS count FROM ${filtered(filter)}`);
  return count;
}

export interface ReachedBranch {
  readonly company: string;
  readonly companyName: string;
  readonly branch: string | null;
  readonly branchName: string | null;
}

/** The companies of the scope with those of their branches that it reaches, by code. */
export function selectReachedBranches(sql: Sql, limit: number): Promise<ReachedBranch[]> {
  return sql.rows<ReachedBranch>(SQL`
    SELECT company.code AS company, company.name AS "companyName", branch.code AS branch, branch.name AS "branchName"
      FROM company
      LEFT JOIN branch ON branch.company_id = company.id AND can_access(branch.company_id, branch.id)
     ORDER BY natural_sort_key(company.code), natural_sort_key(branch.code)
     LIMIT ${limit}`);
}
