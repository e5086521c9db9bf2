import { closeSync, fsyncSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { mkdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { StartError } from '../config.ts';
import { streamBaseBackup } from '../database/base-backup.ts';
import { withOwnerConnection } from '../database/connections.ts';
import { isDiskFull } from '../disk-space.ts';
import { makeFolder, readIfThere } from '../embedded-postgres/files.ts';
import { isAlive } from '../embedded-postgres/postmaster.ts';
import { publishedFile } from '../seal-keys/published-keys.ts';
import { FolderWriter, removeAbandoned, syncFolder } from './backup-files.ts';
import { type Backup, backupName, FILES, type Manifest, writeManifest } from './manifest.ts';
import { requireFree } from './restore-files.ts';
import { TarReader } from './tar-reader.ts';

export interface BackupOptions {
  readonly ownerUrl: string;
  readonly dataDir: string;
  /** The folder of all backups. */
  readonly folder: string;
  readonly bytesPerSecond: number;
  /** Free space of the database's disk that a backup on the same disk leaves. */
  readonly diskReserve: number;
  /** SEAL_KEY_FILE; of it the public keys alone are in a backup. */
  readonly sealKeyFile: string;
  /** The program's version. */
  readonly program: string;
}

/** The end of the log, which a backup has besides the files: some segments. */
const WAL_BYTES = 64 * 1_048_576;

/** Copies the working database into a new folder below `folder`; an interrupted one leaves none that has a manifest. */
export async function takeBackup(options: BackupOptions): Promise<Backup> {
  const folder = resolve(options.folder);
  await rejectOwnFolder(folder, options.dataDir);
  await makeFolder(folder);
  await removeAbandoned(folder, /\.partial-(\d+)$/, isAlive);
  const found = await describeDatabase(options.ownerUrl);
  const sameDisk = (await stat(folder)).dev === (await stat(options.dataDir)).dev;
  await requireFree(folder, found.bytes + WAL_BYTES, 'the backup', sameDisk ? options.diskReserve : 0);
  const startedAt = new Date();
  const complete = join(folder, backupName(startedAt));
  const partial = `${complete}.partial-${process.pid}`;
  await mkdir(partial, { mode: 0o700 });
  try {
    const copied = await copyDatabase(options, partial);
    const manifest: Manifest = {
      format: 1,
      program: options.program,
      postgresql: found.version,
      system: found.system,
      schema: found.schema,
      startedAt: startedAt.toISOString(),
      endedAt: new Date().toISOString(),
      publicSealKeys: (await readIfThere(publishedFile(options.sealKeyFile))) ?? '',
      ...copied,
      bytes: copied.files.reduce((sum, { size }) => sum + size, 0),
    };
    await writeManifest(partial, manifest);
    await rename(partial, complete);
    await syncFolder(folder);
    return { folder: complete, manifest };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    if (isDiskFull(error)) throw new StartError(`no space left on the disk of ${folder}: the backup was removed`);
    throw error;
  }
}

/** A backup among what it backs up would be lost with it. */
async function rejectOwnFolder(folder: string, dataDir: string): Promise<void> {
  const home = await realpath(dataDir);
  const within = relative(home, await realpath(folder).catch(() => folder));
  if (within === '' || (within !== '..' && !within.startsWith(`..${sep}`) && within !== resolve(within)))
    throw new StartError(`${folder} lies in DATA_DIR: a backup goes to another folder, best on another disk`);
}

interface Described {
  readonly bytes: number;
  readonly version: string;
  readonly system: string;
  readonly schema: string;
}

async function describeDatabase(ownerUrl: string): Promise<Described> {
  return withOwnerConnection(ownerUrl, async (client) => {
    const { rows } = await client.query<Described>(
      `SELECT (SELECT sum(pg_database_size(pg_database.oid)) FROM pg_database)::bigint AS bytes,
              split_part(current_setting('server_version'), ' ', 1) AS version,
              (SELECT pg_control_system.system_identifier::text FROM pg_control_system()) AS system,
              (SELECT migration.name FROM migration ORDER BY migration.id DESC LIMIT 1) AS schema`,
    );
    return rows[0]!;
  });
}

async function copyDatabase(options: BackupOptions, partial: string) {
  const files = join(partial, FILES);
  mkdirSync(files, { mode: 0o700 });
  const writer = new FolderWriter(files);
  const tar = new TarReader(writer);
  const list = openSync(join(files, 'backup_manifest'), 'wx', 0o600);
  try {
    const { begin, end } = await streamBaseBackup(options.ownerUrl, {
      label: 'partidas',
      bytesPerSecond: options.bytesPerSecond,
      write: (piece) => tar.write(piece),
      writeList: (piece) => void writeSync(list, piece),
    });
    tar.finish();
    fsyncSync(list);
    await writer.sync();
    return { begin, end, folders: writer.folders, files: writer.files };
  } finally {
    writer.abandon();
    closeSync(list);
  }
}
