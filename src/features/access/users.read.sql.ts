import type { Sql } from '../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../platform/database/statement.ts';
import { offsetOf, type PageRequest } from '../../platform/page-request.ts';
import type { UserSigningIn } from './credentials.sql.ts';
import { defaultClaim, type Identity } from './identity.ts';

/** A company of a user, or one branch of it, by the codes of the wire. */
export interface Permission {
  readonly company: string;
  readonly branch: string | null;
}

export interface UserRow {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly kind: 'PERSON' | 'SERVICE';
  readonly email: string | null;
  readonly active: boolean;
  readonly expiresAt: Date | null;
  readonly admin: boolean;
  /** The user's own; groups may add to them. */
  readonly permissions: readonly Permission[];
  readonly identities: readonly Identity[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const USER_COLUMNS = SQL`
  app_user.id, app_user.username, app_user.name, app_user.kind, app_user.email, app_user.active, app_user.expires_at AS "expiresAt",
  app_user.admin, app_user.created_at AS "createdAt", app_user.updated_at AS "updatedAt",
  coalesce((SELECT jsonb_agg(jsonb_build_object('company', company.code, 'branch', branch.code)
                             ORDER BY company.code, branch.code NULLS FIRST)
              FROM user_permission
              JOIN company ON company.id = user_permission.company_id
              LEFT JOIN branch ON branch.company_id = user_permission.company_id AND branch.id = user_permission.branch_id
             WHERE user_permission.user_id = app_user.id), '[]') AS permissions,
  coalesce((SELECT jsonb_agg(jsonb_build_object('provider', user_identity.provider, 'claim', user_identity.claim,
                                               'subject', user_identity.subject)
                             ORDER BY user_identity.provider, user_identity.claim, user_identity.subject)
              FROM user_identity
             WHERE user_identity.user_id = app_user.id), '[]') AS identities`;

export function selectUser(sql: Sql, id: number): Promise<UserRow | undefined> {
  return sql.maybe<UserRow>(SQL`SELECT ${USER_COLUMNS} FROM app_user WHERE app_user.id = ${id}`);
}

/** By the name that the user signs in with. */
export function selectUserByName(sql: Sql, username: string): Promise<UserRow | undefined> {
  return sql.maybe<UserRow>(
    SQL`SELECT ${USER_COLUMNS} FROM app_user WHERE app_user.username_key = username_key(${username})`,
  );
}

/** Users by name whose user name, name or e-mail holds the text. */
export function selectUsers(sql: Sql, search: string | undefined, slice: PageRequest): Promise<UserRow[]> {
  return sql.rows<UserRow>(SQL`
    SELECT ${USER_COLUMNS} FROM app_user
     WHERE ${matches(search)} ORDER BY lower(app_user.username), app_user.id
     LIMIT ${slice.size} OFFSET ${offsetOf(slice)}`);
}

export async function countUsers(sql: Sql, search: string | undefined): Promise<number> {
  const { count } = await sql.one<{ count: number }>(
    SQL`SELECT count(*) AS count FROM app_user WHERE ${matches(search)}`,
  );
  return count;
}

export function matches(search = ''): Fragment {
  return SQL`(${search} = '' OR strpos(lower(app_user.username), lower(${search})) > 0
              OR strpos(lower(app_user.name), lower(${search})) > 0
              OR strpos(lower(app_user.email), lower(${search})) > 0)`;
}

export interface GroupOfUser {
  readonly id: number;
  readonly name: string;
  readonly permissions: readonly Permission[];
}

/** The active groups of a user, with what its members inherit. */
export function selectGroupsOfUser(sql: Sql, userId: number): Promise<GroupOfUser[]> {
  return sql.rows<GroupOfUser>(SQL`
    SELECT user_group.id, user_group.name,
           coalesce((SELECT jsonb_agg(jsonb_build_object('company', company.code, 'branch', branch.code)
                                      ORDER BY company.code, branch.code NULLS FIRST)
                       FROM group_permission
                       JOIN company ON company.id = group_permission.company_id
                       LEFT JOIN branch ON branch.company_id = group_permission.company_id
                                       AND branch.id = group_permission.branch_id
                      WHERE group_permission.group_id = user_group.id), '[]') AS permissions
      FROM group_member
      JOIN user_group ON user_group.id = group_member.group_id AND user_group.active
     WHERE group_member.user_id = ${userId}
     ORDER BY user_group.name`);
}

/** The user whom a provider knows by one of the identities; that by the provider's usual claim comes first. */
export function selectLinkedUser(
  sql: Sql,
  identities: readonly [Identity, ...Identity[]],
): Promise<UserSigningIn | undefined> {
  const [{ provider }] = identities;
  return sql.maybe<UserSigningIn>(SQL`
    SELECT app_user.id, app_user.username, app_user.active, app_user.expires_at AS "expiresAt",
           app_user.credential_version AS "credentialVersion"
      FROM unnest(${identities.map((each) => each.claim)}::text[],
        ${identities.map((each) => each.subject)}::text[]) AS vouched (claim, subject)
      JOIN user_identity ON user_identity.provider = ${provider}
                        AND user_identity.claim = vouched.claim AND user_identity.subject = vouched.subject
      JOIN app_user ON app_user.id = user_identity.user_id AND app_user.kind = 'PERSON'
     ORDER BY user_identity.claim = ${defaultClaim(provider)} DESC LIMIT 1`);
}

export async function hasAdministrator(sql: Sql): Promise<boolean> {
  const found = await sql.maybe(SQL`SELECT app_user.id FROM app_user WHERE app_user.admin LIMIT 1`);
  return found !== undefined;
}

/** Which credentials a user's tokens are made for. */
export function selectCredentialVersion(sql: Sql, id: number): Promise<{ credentialVersion: number } | undefined> {
  return sql.maybe<{ credentialVersion: number }>(
    SQL.named(
      'credential-version',
    )`SELECT app_user.credential_version AS "credentialVersion" FROM app_user WHERE app_user.id = ${id}`,
  );
}
