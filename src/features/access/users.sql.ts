import type { BranchId, CompanyId } from '../../accounting/ids.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { type Row, SQL } from '../../platform/database/statement.ts';
import type { Identity } from './identity.ts';

export interface UserFields {
  readonly username: string;
  readonly name: string;
  readonly email: string | undefined;
  readonly active: boolean;
  readonly expiresAt: Date | undefined;
  readonly admin: boolean;
}

function columnsOf(user: UserFields): Row {
  return {
    username: user.username,
    name: user.name,
    email: user.email ?? null,
    active: user.active,
    expires_at: user.expiresAt ?? null,
    admin: user.admin,
  };
}

export async function insertUser(sql: Sql, user: UserFields, passwordHash: string | null): Promise<number> {
  const { id } = await sql.one<{ id: number }>(SQL`
    INSERT INTO app_user (${SQL.columns(columnsOf(user))}, password_hash)
    VALUES (${SQL.values(columnsOf(user))}, ${passwordHash}) RETURNING app_user.id`);
  return id;
}

/** A machine's user; the caller adds what only machines have. */
export async function insertServiceUser(sql: Sql, user: UserFields): Promise<number> {
  const { id } = await sql.one<{ id: number }>(SQL`
    INSERT INTO app_user (${SQL.columns(columnsOf(user))}, kind)
    VALUES (${SQL.values(columnsOf(user))}, 'SERVICE') RETURNING app_user.id`);
  return id;
}

/** The first administrator; false when the name is taken. */
export async function insertAdministrator(sql: Sql, username: string, passwordHash: string): Promise<boolean> {
  const inserted = await sql.run(SQL`
    INSERT INTO app_user (username, name, admin, password_hash)
    VALUES (${username}, 'Administrador', true, ${passwordHash})
    ON CONFLICT (username_key) DO NOTHING`);
  return inserted === 1;
}

/** Deactivation, reactivation and a new end of an expired user revoke the tokens. */
export async function updateUserRow(sql: Sql, id: number, user: UserFields): Promise<void> {
  await sql.run(SQL`
    UPDATE app_user SET ${SQL.assignments(columnsOf(user))},
                        credential_version = app_user.credential_version
                          + (app_user.active <> ${user.active} OR ((app_user.expires_at <= now()) IS TRUE
                                                       AND app_user.expires_at IS DISTINCT FROM ${user.expiresAt ?? null}))::integer,
                        updated_at = now()
     WHERE app_user.id = ${id}`);
}

/** The tokens end with the old password. */
export async function updatePassword(sql: Sql, id: number, passwordHash: string, changedAt: Date): Promise<void> {
  await sql.run(SQL`
    UPDATE app_user SET password_hash = ${passwordHash}, password_changed_at = ${changedAt}, updated_at = now(),
                        credential_version = app_user.credential_version + 1
     WHERE app_user.id = ${id}`);
}

/** No token made until now is valid any more. */
export async function endTokens(sql: Sql, id: number): Promise<void> {
  await sql.run(
    SQL`UPDATE app_user SET credential_version = app_user.credential_version + 1 WHERE app_user.id = ${id}`,
  );
}

/** Locks the user's row. */
export function lockUser(sql: Sql, id: number): Promise<number> {
  return sql.run(SQL`SELECT 1 FROM app_user WHERE app_user.id = ${id} FOR UPDATE`);
}

export interface Administrator {
  readonly id: number;
  readonly expiresAt: Date | null;
}

/** Locks all active administrators, so that two of them cannot remove each other's right concurrently. */
export function lockAdministrators(sql: Sql): Promise<Administrator[]> {
  return sql.rows<Administrator>(SQL`
    SELECT app_user.id, app_user.expires_at AS "expiresAt"
      FROM app_user WHERE app_user.admin AND app_user.active ORDER BY app_user.id FOR UPDATE`);
}

export interface PermissionIds {
  readonly companyId: CompanyId;
  readonly branchId: BranchId | null;
}

export async function replacePermissions(
  sql: Sql,
  userId: number,
  permissions: readonly PermissionIds[],
): Promise<void> {
  await sql.run(SQL`DELETE FROM user_permission WHERE user_permission.user_id = ${userId}`);
  await sql.run(SQL`
    INSERT INTO user_permission (user_id, company_id, branch_id)
    SELECT ${userId}, granted.company_id, granted.branch_id
      FROM unnest(${permissions.map((each) => each.companyId)}::bigint[],
        ${permissions.map((each) => each.branchId)}::bigint[]) AS granted (company_id, branch_id)
    ON CONFLICT DO NOTHING`);
}

/** Whether the identity was free. */
export async function insertIdentity(sql: Sql, userId: number, identity: Identity): Promise<boolean> {
  const inserted = await sql.run(SQL`
    INSERT INTO user_identity (user_id, provider, claim, subject)
    VALUES (${userId}, ${identity.provider}, ${identity.claim}, ${identity.subject}) ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

/** Throws a unique violation when another user has one of them. */
export async function replaceIdentities(sql: Sql, userId: number, identities: readonly Identity[]): Promise<void> {
  await sql.run(SQL`DELETE FROM user_identity WHERE user_identity.user_id = ${userId}`);
  await sql.run(SQL`
    INSERT INTO user_identity (user_id, provider, claim, subject)
    SELECT ${userId}, linked.provider, linked.claim, linked.subject
      FROM unnest(${identities.map((each) => each.provider)}::text[], ${identities.map((each) => each.claim)}::text[],
        ${identities.map((each) => each.subject)}::text[]) AS linked (provider, claim, subject)`);
}
