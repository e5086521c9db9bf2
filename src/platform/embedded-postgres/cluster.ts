import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../config.ts';
import { withOwnerConnection } from '../database/connections.ts';
import { SQLSTATE, sqlState } from '../database/errors.ts';
import { writeFor } from './files.ts';
import { isAlive } from './postmaster.ts';
import {
  DATABASE,
  PASSWORD_FILE,
  pathForServer,
  ROLE,
  reasonIn,
  runServer,
  SETTINGS_FILE,
  type Server,
  urlOf,
} from './server.ts';
import { nameFiles, withUserName } from './unnamed-user.ts';

/** Below it in postgresql.conf is what people added. */
export const SETTINGS_MARK = '# Your own settings go below and win.\n';

/**
 * Built beside and renamed when complete, with its password inside: an interrupted start leaves only temporary files.
 */
export async function createCluster(server: Server, password = randomBytes(24).toString('hex')): Promise<void> {
  const { folder, pgdata, owner } = server;
  const started = Date.now();
  for (const name of await readdir(folder)) {
    const builder = /^postgres\.new-(\d+)/.exec(name)?.[1];
    if (builder !== undefined && (Number(builder) === process.pid || !isAlive(Number(builder)))) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
  }
  const staging = join(folder, `postgres.new-${process.pid}`);
  const passwordFile = `${staging}.password`;
  await mkdir(staging, { mode: 0o700 });
  try {
    if (owner !== undefined) await chown(staging, owner.uid, owner.gid);
    await writeFor(owner, passwordFile, password);
    await initialize({ ...server, pgdata: staging }, passwordFile);
    await rename(passwordFile, join(staging, PASSWORD_FILE));
    const settings = await readFile(join(staging, 'postgresql.conf'), 'utf8');
    const include = `include '${SETTINGS_FILE}' # rewritten at every start\n${SETTINGS_MARK}`;
    await writeFor(owner, join(staging, 'postgresql.conf'), `${settings}\n${include}`);
    await writeFor(owner, join(staging, SETTINGS_FILE), '');
    await rename(staging, pgdata).catch((error) => {
      // Another program was faster.
      if (!existsSync(join(pgdata, 'PG_VERSION'))) throw error;
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
    for (const file of [passwordFile, ...nameFiles(staging)]) await rm(file, { force: true });
  }
  server.log(`created the database in ${pgdata} in ${Date.now() - started} ms`);
}

async function initialize(server: Server, passwordFile: string): Promise<void> {
  // The builtin provider sorts and folds case alike on every system; older servers need the system's.
  const builtin = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const system = [process.platform === 'linux' ? '--locale=C.UTF-8' : '--locale=C'];
  // The descriptor reaches the server's user where the path might not.
  const input = await open(passwordFile);
  try {
    const { code, output } = await runServer(
      server,
      'initdb',
      [
        ...['-D', pathForServer(server), '-U', ROLE, '--encoding=UTF8', '--data-checksums', '--no-instructions'],
        ...(Number.parseInt(server.version, 10) >= 17 ? builtin : system),
        ...['--auth=scram-sha-256', `--pwfile=${process.platform === 'win32' ? passwordFile : '/dev/stdin'}`],
        ...(server.throwaway ? ['--no-sync'] : []),
      ],
      { input: input.fd },
      server.owner === undefined ? await withUserName(server.pgdata) : undefined,
    );
    if (code !== 0)
      throw new StartError(`data folder ${server.folder}: cannot create the database: ${reasonIn(output)}`);
  } finally {
    await input.close();
  }
}

export async function ensureDatabase(port: number, password: string): Promise<void> {
  await withOwnerConnection(urlOf(port, password, 'postgres'), async (client) => {
    const { rows } = await client.query(`SELECT 1 FROM pg_database WHERE datname = '${DATABASE}'`);
    if (rows.length > 0) return;
    await client.query(`CREATE DATABASE ${DATABASE}`).catch((error) => {
      // Another program was faster.
      if (sqlState(error) !== SQLSTATE.DUPLICATE_DATABASE && sqlState(error) !== SQLSTATE.UNIQUE_VIOLATION) throw error;
    });
  });
}
