import type { BranchId, CompanyId } from '../../accounting/ids.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { SQL } from '../../platform/database/statement.ts';

export interface GroupFields {
  readonly code: string | undefined;
  readonly name: string;
  readonly description: string | undefined;
  readonly active: boolean;
}

export async function insertGroup(sql: Sql, group: GroupFields): Promise<number> {
  const row = await sql.one<{ id: number }>(SQL`
    INSERT INTO user_group (code, name, description, active)
    VALUES (${group.code ?? null}, ${group.name}, ${group.description ?? null}, ${group.active})
    RETURNING user_group.id`);
  return row.id;
}

export async function updateGroup(sql: Sql, id: number, group: GroupFields): Promise<void> {
  await sql.run(SQL`
    UPDATE user_group SET code = ${group.code ?? null}, name = ${group.name},
                          description = ${group.description ?? null}, active = ${group.active}, updated_at = now()
     WHERE user_group.id = ${id}`);
}

/** Locks the group row against concurrent changes of the group and its members. */
export function lockGroup(sql: Sql, id: number): Promise<number> {
  return sql.run(SQL`SELECT 1 FROM user_group WHERE user_group.id = ${id} FOR UPDATE`);
}

export async function replaceMembers(sql: Sql, groupId: number, userIds: readonly number[]): Promise<void> {
  await sql.run(SQL`DELETE FROM group_member WHERE group_member.group_id = ${groupId}`);
  await sql.run(SQL`
    INSERT INTO group_member (group_id, user_id) SELECT DISTINCT ${groupId}::bigint,
      member.id FROM unnest(${userIds}::bigint[]) AS member (id)`);
}

export interface GroupPermission {
  readonly companyId: CompanyId;
  readonly branchId: BranchId | null;
}

export async function replaceGroupPermissions(
  sql: Sql,
  groupId: number,
  permissions: readonly GroupPermission[],
): Promise<void> {
  await sql.run(SQL`DELETE FROM group_permission WHERE group_permission.group_id = ${groupId}`);
  await sql.run(SQL`
    INSERT INTO group_permission (group_id, company_id, branch_id)
    SELECT ${groupId}, granted.company_id, granted.branch_id
      FROM unnest(${permissions.map((each) => each.companyId)}::bigint[],
        ${permissions.map((each) => each.branchId)}::bigint[]) AS granted (company_id, branch_id)
    ON CONFLICT DO NOTHING`);
}

/** Ids among these that no user has. */
export async function selectUnknownUsers(sql: Sql, ids: readonly number[]): Promise<number[]> {
  const rows = await sql.rows<{ id: number }>(SQL`
    SELECT asked.id FROM unnest(${ids}::bigint[]) AS asked (id)
     WHERE NOT EXISTS (SELECT 1 FROM app_user WHERE app_user.id = asked.id)`);
  return rows.map((row) => row.id);
}

export async function deleteGroupRow(sql: Sql, id: number): Promise<void> {
  await sql.run(SQL`DELETE FROM user_group WHERE user_group.id = ${id}`);
}
