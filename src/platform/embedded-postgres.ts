import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, lchown, mkdir, open, readdir, readFile, realpath, rename, rm, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from './config.ts';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts';
import { type Outcome, type Run, runAs, type User } from './run-as.ts';
import { PROGRAM_NAME, sqlState, untilDisconnected, withOwnerConnection } from './sql.ts';

export interface EmbeddedPostgres {
  /** Of the role that owns everything. */
  readonly connectionString: string;
  /** Such as '18.4'. */
  readonly version: string;
  /** True when the server was running already: another program, or an earlier one that was killed, started it. */
  readonly adopted: boolean;
  /**
   * From now on starts the server again on its port whenever it ends without having been stopped here, and tells so. When
   * it cannot, or has had to RESTARTS times within RESTARTS_MS, calls `giveUp` once. Watches it on a connection of that
   * login: the owner's are for starting and migrating.
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
  /** For tests: no durability, so nothing waits for the disk; assertDurable refuses such a server. */
  readonly throwaway?: boolean;
}

/** The real PostgreSQL of a data folder: creates, adopts, recovers or starts it. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = resolve(options.dataDir);
  try {
    await makeFolder(folder);
    const server = await prepare(folder, options.log ?? (() => {}), options.throwaway ?? false);
    if (!existsSync(join(server.pgdata, 'PG_VERSION'))) await createCluster(server);
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

/** Refuses a server that would forget acknowledged entries when the power fails. */
export async function assertDurable(client: SettingsReader): Promise<void> {
  const { rows } = await client.query(
    `SELECT pg_settings.name FROM pg_settings
      WHERE pg_settings.name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND pg_settings.setting = 'off'
      ORDER BY pg_settings.name`,
  );
  if (rows.length === 0) return;
  const names = rows.map((row) => row.name).join(', ');
  throw new StartError(`the database is not durable: turn on ${names} in PostgreSQL's settings`);
}

/** Any connection or pool of the driver. */
export interface SettingsReader {
  query(text: string): Promise<{ rows: { name: string }[] }>;
}

const ROLE = 'partidas';
const DATABASE = 'partidas';
const PASSWORD_FILE = 'partidas.password';
const SETTINGS_FILE = 'partidas.conf';
const OLDEST = 15;
/** Older ones, when they start, go to the folder of their binaries and fail to come back. */
const OLDEST_IN_CLOSED_FOLDER = 16;
const STOP_MS = 7_000;
/** Crash recovery replays at most max_wal_size and a little. */
const RECOVERY_MS = 600_000;
/** How long the processes of a killed server may hold its shared memory before we give up. */
const RELEASE_MS = 30_000;
/** How long the server may show connections that are closed already. */
const NOTICE_MS = 1_500;
const MAX_LOG = 10_000_000;
/** A server that ends more often than this is not helped by starting it again. */
const RESTARTS = 5;
const RESTARTS_MS = 600_000;

interface Server extends PostgresBinaries {
  /** DATA_DIR. */
  readonly folder: string;
  readonly pgdata: string;
  /** PostgreSQL refuses to run as root: whom it runs as then. */
  readonly owner: User | undefined;
  readonly throwaway: boolean;
  readonly log: (line: string) => void;
}

/** The first lines of postmaster.pid. */
interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

/** Not mkdir's own recursion, which never ends under /proc (Node 24). */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (code !== 'ENOENT' || existsSync(dirname(path))) throw error;
    await makeFolder(dirname(path));
    await mkdir(path);
  }
}

async function prepare(folder: string, log: (line: string) => void, throwaway: boolean): Promise<Server> {
  const pgdata = join(folder, 'postgres');
  const owner = process.getuid?.() === 0 ? await ownerOf(pgdata) : undefined;
  const created = await readIfThere(join(pgdata, 'PG_VERSION'));
  const made = created === undefined ? undefined : Number.parseInt(created, 10);
  const oldest = (await canPass(folder, owner)) ? OLDEST : OLDEST_IN_CLOSED_FOLDER;
  const binaries = await findPostgresBinaries(
    folder,
    owner,
    (major) => major >= oldest && (made === undefined || major === made),
  );
  if (binaries !== undefined) return { folder, pgdata, owner, throwaway, log, ...binaries };
  throw new StartError(
    made === undefined
      ? `no PostgreSQL runs on ${process.platform}-${process.arch}: install ${oldest} or newer, or set DATABASE_URL`
      : `data folder ${folder} was made by PostgreSQL ${made}: none of that version runs here`,
  );
}

/** The database's present owner when that is not root, so that a folder made by an ordinary user stays that user's. */
async function ownerOf(pgdata: string): Promise<User> {
  const present = await stat(pgdata).catch(() => undefined);
  const owner = present && present.uid !== 0 ? present : ((await userNamed('postgres')) ?? (await userNamed('nobody')));
  if (owner === undefined) throw new StartError('PostgreSQL cannot run as root, and no user postgres or nobody exists');
  const user = { uid: owner.uid, gid: owner.gid };
  const { code, output } = await runAs('id', [], { cwd: '/', user });
  if (code !== 0) {
    throw new StartError(`root cannot run PostgreSQL as user ${user.uid} here (${output}): start as an ordinary user`);
  }
  if (present?.uid === 0) {
    // A copy made by root.
    const entries = await readdir(pgdata, { recursive: true });
    for (const path of ['', ...entries]) await lchown(join(pgdata, path), user.uid, user.gid);
  }
  return user;
}

async function canPass(folder: string, owner: User | undefined): Promise<boolean> {
  if (owner === undefined) return true;
  const { code } = await runAs('/bin/sh', ['-c', 'test -x "$0"', folder], { cwd: '/', user: owner });
  return code === 0;
}

async function userNamed(name: string): Promise<User | undefined> {
  const [uid, gid] = await Promise.all(['-u', '-g'].map((flag) => runAs('id', [flag, name], { cwd: '/' })));
  if (uid?.code !== 0 || gid?.code !== 0) return undefined;
  return { uid: Number(uid.output), gid: Number(gid.output) };
}

/** Built beside and renamed when complete, with its password inside: a start that is cut off leaves only rubbish. */
async function createCluster(server: Server): Promise<void> {
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
    await writeFor(owner, passwordFile, randomBytes(24).toString('hex'));
    await initialize({ ...server, pgdata: staging }, passwordFile);
    await rename(passwordFile, join(staging, PASSWORD_FILE));
    const settings = await readFile(join(staging, 'postgresql.conf'), 'utf8');
    const include = `include '${SETTINGS_FILE}' # rewritten at every start\n# Your own settings go below and win.\n`;
    await writeFor(owner, join(staging, 'postgresql.conf'), `${settings}\n${include}`);
    await writeFor(owner, join(staging, SETTINGS_FILE), '');
    await rename(staging, pgdata).catch((error) => {
      // Another program was faster.
      if (!existsSync(join(pgdata, 'PG_VERSION'))) throw error;
    });
  } finally {
    await rm(staging, { recursive: true, force: true });
    await rm(passwordFile, { force: true });
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
        ...['-D', hereFor(server), '-U', ROLE, '--encoding=UTF8', '--data-checksums', '--no-instructions'],
        ...(Number.parseInt(server.version, 10) >= 17 ? builtin : system),
        ...['--auth=scram-sha-256', `--pwfile=${process.platform === 'win32' ? passwordFile : '/dev/stdin'}`],
        ...(server.throwaway ? ['--no-sync'] : []),
      ],
      { input: input.fd },
    );
    if (code !== 0)
      throw new StartError(`data folder ${server.folder}: cannot create the database: ${reasonIn(output)}`);
  } finally {
    await input.close();
  }
}

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
    restarts = restarts.filter((at) => at > Date.now() - RESTARTS_MS);
    if (restarts.length >= RESTARTS) throw new StartError(`the database server ended ${RESTARTS + 1} times`);
    const running = await ensureRunning(server, password, port);
    if (running.port !== port) throw new StartError(`the database server has moved to port ${running.port}`);
    if (!running.adopted) restarts.push(Date.now());
    // A single connection that was ended is no reason to hurry.
    else await sleep(1_000);
  }
}

async function ensureRunning(
  server: Server,
  password: string,
  wantedPort?: number,
): Promise<{ port: number; adopted: boolean }> {
  const giveUp = Date.now() + RELEASE_MS;
  for (;;) {
    const live = await livePostmaster(server);
    if (live !== undefined) {
      const unfit = await reasonAgainst(server, password);
      const port = (await livePostmaster(server))?.port;
      if (unfit === undefined && port !== undefined) {
        server.log(`adopted PostgreSQL ${server.version} on 127.0.0.1:${port}, process ${live.pid}`);
        return { port, adopted: true };
      }
      server.log(`stopping the database server of an earlier start, process ${live.pid}: ${unfit ?? 'it ends'}`);
      await halt(server);
    }
    const port = wantedPort ?? (await freePort(server));
    const failure = await launch(server, port);
    if (failure === undefined) {
      server.log(`started PostgreSQL ${server.version} on 127.0.0.1:${port}`);
      return { port, adopted: false };
    }
    // Somebody took the port or the folder meanwhile, or a killed server's processes are still going.
    const passing = /could not bind|could not create any TCP|lock file|shared memory block/.test(failure);
    if (!passing || Date.now() > giveUp) throw new StartError(`data folder ${server.folder}: ${failure}`);
    if (failure.includes('shared memory block')) await endOrphans(server);
    await sleep(300);
  }
}

/**
 * The processes of a killed postmaster end when they next wait for something: one in the middle of a long statement
 * holds the shared memory until then.
 */
async function endOrphans(server: Server): Promise<void> {
  if (process.platform !== 'linux') return;
  const script = `for p in /proc/[0-9]*; do
    test "$p/cwd" -ef . && test "$(cat "$p/comm")" = postgres && kill -QUIT "\${p#/proc/}"
  done`;
  await runServer(server, '/bin/sh', ['-c', script]);
}

/** The postmaster of this very folder: after a kill or in a copied folder, postmaster.pid may name any process. */
async function livePostmaster(server: Server): Promise<Postmaster | undefined> {
  const file = join(server.pgdata, 'postmaster.pid');
  const [pid, folder, , port] = ((await readIfThere(file)) ?? '').split('\n');
  if (folder === undefined || !isAlive(Number(pid))) return undefined;
  const live = { pid: Number(pid), port: Number(port) };
  if (process.platform !== 'linux') {
    return resolve(folder) === (await realpath(server.pgdata)) ? live : undefined;
  }
  // As the server's user, because root without CAP_SYS_PTRACE, as in a container, may not look.
  const { code } = await runServer(server, '/bin/sh', ['-c', 'test /proc/$0/cwd -ef .', String(pid)]);
  if (code === 0) return live;
  // PostgreSQL itself takes any live process of that number for a server and would refuse to start.
  if ((await readIfThere(file))?.startsWith(`${pid}\n`)) await rm(file, { force: true });
  return undefined;
}

/** undefined when the running server may be adopted. Waits while it recovers. */
async function reasonAgainst(server: Server, password: string): Promise<string | undefined> {
  const giveUp = Date.now() + RELEASE_MS;
  const recovered = Date.now() + RECOVERY_MS;
  for (let busy = false; Date.now() < (busy ? recovered : giveUp); await sleep(200)) {
    const live = await livePostmaster(server);
    if (live === undefined) return 'it has ended';
    try {
      const answer = withOwnerConnection(urlOf(live.port, password, 'postgres'), async (client) => {
        // Halting a server that hangs must not end this program.
        client.on('error', () => {});
        if (!server.throwaway) await assertDurable(client);
        const { rows } = await client.query<{ bin: string; users: number }>(
          `SELECT (SELECT pg_config.setting FROM pg_config() WHERE pg_config.name = 'BINDIR') AS bin,
                  (SELECT count(*) FROM pg_stat_activity WHERE pg_stat_activity.backend_type = 'client backend') AS users`,
        );
        return rows[0];
      });
      const found = await Promise.race([answer, sleep(5_000, undefined, { ref: false })]);
      if (found === undefined) continue;
      // Its libraries may be gone or of another version, and are loaded when first used; unless a program works with it.
      const ours = found.users > 1 || found.bin === (await realpath(server.bin));
      return ours ? undefined : `it runs from ${found.bin}`;
    } catch (error) {
      if (error instanceof StartError) return error.message;
      if (sqlState(error) === '28P01') {
        throw new StartError(`${join(server.pgdata, PASSWORD_FILE)} does not hold the password of role ${ROLE}`);
      }
      busy = sqlState(error) === '57P03';
    }
  }
  return 'it does not answer';
}

/** undefined, or the server's reason in one line. */
async function launch(server: Server, port: number): Promise<string | undefined> {
  await writeFor(server.owner, join(server.pgdata, SETTINGS_FILE), settingsFor(server, port));
  const path = join(server.folder, 'postgres.log');
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > MAX_LOG) await rename(path, `${path}.1`);
  const messages = await open(path, 'a', 0o600);
  try {
    if (server.owner !== undefined) await messages.chown(server.owner.uid, server.owner.gid);
    const before = (await messages.stat()).size;
    const { code } = await runServer(
      server,
      'pg_ctl',
      ['start', '-D', hereFor(server), '--silent', '--wait', `--timeout=${RECOVERY_MS / 1000}`],
      { output: messages.fd },
    );
    if (code === 0) return undefined;
    const reason = reasonIn((await readFile(path)).subarray(before).toString());
    const { bavail, bsize } = await statfs(server.folder);
    // A full disk has no room for the reason either.
    return bavail * bsize < 1_000_000 ? 'no space left on its disk' : `${reason} (more in ${path})`;
  } finally {
    await messages.close();
  }
}

function settingsFor(server: Server, port: number): string {
  const durability = server.throwaway ? 'off' : 'on';
  return Object.entries({
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    password_encryption: 'scram-sha-256',
    max_connections: 100,
    shared_buffers: '256MB',
    work_mem: '32MB',
    maintenance_work_mem: '128MB',
    // Parallel queries then need no /dev/shm, of which a container has 64 MB.
    min_dynamic_shared_memory: '64MB',
    fsync: durability,
    full_page_writes: durability,
    synchronous_commit: durability,
    wal_compression: 'on',
    max_wal_size: '2GB',
    random_page_cost: 1.1,
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    client_encoding: 'UTF8',
    // What a killed program was running ends with it. Windows cannot watch a connection.
    client_connection_check_interval: process.platform === 'win32' ? '0' : '1s',
    // The program reports failed statements itself; logging them here too would let clients fill the disk.
    log_min_messages: 'log',
    log_checkpoints: 'off',
  })
    .map(([name, value]) => `${name} = '${value}'\n`)
    .join('');
}

async function freePort(server: Server): Promise<number> {
  const settings = await readIfThere(join(server.pgdata, SETTINGS_FILE));
  const last = Number(/^port = '(\d+)'/m.exec(settings ?? '')?.[1] ?? 0);
  return (await listenOnce(last)) ?? (await listenOnce(0)) ?? 0;
}

function listenOnce(port: number): Promise<number | undefined> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', () => done(undefined));
    probe.listen({ port, host: '127.0.0.1' }, () => {
      const address = probe.address();
      probe.close(() => done(typeof address === 'object' ? address?.port : undefined));
    });
  });
}

async function ensureDatabase(port: number, password: string): Promise<void> {
  await withOwnerConnection(urlOf(port, password, 'postgres'), async (client) => {
    const { rows } = await client.query(`SELECT 1 FROM pg_database WHERE datname = '${DATABASE}'`);
    if (rows.length > 0) return;
    await client.query(`CREATE DATABASE ${DATABASE}`).catch((error) => {
      // Another program was faster.
      if (sqlState(error) !== '42P04' && sqlState(error) !== '23505') throw error;
    });
  });
}

async function leave(server: Server, password: string): Promise<void> {
  const live = await livePostmaster(server);
  if (live === undefined) return;
  if (!server.throwaway && (await isUsedByOthers(urlOf(live.port, password, DATABASE)))) {
    server.log(`left PostgreSQL on 127.0.0.1:${live.port} to another program`);
    return;
  }
  await halt(server);
}

/** Whoever looks has closed its own connections; the server may take a moment to notice. */
async function isUsedByOthers(url: string): Promise<boolean> {
  const connected = () =>
    withOwnerConnection(url, async (client) => {
      const { rowCount } = await client.query(
        `SELECT 1 FROM pg_stat_activity
          WHERE pg_stat_activity.application_name LIKE '${PROGRAM_NAME}%' AND pg_stat_activity.pid <> pg_backend_pid()`,
      );
      return rowCount !== 0;
    }).catch(() => false);
  for (const giveUp = Date.now() + NOTICE_MS; await connected(); await sleep(100)) {
    if (Date.now() > giveUp) return true;
  }
  return false;
}

/** By signals, because node_modules may have been replaced under the running server. */
async function halt(server: Server): Promise<void> {
  const live = await livePostmaster(server);
  if (live === undefined) return;
  for (const [signal, name] of [
    ['SIGINT', 'INT'],
    ['SIGQUIT', 'QUIT'],
  ] as const) {
    if (process.platform === 'win32') await runServer(server, 'pg_ctl', ['kill', name, String(live.pid)]);
    else if (isAlive(live.pid)) process.kill(live.pid, signal);
    if (await goneWithin(STOP_MS, server, live.pid)) return;
  }
  throw new StartError(`data folder ${server.folder}: the database server, process ${live.pid}, does not stop`);
}

/** The file goes last; a process may stay as a zombie where nobody collects it. */
async function goneWithin(milliseconds: number, server: Server, pid: number): Promise<boolean> {
  const file = join(server.pgdata, 'postmaster.pid');
  for (const giveUp = Date.now() + milliseconds; Date.now() < giveUp; await sleep(50)) {
    if (!isAlive(pid) || !(await readIfThere(file))?.startsWith(`${pid}\n`)) return true;
  }
  return false;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function urlOf(port: number, password: string, database: string): string {
  // The driver would otherwise take PGSSLMODE from the environment.
  return `postgresql://${ROLE}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;
}

/**
 * The data folder as the server names it, always started inside. The server's user may be unable to pass the folders
 * above (a home that others cannot read): it changes to the absolute form of '.' and fails, to this name it can.
 */
function hereFor(server: Server): string {
  return server.owner !== undefined && process.platform === 'linux' ? '/proc/self/cwd' : '.';
}

/** Never through a link that the folder's owner planted: root writes here too. */
async function writeFor(owner: User | undefined, path: string, text: string): Promise<void> {
  await rm(path, { force: true });
  const file = await open(path, 'wx', 0o600);
  try {
    if (owner !== undefined) await file.chown(owner.uid, owner.gid);
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** What PostgreSQL says first of what stopped it. */
function reasonIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const line = lines.find((text) => /FATAL|PANIC|error:/.test(text)) ?? lines.at(-1) ?? 'it gave no reason';
  return line.replace(/^.*?(FATAL|PANIC|error): +/, '').trim();
}

async function runServer(
  server: Server,
  program: string,
  args: string[],
  descriptors: Omit<Run, 'cwd' | 'user'> = {},
): Promise<Outcome> {
  const outcome = await runAs(resolve(server.bin, program), args, {
    cwd: server.pgdata,
    user: server.owner,
    ...descriptors,
  });
  if (outcome.code !== undefined) return outcome;
  const as = server.owner === undefined ? '' : ` as user ${server.owner.uid}`;
  throw new StartError(`cannot run ${resolve(server.bin, program)}${as}: ${outcome.output}`);
}
