import { randomBytes } from 'node:crypto';
import type { JWK } from 'jose';
import { type Database, EVERYTHING, type Sql } from '../../platform/sql.ts';
import { newSigningKey, publicJwk, type StoredKey } from '../../platform/token.ts';
import { hashPassword } from './passwords.ts';
import { insertSigningKey, lockSigningKeys, selectSigningKeys } from './signing-keys.sql.ts';
import { hasAdministrator } from './users.read.sql.ts';
import { insertAdministrator } from './users.sql.ts';

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
    if (await hasAdministrator(sql)) return undefined;
    const generated = password === undefined ? randomBytes(15).toString('base64url') : undefined;
    const inserted = await insertAdministrator(sql, username, await hashPassword(password ?? generated!));
    // Another program was faster: its administrator is the one.
    return inserted ? generated : undefined;
  });
}

/** The key that signs; made at the first start. */
export async function signingKey(database: Database): Promise<StoredKey> {
  const [existing] = await selectSigningKeys(database.under(EVERYTHING));
  if (existing) return existing;
  return database.transaction(EVERYTHING, async (sql) => {
    // Two programs that start at once on a new database must agree on one key.
    await lockSigningKeys(sql);
    const [newest] = await selectSigningKeys(sql);
    if (newest) return newest;
    const made = await newSigningKey();
    await insertSigningKey(sql, made);
    return made;
  });
}

/** The published key set, newest first. */
export async function publishedKeys(sql: Sql): Promise<JWK[]> {
  return (await selectSigningKeys(sql)).map(publicJwk);
}
