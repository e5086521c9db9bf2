import { constants } from 'node:fs';
import { copyFile, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StartError } from '../config.ts';
import { makeFolder } from './files.ts';
import { livePostmaster } from './postmaster.ts';
import { runAs } from './run-as.ts';
import type { Server } from './server.ts';

/** WAL_ARCHIVE_DIR and WAL_ARCHIVE_SECONDS. */
export interface WalArchiveSettings {
  readonly folder: string;
  readonly everySeconds: number;
}

/**
 * The server with its part of the archive: a folder named by PostgreSQL's number of the installation, so that two never
 * mix, for the server's user alone. A timeline that a restore began reaches it when the program serves, and not when a
 * command looks at what was restored: later restores follow the newest timeline of the archive.
 */
export async function withArchive(
  server: Server,
  settings: WalArchiveSettings | undefined,
  serves: boolean,
): Promise<Server> {
  if (settings === undefined) return server;
  const folder = archiveFolder(settings.folder, await systemOf(server.pgdata));
  try {
    await makeFolder(folder);
    const handle = await open(folder, 'r');
    try {
      if (server.owner !== undefined) await handle.chown(server.owner.uid, server.owner.gid);
      await handle.chmod(0o700);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new StartError(`WAL_ARCHIVE_DIR: ${(error as Error).message}`);
  }
  await rejectUnwritable(server, folder);
  if ((await livePostmaster(server)) === undefined) await removeUnfinished(folder);
  const histories = await missingHistories(server, folder);
  if (histories.length > 0 && !serves) return { ...server, archive: 'LATER' };
  await archiveHistories(server, folder, histories);
  return { ...server, archive: { folder, everySeconds: settings.everySeconds } };
}

export function archiveFolder(walArchiveDir: string, system: string): string {
  return join(resolve(walArchiveDir), system);
}

/** Bytes of the log that wait for the archive on the disk of the database; undefined where there is no database. */
export async function unarchivedBytes(dataDir: string): Promise<number | undefined> {
  const names = await readdir(join(dataDir, 'postgres', 'pg_wal', 'archive_status')).catch(() => undefined);
  return names && names.filter((name) => WAITS.test(name)).length * SEGMENT_BYTES;
}

/** A whole segment that was not archived yet. */
const WAITS = /^[0-9A-F]{24}\.ready$/;
/** PostgreSQL's size of a segment, unless a data folder is made otherwise. */
export const SEGMENT_BYTES = 16 * 1024 * 1024;

/** PostgreSQL's number of an installation: the first eight bytes of its control file. */
export async function systemOf(pgdata: string): Promise<string> {
  const file = await open(join(pgdata, 'global', 'pg_control'), 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0);
    return buffer.readBigUInt64LE().toString();
  } finally {
    await file.close();
  }
}

/** The server names the archive by its whole path, which its user must be able to pass. */
async function rejectUnwritable({ owner }: Server, folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const { code } = await runAs('/bin/sh', ['-c', 'test -w "$0" && test -x "$0"', folder], { cwd: '/', user: owner });
  if (code === 0) return;
  const whom = owner === undefined ? 'this user' : `user ${owner.uid}, as whom the database runs,`;
  throw new StartError(`WAL_ARCHIVE_DIR: ${whom} cannot write to ${folder}`);
}

const UNFINISHED = /^archtemp\./;

/** What a killed server, or one whose archive was full, left of a segment. */
export async function removeUnfinished(folder: string, olderThanMs = 0): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => UNFINISHED.test(each))) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs >= olderThanMs) await rm(path, { force: true });
  }
}

/** Of timelines that the archive does not know. */
async function missingHistories({ pgdata }: Server, folder: string): Promise<string[]> {
  const there = new Set(await readdir(folder));
  return (await readdir(join(pgdata, 'pg_wal'))).filter((name) => name.endsWith('.history') && !there.has(name));
}

/** A restore without an archive began a timeline whose origin the archive must know. */
async function archiveHistories({ pgdata, owner }: Server, folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const temporary = join(folder, `archtemp.${name}.${process.pid}`);
    await copyFile(join(pgdata, 'pg_wal', name), temporary, constants.COPYFILE_EXCL);
    const file = await open(temporary, 'r+');
    try {
      if (owner !== undefined) await file.chown(owner.uid, owner.gid);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, join(folder, name));
  }
}
