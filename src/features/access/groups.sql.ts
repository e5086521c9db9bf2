import type { Sql } from '../../platform/database/sql.ts';

export interface GroupFields {
  readonly code: string | undefined;
  readonly name: string;
  readonly description: string | undefined;
  readonly active: boolean;
}

export async function insertGroup(sql: Sql, group: GroupFields): Promise<number> {
  const row = await sql.one<{ id: number }>({
    text: `INSERT INTO user_group (code, name, description, active) VALUES ($1, $2, $3, $4) RETURNING user_group.id`,
    values: [group.code ?? null, group.name, group.description ?? null, group.active],
  });
  return row.id;
}

export async function updateGroup(sql: Sql, id: number, group: GroupFields): Promise<void> {
  await sql.run({
    text: `UPDATE user_group SET code = $2, name = $3, description = $4, active = $5, updated_at = now()
            WHERE user_group.id = $1`,
    values: [id, group.code ?? null, group.name, group.description ?? null, group.active],
  });
}

/** Held against other changes of the group and its members. */
export function lockGroup(sql: Sql, id: number): Promise<number> {
  return sql.run({ text: 'SELECT 1 FROM user_group WHERE user_group.id = $1 FOR UPDATE', values: [id] });
}

export async function replaceMembers(sql: Sql, groupId: number, userIds: readonly number[]): Promise<void> {
  await sql.run({ text: 'DELETE FROM group_member WHERE group_member.group_id = $1', values: [groupId] });
  await sql.run({
    text: `INSERT INTO group_member (group_id, user_id) SELECT DISTINCT $1::bigint, member.id FROM unnest($2::bigint[]) AS member (id)`,
    values: [groupId, [...userIds]],
  });
}

export interface GroupPermission {
  readonly companyId: number;
  readonly branchId: number | null;
}

export async function replaceGroupPermissions(
  sql: Sql,
  groupId: number,
  permissions: readonly GroupPermission[],
): Promise<void> {
  await sql.run({ text: 'DELETE FROM group_permission WHERE group_permission.group_id = $1', values: [groupId] });
  await sql.run({
    text: `INSERT INTO group_permission (group_id, company_id, branch_id)
           SELECT $1, granted.company_id, granted.branch_id
             FROM unnest($2::bigint[], $3::bigint[]) AS granted (company_id, branch_id)
           ON CONFLICT DO NOTHING`,
    values: [groupId, permissions.map((each) => each.companyId), permissions.map((each) => each.branchId)],
  });
}

/** Ids among these that no user has. */
export async function selectUnknownUsers(sql: Sql, ids: readonly number[]): Promise<number[]> {
  const rows = await sql.rows<{ id: number }>({
    text: `SELECT asked.id FROM unnest($1::bigint[]) AS asked (id)
            WHERE NOT EXISTS (SELECT 1 FROM app_user WHERE app_user.id = asked.id)`,
    values: [[...ids]],
  });
  return rows.map((row) => row.id);
}

export async function deleteGroupRow(sql: Sql, id: number): Promise<void> {
  await sql.run({ text: 'DELETE FROM user_group WHERE user_group.id = $1', values: [id] });
}
