import type { Sql } from '../../../platform/database/sql.ts';
import type { SystemSql } from '../../../platform/database/system-scope.ts';
import { SealKeyError } from '../../../platform/seal-keys/seal-key-error.ts';
import type { SealKeys } from '../../../platform/seal-keys/seal-keys.ts';
import type { PublishedSealKey } from '../../../platform/seal-keys/signer.ts';
import { insertSealKeyIds, lockSealKeys, selectSealKeyIds } from './seal-keys.sql.ts';

/**
 * Makes the keys of a new installation, and leaves word of them in the database: a process that was given another file
 * does not start, instead of signing with keys that the others do not publish. @throws SealKeyError
 */
export async function registerSealKeys(system: Pick<SystemSql, 'transaction'>, keys: SealKeys): Promise<void> {
  await register(system, keys, keys.prepare);
}

/** New keys sign from now on; the old ones stay published. @throws SealKeyError */
export async function rotateSealKeys(
  system: Pick<SystemSql, 'transaction'>,
  keys: SealKeys,
): Promise<readonly PublishedSealKey[]> {
  return register(system, keys, keys.rotate);
}

/** For a process that shows seals and signs none. @throws SealKeyError if it was given another file */
export async function requireKnownKeys(sql: Sql, keys: SealKeys): Promise<void> {
  const published = new Set((await keys.published()).map(({ kid }) => kid));
  const unknown = (await selectSealKeyIds(sql)).find((kid) => !published.has(kid));
  if (unknown === undefined) return;
  throw new SealKeyError(
    `SEAL_KEY_FILE: other processes seal with the key ${unknown}, which is not among the public keys of this one (.pub): give every process the same files`,
  );
}

function register(
  system: Pick<SystemSql, 'transaction'>,
  keys: SealKeys,
  make: () => Promise<readonly PublishedSealKey[]>,
): Promise<readonly PublishedSealKey[]> {
  return system.transaction(async (sql) => {
    await lockSealKeys(sql);
    await requireKnownKeys(sql, keys);
    const made = await make();
    await insertSealKeyIds(
      sql,
      made.map(({ kid }) => kid),
    );
    return made;
  });
}
