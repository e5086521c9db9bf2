import { existsSync } from 'node:fs';
import { readdir, readFile, statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../config.ts';
import { untilDisconnected } from '../database/connections.ts';
import { ensureRunning } from './adopt.ts';
import { createCluster, ensureDatabase } from './cluster.ts';
import { makeFolder } from './files.ts';
import { DATABASE, KEPT_FOLDER, PASSWORD_FILE, prepare, type Server, urlOf } from './server.ts';
import { leave } from './stop.ts';
import { type WalArchiveSettings, withArchive } from './wal-archive.ts';

export interface EmbeddedPostgres {
  /** Of the role that owns everything. */
  readonly connectionString: string;
  /** Such as '18.4'. */
  readonly version: string;
  /** True when the server was running already: another program, or an earlier one that was killed, started it. */
  readonly adopted: boolean;
  /**
   * Restarts the server on its port, and logs it, whenever it ends without being stopped here. Calls `giveUp` once when
   * a restart fails or RESTARTS restarts happened within RESTARTS_MS. Watches it on a connection of that login: the
   * owner's are for starting and migrating.
   */
  keepRunning(loginUrl: string, tell: (line: string) => void, giveUp: (reason: Error) => void): void;
  /**
   * Stops the server, an adopted one too, unless another program still works with it: the last one out stops it. Within
   * STOP_MS by a clean shutdown, else at once, to recover on the next start.
   */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** The database lives in its folder `postgres`; the server's own messages in `postgres.log`. */
  readonly dataDir: string;
  readonly log?: (line: string) => void;
  /** For tests: no durability, so nothing waits for the disk; assertDurable rejects such a server. */
  readonly throwaway?: boolean;
  /** Where the server's log is archived, for backups to go on from. */
  readonly walArchive?: WalArchiveSettings | undefined;
  /** False for a command, which ends soon. */
  readonly serves?: boolean;
}

/** The real PostgreSQL of a data folder: creates, adopts, recovers or starts it. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = resolve(options.dataDir);
  try {
    await makeFolder(folder);
    const prepared = await prepare(folder, options.log ?? (() => {}), options.throwaway ?? false);
    if (!existsSync(join(prepared.pgdata, 'PG_VERSION'))) {
      await rejectHalfUpgraded(folder);
      await createCluster(prepared);
    }
    const server = await withArchive(prepared, options.walArchive, options.serves ?? false);
    const password = await readFile(join(server.pgdata, PASSWORD_FILE), 'utf8');
    const { port, adopted } = await ensureRunning(server, password);
    await ensureDatabase(port, password);
    let stopping: Promise<void> | undefined;
    const unwatch = new AbortController();
    let watch: Promise<void> | undefined;
    return {
      connectionString: urlOf(port, password, DATABASE),
      keepRunning: (loginUrl, tell, giveUp) => {
        watch ??= startAgainUntil(unwatch.signal, { ...server, log: tell }, { port, password, loginUrl }).catch(giveUp);
      },
      version: server.version,
      adopted,
      stop: () => {
        unwatch.abort();
        stopping ??= (watch ?? Promise.resolve()).then(() => leave(server, password));
        return stopping;
      },
    };
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    throw new StartError(`DATA_DIR: data folder ${folder}: ${error.message}`, { cause: error });
  }
}

/** For what makes no sense on a new and empty database. @throws StartError where DATA_DIR has none */
export function requireDatabase(dataDir: string): void {
  if (existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) return;
  throw new StartError(`DATA_DIR: ${dataDir} has no database`);
}

/** An upgrade that was killed while the folders changed places; a new and empty database would look like a loss. */
async function rejectHalfUpgraded(folder: string): Promise<void> {
  const kept = (await readdir(folder)).find((name) => KEPT_FOLDER.test(name));
  if (kept === undefined) return;
  throw new StartError(
    `data folder ${folder}: an upgrade was interrupted: run npm run admin -- upgrade-database again`,
  );
}

/** Beyond this, restarting does not help. */
const RESTARTS = 5;
const RESTARTS_MS = 600_000;

/** Waits for the server's end on a connection, starts it again, and so on. */
async function startAgainUntil(
  stop: AbortSignal,
  server: Server,
  { port, password, loginUrl }: { port: number; password: string; loginUrl: string },
): Promise<void> {
  let restarts: number[] = [];
  for (;;) {
    await untilDisconnected(loginUrl, stop).catch(() => {});
    if (stop.aborted) return;
    const hadRoom = await untilRoom(server, stop);
    if (stop.aborted) return;
    restarts = restarts.filter((at) => at > Date.now() - RESTARTS_MS);
    if (restarts.length >= RESTARTS) throw new StartError(`the database server ended ${RESTARTS + 1} times`);
    const running = await ensureRunning(server, password, port);
    if (running.port !== port) throw new StartError(`the database server has moved to port ${running.port}`);
    // A full disk is no defect of the server: it is started as often as there is room again.
    if (!running.adopted && hadRoom) restarts.push(Date.now());
    // One ended connection does not mean that the server ended.
    else await sleep(1_000);
  }
}

/** Two files of the log that the server writes ahead; without room for them it ends again. */
const ROOM = 33_554_432;

/** Waits until the server's disks have room to start; false where they had none. */
async function untilRoom(server: Server, stop: AbortSignal): Promise<boolean> {
  for (let hadRoom = true; ; hadRoom = false) {
    if (stop.aborted || (await hasRoom(server))) return hadRoom;
    if (hadRoom) server.log('the disk of the database is full: it starts again as soon as there is room');
    await sleep(1_000);
  }
}

async function hasRoom({ pgdata }: Server): Promise<boolean> {
  const rooms = [pgdata, join(pgdata, 'pg_wal')].map((folder) =>
    statfs(folder).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => Number.POSITIVE_INFINITY,
    ),
  );
  return Math.min(...(await Promise.all(rooms))) >= ROOM;
}
