import { PROGRAM_NAME } from './connections.ts';
import type { pg } from './driver.ts';
import { StorageFull } from './errors.ts';
import { type Opening, openingOf } from './framed-query.ts';
import { type PoolSettings, poolOf, rejectReadOnlyServer, withClient } from './pool.ts';
import { shareOut } from './pool-shares.ts';
import type { Pooler } from './poolers.ts';
import { openReplica, type Replica } from './replica.ts';
import type { ReplicaHealth } from './replica-health.ts';
import { positionOf } from './replica-wal.ts';
import { type Scope, scopeCommands } from './scope.ts';
import { type Lend, lendFrom } from './second-connections.ts';
import { endSilent } from './silent-connections.ts';
import { type Sql, sqlOver, type Transaction } from './sql.ts';
import { SQL, type Statement } from './statement.ts';
import {
  DEFAULT_SECONDS,
  limitCommands,
  settingsOf,
  type TimeLimitSeconds,
  timeLimitsOf,
  type Work,
} from './time-limits.ts';
import { BEGIN_SNAPSHOT, inTransaction, pipelineEnclosed, retryConflicts, runEnclosed } from './transactions.ts';
import { cancelStatements, clientsHeld, selectWorking } from './working-statements.ts';

export interface Database {
  /** Statements of this scope, each on any pooled connection. */
  under(scope: Scope): Sql;
  /**
   * The same on connections that are kept for second ones, for what must be seen while a transaction of the caller goes
   * on. Whatever somebody asks for while he has a connection comes from these.
   */
  outOfBand(scope: Scope): Sql;
  /**
   * One transaction, READ COMMITTED. Deadlocks and serialization failures repeat the work at most five times, so the
   * work must not have effects outside the transaction; then TransactionBusy.
   */
  transaction<T>(scope: Scope, work: (sql: Transaction) => Promise<T>): Promise<T>;
  /** A read on one connection and one snapshot, for answers made of several statements. */
  snapshot<T>(scope: Scope, work: (sql: Transaction) => Promise<T>): Promise<T>;
  /** The same connections under the time limits of another kind of work. */
  doing(work: Work): Database;
  /** The same with the connections of one of the `sharers`. */
  sharing(name: string): Database;
  /** The same with all reads on the primary. */
  readonly primary: Database;
  readonly pool: pg.Pool;
  /**
   * Fails while the database does not answer, or, after a write for which its disk had no room, while it has none. On connections
   * of their own: those of the pool may all be at work.
   */
  assertWorking(): Promise<void>;
  /** Ends the statements that run on its connections at this moment: their callers get a StatementCancelled. */
  cancel(): Promise<void>;
  close(): Promise<void>;
}

interface DatabaseOptions {
  readonly max?: number;
  readonly name?: string;
  readonly limits?: TimeLimitSeconds;
  readonly connectMs?: number;
  readonly pooler?: Pooler;
  /** Who use the pool so that none takes all of it; the database itself is one more. */
  readonly sharers?: readonly string[];
  readonly replica?: ReplicaUse | undefined;
}

export interface ReplicaUse {
  readonly address: string;
  readonly health: ReplicaHealth;
  /** Whose reads go there; absent: all. */
  readonly readers?: readonly string[];
}

/** Opens the pool of a login that owns nothing. */
export function openDatabase(connectionString: string, options: DatabaseOptions = {}): Database {
  const limits = timeLimitsOf(options.limits ?? DEFAULT_SECONDS);
  const { connectMs = CONNECT_MS, name = PROGRAM_NAME, max = 20, sharers = [], pooler = 'none' } = options;
  const settings = { connectionString, application_name: name, connectionTimeoutMillis: connectMs, pooler };
  const limited = { ...settings, limits: settingsOf(limits.request) };
  // Idle programs stay visible to each other: the last one to leave stops their common server.
  const pool = poolOf({ ...limited, max, min: 1 });
  const outOfBandPool = poolOf({ ...limited, max: OUT_OF_BAND_CONNECTIONS });
  const probePool = poolOf({
    ...settings,
    limits: settingsOf(limits.probe),
    max: PROBE_CONNECTIONS,
    connectionTimeoutMillis: Math.min(connectMs, limits.probe.statement),
    query_timeout: limits.probe.statement,
  });
  const held = clientsHeld([pool, outOfBandPool]);
  const shareOf = shareOut(pool, [ITSELF, ...sharers], connectMs);
  const silence = endSilent(held, (processes) => selectWorking(probePool, processes));
  const storage = watchStorage(probePool);
  const replica = options.replica && openReplicaOf(options.replica, { ...limited, max, identity: pool });
  const readers = options.replica?.readers ?? [ITSELF, ...sharers];
  const whole = {
    pool,
    assertWorking: storage.assertWorking,
    cancel: async () => {
      await Promise.all([cancelStatements(probePool, held, pooler), replica?.cancel().catch(() => {})]);
    },
    close: async () => {
      silence.stop();
      await Promise.all([pool.end(), outOfBandPool.end(), probePool.end(), replica?.close()]);
    },
  };
  const second = lendFrom(outOfBandPool, outOfBandPool, pool);
  const made = new Map<string, Database>();
  const viewOf = (work: Work, sharer: string, isOnPrimary = replica === undefined): Database => {
    const key = `${work} ${sharer} ${isOnPrimary}`;
    const known = made.get(key);
    if (known !== undefined) return known;
    const isProbe = work === 'probe';
    const ofConnection = isProbe ? limits.probe : limits.request;
    const ownLimits = limitCommands(limits[work], pooler === 'none' ? ofConnection : undefined);
    const begin = openings('BEGIN', ownLimits);
    const beginSnapshot = openings(BEGIN_SNAPSHOT, ownLimits);
    const lend = lendFrom(isProbe ? probePool : shareOf(sharer), outOfBandPool, pool);
    const write = lendToWrite(lend);
    const read = isOnPrimary || isProbe || !readers.includes(sharer) ? readOn(lend) : readFrom(replica!, lend);
    const database: Database = {
      ...whole,
      doing: (other) => viewOf(other, sharer, isOnPrimary),
      sharing: (other) => viewOf(work, other, isOnPrimary),
      get primary() {
        return viewOf(work, sharer, true);
      },
      transaction: (scope, work) => retryConflicts(() => storage.watching(inTransaction(write, begin(scope), work))),
      snapshot: (scope, work) => read((lend) => inTransaction(lend, beginSnapshot(scope), work)),
      under: statementsOn(read, lend, begin, beginSnapshot),
      outOfBand: statementsOn(readOn(second), second, begin, beginSnapshot),
    };
    made.set(key, database);
    return database;
  };
  return viewOf('request', ITSELF);
}

/** The share of the database that nobody shares with: what all sharers need, such as the rights of callers. */
const ITSELF = '';

type Openings = (scope: Scope) => Opening;

/** What begins a transaction of each scope; those of the last scopes are kept. */
function openings(begin: string, limits: readonly string[]): Openings {
  const kept = new Map<string, Opening>();
  return (scope) => {
    const commands = [begin, ...limits, ...scopeCommands(scope)];
    const key = commands.join(';');
    const known = kept.get(key);
    if (known !== undefined) return known;
    const opening = openingOf(commands);
    if (kept.size >= MAX_KEPT_OPENINGS) kept.clear();
    if (opening.bytes.length < MAX_KEPT_BYTES) kept.set(key, opening);
    return opening;
  };
}

const MAX_KEPT_OPENINGS = 1_000;
const MAX_KEPT_BYTES = 4_096;

/** Does what only reads where reads go. */
type Read = <T>(work: (lend: Lend) => Promise<T>, statement?: Statement) => Promise<T>;

/** The one place that decides where reads go. */
function readFrom(replica: Replica, primary: Lend): Read {
  return (work, statement) => replica.read(work, () => work(primary), statement);
}

function readOn(lend: Lend): Read {
  return (work) => work(lend);
}

/** For what may write: a server that takes no writes is as good as lost, for the primary is another one now. */
function lendToWrite(lend: Lend): Lend {
  return (work) => lend((client) => work(client).catch(rejectReadOnlyServer(client)));
}

/** Single statements, each in a transaction of its own that brings scope and limits. */
function statementsOn(read: Read, lend: Lend, begin: Openings, beginSnapshot: Openings) {
  return (scope: Scope): Sql => {
    const send = (statement: Statement) => (on: Lend) =>
      lendToWrite(on)((client) => runEnclosed(client, begin(scope), statement));
    return {
      ...sqlOver((statement) => read(send(statement), statement)),
      run: async (statement) => (await send(statement)(lend)).rowCount ?? 0,
      pipelined: (work) => read((on) => on((client) => pipelineEnclosed(client, beginSnapshot(scope), work))),
    };
  };
}

/** The login of the primary is there as well, for a replica has all its roles. */
function openReplicaOf(
  { address, health }: ReplicaUse,
  primary: PoolSettings & { readonly connectionString: string; readonly max: number; readonly identity: object },
): Replica {
  const { identity, ...settings } = primary;
  const positions = poolOf({ ...settings, max: 1 });
  const position = positionOf(positions);
  const login = new URL(settings.connectionString);
  const there = new URL(address);
  there.username = login.username;
  there.password = login.password;
  const replica = openReplica({ ...settings, connectionString: there.href }, { health, position, identity });
  return {
    ...replica,
    close: async () => {
      await Promise.all([replica.close(), positions.end()]);
    },
  };
}

const OUT_OF_BAND_CONNECTIONS = 2;
/** Health and metrics are asked when all others are at work. */
const PROBE_CONNECTIONS = 2;

/** Remembers a write for which the disk had no room, until the server has room for a file again. */
function watchStorage(pool: pg.Pool) {
  let isFull = false;
  let asking: Promise<void> | undefined;
  return {
    watching: async <T>(work: Promise<T>): Promise<T> => {
      try {
        return await work;
      } catch (error) {
        isFull ||= error instanceof StorageFull;
        throw error;
      }
    },
    /** Who ask at the same time get one answer. */
    assertWorking: () => {
      asking ??= withClient(pool, async (client) => {
        if (isFull) await runEnclosed(client, SMALL_MEMORY, NEEDS_ROOM);
        else await client.query('SELECT 1');
        isFull = false;
      }).finally(() => {
        asking = undefined;
      });
      return asking;
    },
  };
}

/** Any login may do what needs more than its memory, and so a file: here 8 MB, for half a second at most. */
const NEEDS_ROOM = SQL`SELECT count(*) FROM generate_series(1, 400000)`;
const SMALL_MEMORY = openingOf(['BEGIN', `SET LOCAL work_mem = '64kB'`]);

/** Longest wait for a connection: for a free one, or for the server to answer a new one. */
const CONNECT_MS = 10_000;
