import type { Sql } from '../../platform/database/sql.ts';
import { SQL } from '../../platform/database/statement.ts';

export interface GroupRow {
  readonly id: number;
  readonly code: string | null;
  readonly name: string;
  readonly description: string | null;
  /** Ids of the members. */
  readonly users: readonly number[];
  /** What its members can access through it; without branch, the company as a whole. */
  readonly companies: readonly { readonly company: string; readonly branch: string | null }[];
  readonly active: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const GROUP_COLUMNS = SQL`user_group.id, user_group.code, user_group.name, user_group.description, user_group.active,
  ARRAY(SELECT group_member.user_id FROM group_member WHERE group_member.group_id = user_group.id ORDER BY 1) AS users,
  coalesce((SELECT jsonb_agg(jsonb_build_object('company', company.code, 'branch', branch.code)
                             ORDER BY natural_sort_key(company.code), natural_sort_key(branch.code) NULLS FIRST)
              FROM group_permission
              JOIN company ON company.id = group_permission.company_id
              LEFT JOIN branch ON branch.company_id = group_permission.company_id
               AND branch.id = group_permission.branch_id
             WHERE group_permission.group_id = user_group.id), '[]') AS companies,
  user_group.created_at AS "createdAt", user_group.updated_at AS "updatedAt"`;

/** All groups, or those that the user is a member of. */
export function selectGroups(sql: Sql, memberId: number | undefined): Promise<GroupRow[]> {
  return sql.rows<GroupRow>(SQL`
    SELECT ${GROUP_COLUMNS} FROM user_group
     WHERE ${memberId ?? null}::bigint IS NULL
        OR EXISTS (SELECT 1 FROM group_member
                    WHERE group_member.group_id = user_group.id AND group_member.user_id = ${memberId ?? null})
     ORDER BY user_group.name`);
}

/** undefined also for a group that `memberId`, where given, is no member of. */
export function selectGroup(sql: Sql, id: number, memberId?: number): Promise<GroupRow | undefined> {
  return sql.maybe<GroupRow>(SQL`
    SELECT ${GROUP_COLUMNS} FROM user_group
     WHERE user_group.id = ${id}
       AND (${memberId ?? null}::bigint IS NULL
            OR EXISTS (SELECT 1 FROM group_member
                        WHERE group_member.group_id = user_group.id AND group_member.user_id = ${memberId ?? null}))`);
}
