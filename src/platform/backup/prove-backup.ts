import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartError } from '../config.ts';
import type { LoneConnection } from '../database/connections.ts';
import { readContents } from '../database/table-contents.ts';
import { isAlive } from '../embedded-postgres/postmaster.ts';
import { prepare } from '../embedded-postgres/server.ts';
import { stopServer } from '../embedded-postgres/stop.ts';
import { removeAbandoned } from './backup-files.ts';
import { type Backup, isProven, type Proof, writeManifest } from './manifest.ts';
import { withRecovered } from './recover.ts';
import { requireFree, restoreFiles } from './restore-files.ts';

/** What the program asks of restored books; its `failure` says why they are no good. */
/** With the public seal keys of the copy, a JSON Web Key a line; empty: what is signed is taken unproven. */
export type CheckBooks = (
  ownerUrl: string,
  publicSealKeys: string,
) => Promise<{ checks: Record<string, unknown>; failure?: string }>;

/** The copy is thrown away: nothing of it has to outlive a power failure, and its log goes nowhere. */
const THROWN_AWAY = { archive_mode: 'off', fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };

/**
 * Restores a backup beside it, starts it, reads every row and index, asks the program's own questions and notes in its
 * manifest what came out.
 */
export async function proveBackup(backup: Backup, checkBooks: CheckBooks): Promise<Backup> {
  const started = Date.now();
  const beside = dirname(backup.folder);
  await removeAbandonedProofs(beside);
  await requireFree(beside, backup.manifest.bytes, 'proving the backup');
  const folder = join(beside, `proof-${process.pid}`);
  await mkdir(folder, { mode: 0o700 });
  let result: Pick<Proof, 'tables' | 'checks' | 'failure'>;
  try {
    result = await restoreAndLook(backup, folder, checkBooks);
  } catch (error) {
    result = { tables: {}, checks: {}, failure: (error as Error).message };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const proof = { at: new Date().toISOString(), seconds: (Date.now() - started) / 1000, ...result };
  const manifest = { ...backup.manifest, proof };
  await writeManifest(backup.folder, manifest);
  return { ...backup, manifest };
}

async function restoreAndLook(backup: Backup, folder: string, checkBooks: CheckBooks) {
  const pgdata = join(folder, 'postgres');
  await restoreFiles(backup, pgdata, false);
  const server = await prepare(folder, () => {}, false, pgdata);
  return withRecovered(server, {}, THROWN_AWAY, async (client, url) => {
    const tables = await readContents(client);
    const structure = await checkStructure(client);
    const { checks, failure } = await checkBooks(url, backup.manifest.publicSealKeys);
    return { tables, checks: { ...structure, ...checks }, ...(failure === undefined ? {} : { failure }) };
  });
}

/** Every table and index by PostgreSQL's own check, where its module is installed. @throws at the first wrong one */
async function checkStructure(client: LoneConnection): Promise<Record<string, unknown>> {
  const { rows: modules } = await client.query(
    `SELECT 1 FROM pg_available_extensions WHERE pg_available_extensions.name = 'amcheck'`,
  );
  if (modules.length === 0) return { structure: 'not checked: PostgreSQL has no amcheck here' };
  await client.query('CREATE EXTENSION IF NOT EXISTS amcheck');
  const { rows: wrong } = await client.query<{ name: string; message: string }>(
    `SELECT pg_class.relname AS name, found.msg AS message
       FROM pg_class CROSS JOIN LATERAL verify_heapam(pg_class.oid) AS found
      WHERE pg_class.relnamespace = 'public'::regnamespace AND pg_class.relkind = 'r' AND pg_class.relpersistence = 'p'
      LIMIT 1`,
  );
  if (wrong.length > 0) throw new StartError(`table ${wrong[0]!.name} is damaged: ${wrong[0]!.message}`);
  const { rows } = await client.query<{ indexes: number }>(
    `SELECT count(bt_index_check(pg_class.oid, true)::text) AS indexes
       FROM pg_class JOIN pg_am ON pg_am.oid = pg_class.relam
      WHERE pg_class.relnamespace = 'public'::regnamespace AND pg_class.relkind = 'i' AND pg_am.amname = 'btree'
        AND pg_class.relpersistence = 'p'`,
  );
  return { structure: `${rows[0]!.indexes} indexes hold every row of their tables` };
}

/** A proof that was killed leaves a server that works on nothing. */
async function removeAbandonedProofs(folder: string): Promise<void> {
  await removeAbandoned(folder, /^proof-(\d+)$/, isAlive, async (path) => {
    await stopServer(await prepare(path, () => {}, false));
  });
}

/** The reason in one line; undefined for a proven one. */
export function reasonAgainst(backup: Backup): string | undefined {
  if (isProven(backup)) return undefined;
  return backup.manifest.proof?.failure ?? 'it was not proven';
}
