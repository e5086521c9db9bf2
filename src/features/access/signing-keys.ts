import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import type { Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { SystemSql } from '../../platform/database/system-scope.ts';
import { newSigningKey, type PublishedJwk, publicJwk, type StoredKey } from '../../platform/token.ts';
import { recordAudit } from './audit.sql.ts';
import { selectSigningKey } from './credentials.sql.ts';
import { insertSigningKey, lockSigningKeys, retireSigningKey, selectPublishedKeys } from './signing-keys.sql.ts';

/** The key that signs: the newest in force; made at the first start. */
export async function signingKey(system: SystemSql): Promise<StoredKey> {
  const existing = await selectSigningKey(system);
  if (existing) return existing;
  return system.transaction(async (sql) => {
    // Two programs that start at once on a new database must agree on one key.
    await lockSigningKeys(sql);
    return (await selectSigningKey(sql)) ?? addSigningKey(sql);
  });
}

/** The published key set, newest first. */
export async function publishedKeys(sql: Sql): Promise<PublishedJwk[]> {
  return (await selectPublishedKeys(sql)).map(publicJwk);
}

/** A new key signs from now on; tokens of the older ones stay valid until these are retired. */
export async function rotateKeys(context: Context): Promise<string> {
  return context.transaction(async (sql) => {
    await lockSigningKeys(sql);
    const { kid } = await addSigningKey(sql);
    await recordAudit(sql, context, { action: 'CREATE', entity: 'signingKey', entityId: kid });
    return kid;
  });
}

/**
 * Ends the tokens that the key has signed, in every process within a minute. There is always one that signs: in the
 * place of the last one a new key is made, whose id is returned.
 */
export async function retireKey(context: Context, kid: string): Promise<string | undefined> {
  return context.transaction(async (sql) => {
    await lockSigningKeys(sql);
    if (!(await retireSigningKey(sql, kid, context.now()))) reject('NOT_FOUND', recordRef('Signing key', kid));
    await recordAudit(sql, context, { action: 'RETIRE', entity: 'signingKey', entityId: kid });
    if (await selectSigningKey(sql)) return undefined;
    const made = await addSigningKey(sql);
    await recordAudit(sql, context, { action: 'CREATE', entity: 'signingKey', entityId: made.kid });
    return made.kid;
  });
}

async function addSigningKey(sql: Sql): Promise<StoredKey> {
  const made = await newSigningKey();
  await insertSigningKey(sql, made);
  return made;
}
