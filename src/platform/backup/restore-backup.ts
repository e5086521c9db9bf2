import { existsSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StartError } from '../config.ts';
import type { LoneConnection } from '../database/connections.ts';
import { differenceOf, readContents } from '../database/table-contents.ts';
import { isDiskFull } from '../disk-space.ts';
import { COPIED_PROGRAMS } from '../embedded-postgres/binaries.ts';
import { makeFolder, writeFor } from '../embedded-postgres/files.ts';
import { isAlive } from '../embedded-postgres/postmaster.ts';
import { prepare, type Server } from '../embedded-postgres/server.ts';
import { stopServer } from '../embedded-postgres/stop.ts';
import { archiveFolder, SEGMENT_BYTES, type WalArchiveSettings } from '../embedded-postgres/wal-archive.ts';
import { publishedFile } from '../seal-keys/published-keys.ts';
import { type ArchivedWal, copyArchive, newestTimeline, readArchive } from './archived-wal.ts';
import { removeAbandoned, syncFolder } from './backup-files.ts';
import { type Backup, isProven, listBackups, readBackup } from './manifest.ts';
import type { CheckBooks } from './prove-backup.ts';
import { type RecoveryTarget, withRecovered } from './recover.ts';
import { requireFree, restoreFiles } from './restore-files.ts';

export interface RestoreOptions extends RecoveryTarget {
  /** A backup, or the folder of all: then the newest proven one that can reach the target. */
  readonly folder: string;
  /** Absent or empty. */
  readonly dataDir: string;
  readonly walArchive: WalArchiveSettings | undefined;
  readonly checkBooks: CheckBooks;
  /** SEAL_KEY_FILE: its public keys are put there, unless they are there. */
  readonly sealKeyFile: string;
}

export interface Restored {
  readonly backup: Backup;
  /** The commit of the last transaction that is there; undefined where the log has none after the backup began. */
  readonly lastCommit: string | undefined;
}

/**
 * Makes the data folder of a backup: built and recovered beside, and renamed when it has been found equal, so that an
 * interrupted restore leaves nothing that a start would take.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const dataDir = resolve(options.dataDir);
  const backup = await chooseBackup(options);
  await requireEmpty(dataDir);
  const archived = await archivedFor(backup, options);
  const bytes = backup.manifest.bytes + (archived?.segments.length ?? 0) * SEGMENT_BYTES;
  await requireFree(dataDir, bytes, 'the restore');
  const staging = join(dataDir, `postgres.restoring-${process.pid}`);
  try {
    await restoreFiles(backup, staging, true);
    if (archived !== undefined) await copyArchive(archived, join(staging, 'pg_wal'));
    const prepared = await prepare(dataDir, () => {}, false, staging);
    // A restore on trial must not become the newest timeline, which later restores follow.
    const server: Server = { ...prepared, archive: 'LATER' };
    const timeline = archived && (options.timeline ?? (await newestTimeline(archived, backup.manifest.end)));
    const lastCommit = await recoverAndCheck(server, backup, { ...options, timeline });
    await rename(staging, join(dataDir, 'postgres'));
    await restorePublicKeys(backup, options.sealKeyFile);
    await syncFolder(dataDir);
    return { backup, lastCommit };
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    await rm(join(dataDir, 'postgres.log'), { force: true });
    if (isDiskFull(error)) throw new StartError(`no space left on the disk of ${dataDir}: nothing was restored`);
    throw error;
  }
}

async function restorePublicKeys({ manifest }: Backup, sealKeyFile: string): Promise<void> {
  const path = publishedFile(sealKeyFile);
  if (manifest.publicSealKeys === '' || existsSync(path)) return;
  await writeFor(undefined, path, manifest.publicSealKeys);
}

async function chooseBackup({ folder, until }: RestoreOptions): Promise<Backup> {
  const backups = await listBackups(folder);
  const reaches = ({ manifest }: Backup) => !(until instanceof Date) || new Date(manifest.endedAt) <= until;
  if (backups.length === 0) {
    const backup = await readBackup(folder);
    if (reaches(backup)) return backup;
    throw new StartError(`the backup ended at ${backup.manifest.endedAt}, after the moment asked for`);
  }
  const chosen = backups.findLast((backup) => isProven(backup) && reaches(backup));
  if (chosen !== undefined) return chosen;
  throw new StartError(
    `${folder} has no proven backup${until instanceof Date ? ' that ended before that moment' : '; name one of them'}`,
  );
}

/** An earlier restore that was killed does not count, nor does a server that it left. */
async function requireEmpty(dataDir: string): Promise<void> {
  await makeFolder(dataDir);
  await removeAbandoned(dataDir, /^postgres\.restoring-(\d+)$/, isAlive, async (path) => {
    await stopServer(await prepare(dataDir, () => {}, false, path));
    await rm(join(dataDir, 'postgres.log'), { force: true });
  });
  if ((await readdir(dataDir)).every((name) => COPIED_PROGRAMS.test(name))) return;
  throw new StartError(`DATA_DIR: ${dataDir} is not empty: a restore needs a folder of its own`);
}

async function archivedFor(
  { manifest }: Backup,
  { until, walArchive }: RestoreOptions,
): Promise<ArchivedWal | undefined> {
  if (until === undefined) return undefined;
  if (walArchive === undefined) throw new StartError('--until needs WAL_ARCHIVE_DIR, where the log was archived');
  return readArchive(archiveFolder(walArchive.folder, manifest.system), manifest);
}

async function recoverAndCheck(
  server: Server,
  { manifest }: Backup,
  { until, timeline, checkBooks }: RestoreOptions,
): Promise<string | undefined> {
  return withRecovered(server, { until, timeline }, {}, async (client, url) => {
    const lastCommit = await lastCommitOf(client);
    if (until === undefined && manifest.proof !== undefined && manifest.proof.failure === undefined) {
      const difference = differenceOf(manifest.proof.tables, await readContents(client));
      if (difference === undefined) return lastCommit;
      throw new StartError(`the restored books differ from those that were proven: ${difference}`);
    }
    // After the backup others may have begun to sign.
    const { failure } = await checkBooks(url, until === undefined ? manifest.publicSealKeys : '');
    if (failure !== undefined) throw new StartError(`the restored books are not right: ${failure}`);
    return lastCommit;
  }).catch((error) => {
    throw asLimitOfArchive(error, timeline);
  });
}

async function lastCommitOf(client: LoneConnection): Promise<string | undefined> {
  const { rows } = await client.query<{ at: Date | null }>('SELECT pg_last_xact_replay_timestamp() AS at');
  return rows[0]!.at?.toISOString();
}

function asLimitOfArchive(error: Error, timeline: number | undefined): Error {
  if (!/recovery ended before configured recovery target/.test(error.message)) return error;
  return new StartError(
    `the archive ends before the moment asked for on timeline ${timeline}: --until latest restores all that it holds, --timeline follows another`,
  );
}
