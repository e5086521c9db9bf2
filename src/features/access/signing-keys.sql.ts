import type { Sql } from '../../platform/sql.ts';
import type { StoredKey } from '../../platform/token.ts';

/** The keys in force, newest first. */
export function selectSigningKeys(sql: Sql): Promise<StoredKey[]> {
  return sql.rows<StoredKey>({
    text: `SELECT signing_key.kid, signing_key.private_jwk AS "privateJwk"
             FROM signing_key WHERE signing_key.retired_at IS NULL ORDER BY signing_key.created_at DESC`,
  });
}

/** Others may read the keys meanwhile, and not write one. */
export async function lockSigningKeys(sql: Sql): Promise<void> {
  await sql.run({ text: 'LOCK TABLE signing_key IN SHARE ROW EXCLUSIVE MODE' });
}

export async function insertSigningKey(sql: Sql, key: StoredKey): Promise<void> {
  await sql.run({
    text: 'INSERT INTO signing_key (kid, private_jwk) VALUES ($1, $2)',
    values: [key.kid, JSON.stringify(key.privateJwk)],
  });
}
