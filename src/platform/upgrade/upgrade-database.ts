import { copyFile, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { removeAbandoned, syncFolder } from '../backup/backup-files.ts';
import { requireFree } from '../backup/restore-files.ts';
import { StartError } from '../config.ts';
import { type LoneConnection, withOwnerConnection } from '../database/connections.ts';
import { DATABASE_ROLES, prepareLogins } from '../database/logins.ts';
import { migrate } from '../database/migrate.ts';
import { differenceOf, readContents } from '../database/table-contents.ts';
import { createCluster, ensureDatabase, SETTINGS_MARK } from '../embedded-postgres/cluster.ts';
import { writeFor } from '../embedded-postgres/files.ts';
import { anyPort, launch } from '../embedded-postgres/launch.ts';
import { isAlive, livePostmaster } from '../embedded-postgres/postmaster.ts';
import {
  DATABASE,
  KEPT_FOLDER,
  PASSWORD_FILE,
  pathForServer,
  prepare,
  prepareOld,
  runServer,
  type Server,
  urlOf,
} from '../embedded-postgres/server.ts';
import { stopServer } from '../embedded-postgres/stop.ts';
import { copyTables, sequencesOf } from './copy-tables.sql.ts';
import { findForeignObjects } from './foreign-objects.ts';

export interface UpgradeOptions {
  readonly dataDir: string;
  /** The folder of the older version's programs, where they are not among the system's. */
  readonly oldPrograms: string | undefined;
  readonly say: (line: string) => void;
}

/** Everything in it is copied again if its machine fails: it is synced as a whole at the end. */
const NOT_YET_DURABLE = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', archive_mode: 'off' };

/**
 * Brings the database to the newest PostgreSQL that is here, by copying each row from a server of the older version to
 * one of the newer. The folders change places when both were found equal; the older one stays beside.
 */
export async function upgradeDatabase({ dataDir, oldPrograms, say }: UpgradeOptions): Promise<void> {
  const folder = resolve(dataDir);
  const pgdata = join(folder, 'postgres');
  await undoInterrupted(folder);
  const staging = join(folder, `postgres.upgrading-${process.pid}`);
  const fresh = await prepare(folder, () => {}, false, staging);
  const old = await prepareOld(folder, fresh.version, oldPrograms);
  if (old === undefined) return say(`the database is of PostgreSQL ${fresh.version} already`);
  if ((await livePostmaster(old)) !== undefined) throw new StartError('the program is running: stop it first');
  say(`from PostgreSQL ${old.version} to ${fresh.version}`);
  try {
    await buildBeside(old, fresh, say);
    const kept = join(folder, `postgres.${Number.parseInt(old.version, 10)}`);
    await rename(pgdata, kept);
    await rename(staging, pgdata);
    await syncFolder(folder);
    say(`done; the older database is kept in ${kept}: remove it when the books have been seen, and take a backup now`);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Killed while the folders changed places, or while it copied. */
async function undoInterrupted(folder: string): Promise<void> {
  await removeAbandoned(folder, /^postgres\.upgrading-(\d+)$/, isAlive, async (path) => {
    await stopServer(await prepare(folder, () => {}, false, path));
  });
  const names = await readdir(folder);
  if (names.includes('postgres')) return;
  const kept = names
    .filter((name) => KEPT_FOLDER.test(name))
    .sort((a, b) => Number(b.slice(9)) - Number(a.slice(9)))[0];
  if (kept === undefined) throw new StartError(`DATA_DIR: ${folder} has no database`);
  await rename(join(folder, kept), join(folder, 'postgres'));
}

async function buildBeside(old: Server, fresh: Server, say: (line: string) => void): Promise<void> {
  const password = await readFile(join(old.pgdata, PASSWORD_FILE), 'utf8');
  await createCluster(fresh, password);
  try {
    const [oldUrl, freshUrl] = [await start(old, password, {}), await start(fresh, password, NOT_YET_DURABLE)];
    await migrate(oldUrl);
    await ensureDatabase(Number(new URL(freshUrl).port), password);
    await migrate(freshUrl);
    await prepareLogins(freshUrl, DATABASE_ROLES);
    await withOwnerConnection(oldUrl, (from) =>
      withOwnerConnection(freshUrl, (to) => copyAndCompare(from, to, fresh, say)),
    );
  } finally {
    await stopServer(fresh);
    await stopServer(old);
  }
  await carrySettings(old, fresh);
  const { code, output } = await runServer(fresh, 'initdb', ['--sync-only', '-D', pathForServer(fresh)]);
  if (code !== 0) throw new StartError(`the new database could not be synced: ${output.trim()}`);
  // As the program will: with the settings that were carried over.
  await start(fresh, password, { archive_mode: 'off' });
  await stopServer(fresh);
}

async function start(server: Server, password: string, overrides: Record<string, string>): Promise<string> {
  const port = await anyPort();
  const failure = await launch(server, port, overrides);
  if (failure !== undefined) throw new StartError(`PostgreSQL ${server.version} does not start: ${failure.reason}`);
  return urlOf(port, password, DATABASE);
}

async function copyAndCompare(
  from: LoneConnection,
  to: LoneConnection,
  fresh: Server,
  say: (line: string) => void,
): Promise<void> {
  const { lost, roles } = await findForeignObjects(from, to);
  if (lost.length > 0) {
    throw new StartError(
      `not the program’s and would be lost: ${lost.slice(0, 5).join(', ')}; take them away first (pg_dump)`,
    );
  }
  const { rows } = await from.query<{ bytes: number }>(`SELECT pg_database_size('${DATABASE}') AS bytes`);
  await requireFree(fresh.folder, rows[0]!.bytes, 'the upgraded copy');
  await copyTables(from, to);
  const found = await readContents(to);
  const difference = differenceOf(await readContents(from), found);
  if (difference !== undefined) throw new StartError(`the copy is not equal: ${difference}; nothing was changed`);
  const [wanted, set] = [await sequencesOf(from), await sequencesOf(to)];
  if (JSON.stringify(wanted) !== JSON.stringify(set))
    throw new StartError('the copy counts otherwise; nothing was changed');
  const count = Object.values(found).reduce((sum, table) => sum + table.rows, 0);
  say(`${count} rows of ${Object.keys(found).length} tables are equal`);
  if (roles.length > 0) say(`roles to make again: ${roles.join(', ')}`);
}

/** Who may connect, and the settings that people added. */
async function carrySettings(old: Server, fresh: Server): Promise<void> {
  for (const name of ['pg_hba.conf', 'pg_ident.conf', 'postgresql.auto.conf']) {
    await copyFile(join(old.pgdata, name), join(fresh.pgdata, name));
  }
  const own = (await readFile(join(old.pgdata, 'postgresql.conf'), 'utf8')).split(SETTINGS_MARK)[1] ?? '';
  const path = join(fresh.pgdata, 'postgresql.conf');
  await writeFor(fresh.owner, path, (await readFile(path, 'utf8')) + own);
}
