import { randomBytes } from 'node:crypto';
import type { JWK } from 'jose';
import type { Database, Sql } from '../../platform/sql.ts';
import { EVERYTHING } from '../../platform/sql.ts';
import { newSigningKey, publicJwk, type StoredKey } from '../../platform/token.ts';
import { hashPassword } from './passwords.ts';

/**
 * Makes the administrator at the first start. Without a configured password it generates one and returns it, to be
 * shown once.
 */
export async function ensureAdministrator(
  database: Database,
  username: string,
  password: string | undefined,
): Promise<string | undefined> {
  return database.transaction(EVERYTHING, async (sql) => {
    const existing = await sql.maybe({ text: 'SELECT app_user.id FROM app_user WHERE app_user.admin LIMIT 1' });
    if (existing) return undefined;
    const generated = password === undefined ? randomBytes(15).toString('base64url') : undefined;
    const inserted = await sql.run({
      text: `INSERT INTO app_user (username, name, admin, password_hash) VALUES ($1, $2, true, $3)
             ON CONFLICT (lower(username)) DO NOTHING`,
      values: [username, 'Administrador', await hashPassword(password ?? generated!)],
    });
    // Another program was faster: its administrator is the one.
    return inserted === 1 ? generated : undefined;
  });
}

/** The key that signs; made at the first start. */
export async function signingKey(database: Database): Promise<StoredKey> {
  const [existing] = await storedKeys(database.under(EVERYTHING));
  if (existing) return existing;
  return database.transaction(EVERYTHING, async (sql) => {
    // Two programs that start at once on a new database must agree on one key.
    await sql.run({ text: 'LOCK TABLE signing_key IN SHARE ROW EXCLUSIVE MODE' });
    const [newest] = await storedKeys(sql);
    if (newest) return newest;
    const made = await newSigningKey();
    await sql.run({
      text: 'INSERT INTO signing_key (kid, private_jwk) VALUES ($1, $2)',
      values: [made.kid, JSON.stringify(made.privateJwk)],
    });
    return made;
  });
}

/** The published key set, newest first. */
export async function publishedKeys(sql: Sql): Promise<JWK[]> {
  return (await storedKeys(sql)).map(publicJwk);
}

function storedKeys(sql: Sql): Promise<StoredKey[]> {
  return sql.rows<StoredKey>({
    text: `SELECT signing_key.kid, signing_key.private_jwk AS "privateJwk"
             FROM signing_key WHERE signing_key.retired_at IS NULL ORDER BY signing_key.created_at DESC`,
  });
}
