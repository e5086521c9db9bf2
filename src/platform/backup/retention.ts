import { rename, rm } from 'node:fs/promises';
import { archiveFolder, removeUnfinished } from '../embedded-postgres/wal-archive.ts';
import { removeOldWal, segmentOf } from './archived-wal.ts';
import { type Backup, isProven, listBackups } from './manifest.ts';

export interface Removed {
  readonly backups: number;
  readonly segments: number;
}

/**
 * Keeps the newest proven backups, whatever is newer than the oldest of them, and the log that these need. Without
 * enough proven ones nothing goes.
 */
export async function removeOldBackups(
  folder: string,
  keep: number,
  walArchiveDir: string | undefined,
): Promise<Removed> {
  const backups = await listBackups(folder);
  if (walArchiveDir !== undefined) await removeUnfinishedWal(backups, walArchiveDir);
  const oldestKept = backups.filter(isProven).at(-keep);
  if (oldestKept === undefined) return { backups: 0, segments: 0 };
  const old = backups.slice(0, backups.indexOf(oldestKept));
  for (const backup of old) await removeBackup(backup);
  const kept = backups.slice(old.length);
  let segments = 0;
  if (walArchiveDir !== undefined) {
    for (const system of new Set(kept.map(({ manifest }) => manifest.system))) {
      const needed = kept.filter(({ manifest }) => manifest.system === system).map(({ manifest }) => manifest.begin);
      const oldest = needed.reduce((one, other) => (segmentOf(other) < segmentOf(one) ? other : one));
      segments += await removeOldWal(archiveFolder(walArchiveDir, system), oldest);
    }
  }
  return { backups: old.length, segments };
}

/** What the server left while the archive was full; it writes a segment in seconds. */
async function removeUnfinishedWal(backups: readonly Backup[], walArchiveDir: string): Promise<void> {
  for (const system of new Set(backups.map(({ manifest }) => manifest.system))) {
    await removeUnfinished(archiveFolder(walArchiveDir, system), UNFINISHED_MS);
  }
}

const UNFINISHED_MS = 600_000;

/** Renamed first: one that is half removed is no backup, and the next one removes the rest. */
async function removeBackup({ folder }: Backup): Promise<void> {
  const partial = `${folder}.partial-${process.pid}`;
  await rename(folder, partial);
  await rm(partial, { recursive: true, force: true });
}
