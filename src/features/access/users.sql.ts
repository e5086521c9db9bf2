import type { Sql } from '../../platform/database/sql.ts';
import type { Identity } from './identity.ts';

export interface UserFields {
  readonly username: string;
  readonly name: string;
  readonly email: string | undefined;
  readonly active: boolean;
  readonly expiresAt: Date | undefined;
  readonly admin: boolean;
}

export async function insertUser(sql: Sql, user: UserFields, passwordHash: string | null): Promise<number> {
  const { id } = await sql.one<{ id: number }>({
    text: `INSERT INTO app_user (username, name, email, active, expires_at, admin, password_hash)
           VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING app_user.id`,
    values: [user.username, user.name, user.email, user.active, user.expiresAt, user.admin, passwordHash],
  });
  return id;
}

/** The first administrator; false when the name is taken. */
export async function insertAdministrator(sql: Sql, username: string, passwordHash: string): Promise<boolean> {
  const inserted = await sql.run({
    text: `INSERT INTO app_user (username, name, admin, password_hash) VALUES ($1, $2, true, $3)
           ON CONFLICT (username_key) DO NOTHING`,
    values: [username, 'Administrador', passwordHash],
  });
  return inserted === 1;
}

/** Deactivated or made active again, tokens end; so they do when a user whose time was over gets a new end. */
export async function updateUserRow(sql: Sql, id: number, user: UserFields): Promise<void> {
  await sql.run({
    text: `UPDATE app_user SET username = $2, name = $3, email = $4, active = $5, expires_at = $6, admin = $7,
                               credential_version = app_user.credential_version
                                 + (app_user.active <> $5 OR (app_user.expires_at <= now()
                                                              AND app_user.expires_at IS DISTINCT FROM $6))::integer,
                               updated_at = now()
            WHERE app_user.id = $1`,
    values: [id, user.username, user.name, user.email, user.active, user.expiresAt, user.admin],
  });
}

/** The tokens end with the old password. */
export async function updatePassword(sql: Sql, id: number, passwordHash: string, changedAt: Date): Promise<void> {
  await sql.run({
    text: `UPDATE app_user SET password_hash = $2, password_changed_at = $3, updated_at = now(),
                               credential_version = app_user.credential_version + 1
            WHERE app_user.id = $1`,
    values: [id, passwordHash, changedAt],
  });
}

/** No token made until now is valid any more. */
export async function endTokens(sql: Sql, id: number): Promise<void> {
  await sql.run({
    text: 'UPDATE app_user SET credential_version = app_user.credential_version + 1 WHERE app_user.id = $1',
    values: [id],
  });
}

/** Holds the user against changes by others. */
export function lockUser(sql: Sql, id: number): Promise<number> {
  return sql.run({ text: 'SELECT 1 FROM app_user WHERE app_user.id = $1 FOR UPDATE', values: [id] });
}

export interface Administrator {
  readonly id: number;
  readonly expiresAt: Date | null;
}

/**
 * The active administrators, all held, so that two of them cannot take the right from each other at the same time.
 */
export function lockAdministrators(sql: Sql): Promise<Administrator[]> {
  return sql.rows<Administrator>({
    text: `SELECT app_user.id, app_user.expires_at AS "expiresAt"
             FROM app_user WHERE app_user.admin AND app_user.active ORDER BY app_user.id FOR UPDATE`,
  });
}

export interface PermissionIds {
  readonly companyId: number;
  readonly branchId: number | null;
}

export async function replacePermissions(
  sql: Sql,
  userId: number,
  permissions: readonly PermissionIds[],
): Promise<void> {
  await sql.run({ text: 'DELETE FROM user_permission WHERE user_permission.user_id = $1', values: [userId] });
  await sql.run({
    text: `INSERT INTO user_permission (user_id, company_id, branch_id)
           SELECT $1, granted.company_id, granted.branch_id
             FROM unnest($2::bigint[], $3::bigint[]) AS granted (company_id, branch_id)
           ON CONFLICT DO NOTHING`,
    values: [userId, permissions.map((each) => each.companyId), permissions.map((each) => each.branchId)],
  });
}

/** Whether the identity was free. */
export async function insertIdentity(sql: Sql, userId: number, identity: Identity): Promise<boolean> {
  const inserted = await sql.run({
    text: `INSERT INTO user_identity (user_id, provider, claim, subject) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
    values: [userId, identity.provider, identity.claim, identity.subject],
  });
  return inserted === 1;
}

/** A unique violation says that another user has one of them. */
export async function replaceIdentities(sql: Sql, userId: number, identities: readonly Identity[]): Promise<void> {
  await sql.run({ text: 'DELETE FROM user_identity WHERE user_identity.user_id = $1', values: [userId] });
  await sql.run({
    text: `INSERT INTO user_identity (user_id, provider, claim, subject)
           SELECT $1, linked.provider, linked.claim, linked.subject
             FROM unnest($2::text[], $3::text[], $4::text[]) AS linked (provider, claim, subject)`,
    values: [
      userId,
      identities.map((each) => each.provider),
      identities.map((each) => each.claim),
      identities.map((each) => each.subject),
    ],
  });
}
