import type { Sql } from '../../platform/database/sql.ts';
import { SQL } from '../../platform/database/statement.ts';
import type { CurvePoint, StoredKey } from '../../platform/token.ts';

export interface PublishedKey {
  readonly kid: string;
  readonly publicJwk: CurvePoint;
}

/** The public halves of the keys in force, newest first. */
export function selectPublishedKeys(sql: Sql): Promise<PublishedKey[]> {
  return sql.rows<PublishedKey>(SQL.named('published-keys')`
    SELECT signing_key.kid, signing_key.public_jwk AS "publicJwk"
      FROM signing_key WHERE signing_key.retired_at IS NULL
     ORDER BY signing_key.created_at DESC, signing_key.kid`);
}

export interface KeyRow {
  readonly kid: string;
  readonly createdAt: Date;
  readonly retiredAt: Date | null;
}

/** All keys that ever were, newest first. */
export function selectKeyRows(sql: Sql): Promise<KeyRow[]> {
  return sql.rows<KeyRow>(SQL`
    SELECT signing_key.kid, signing_key.created_at AS "createdAt", signing_key.retired_at AS "retiredAt"
      FROM signing_key ORDER BY signing_key.created_at DESC, signing_key.kid`);
}

/** Locks the keys against writers; readers continue. */
export async function lockSigningKeys(sql: Sql): Promise<void> {
  await sql.run(SQL`LOCK TABLE signing_key IN SHARE ROW EXCLUSIVE MODE`);
}

/** clock_timestamp: of two keys made in one transaction, one is the newer. */
export async function insertSigningKey(sql: Sql, key: StoredKey): Promise<void> {
  await sql.run(SQL`
    INSERT INTO signing_key (kid, private_jwk, created_at)
    VALUES (${key.kid}, ${JSON.stringify(key.privateJwk)}, clock_timestamp())`);
}

/** Whether the key was in force until now. */
export async function retireSigningKey(sql: Sql, kid: string, at: Date): Promise<boolean> {
  const retired = await sql.run(
    SQL`UPDATE signing_key SET retired_at = ${at} WHERE signing_key.kid = ${kid} AND signing_key.retired_at IS NULL`,
  );
  return retired === 1;
}
