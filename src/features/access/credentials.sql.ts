import type { Sql } from '../../platform/database/sql.ts';
import { SQL } from '../../platform/database/statement.ts';
import type { StoredKey } from '../../platform/token.ts';

// Every statement that reads a secret: hashes of passwords, private keys. Only the authentication service runs them.

/** Who signs in, as far as it decides whether the user may. */
export interface UserSigningIn {
  readonly id: number;
  readonly username: string;
  readonly active: boolean;
  readonly expiresAt: Date | null;
  /** Tokens carry it, and expire when it changes. */
  readonly credentialVersion: number;
}

export interface LocalUser extends UserSigningIn {
  /** null for users of external providers. */
  readonly passwordHash: string | null;
  readonly admin: boolean;
}

export function selectLocalUser(sql: Sql, username: string): Promise<LocalUser | undefined> {
  return sql.maybe<LocalUser>(SQL.named('user-by-name')`
    SELECT app_user.id, app_user.username, app_user.password_hash AS "passwordHash", app_user.active, app_user.admin,
           app_user.expires_at AS "expiresAt", app_user.credential_version AS "credentialVersion"
      FROM app_user WHERE app_user.username_key = username_key(${username}) AND app_user.kind = 'PERSON'`);
}

/** The hash of a user's password, null for users of external providers, and the version that it belongs to. */
export function selectPasswordHash(
  sql: Sql,
  id: number,
): Promise<Pick<LocalUser, 'passwordHash' | 'credentialVersion'> | undefined> {
  return sql.maybe<Pick<LocalUser, 'passwordHash' | 'credentialVersion'>>(SQL`
    SELECT app_user.password_hash AS "passwordHash", app_user.credential_version AS "credentialVersion"
      FROM app_user WHERE app_user.id = ${id}`);
}

/** The key that signs: the newest that is not retired. */
export function selectSigningKey(sql: Sql): Promise<StoredKey | undefined> {
  return sql.maybe<StoredKey>(SQL.named('signing-key')`
    SELECT signing_key.kid, signing_key.private_jwk AS "privateJwk"
      FROM signing_key WHERE signing_key.retired_at IS NULL
     ORDER BY signing_key.created_at DESC, signing_key.kid LIMIT 1`);
}

/** True for the first use of the token; of concurrent uses exactly one gets true. */
export async function insertUsedIdToken(
  sql: Sql,
  token: { provider: string; tokenId: string; expiresAt: Date },
): Promise<boolean> {
  const inserted = await sql.run(SQL`
    INSERT INTO used_id_token (provider, token_id, expires_at)
    VALUES (${token.provider}, ${token.tokenId}, ${token.expiresAt}) ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

export async function deleteUsedIdTokensBefore(sql: Sql, moment: Date): Promise<void> {
  await sql.run(SQL`DELETE FROM used_id_token WHERE used_id_token.expires_at <= ${moment}`);
}
