import { PROGRAM_NAME } from './connections.ts';
import type { pg } from './driver.ts';
import { StorageFull } from './errors.ts';
import { sendEnclosed } from './pipelining.ts';
import { poolOf, withClient, withConnection } from './pool.ts';
import { type Connections, shareOut } from './pool-shares.ts';
import type { Scope } from './scope.ts';
import { endSilent } from './silent-connections.ts';
import { asQuery, type Sql, sqlOver, type Transaction } from './sql.ts';
import {
  beginningOf,
  DEFAULT_SECONDS,
  hasOwnLimits,
  settingsOf,
  type TimeLimitSeconds,
  timeLimitsOf,
  type Work,
} from './time-limits.ts';
import { BEGIN_SNAPSHOT, inTransaction, retryConflicts, runEnclosed } from './transactions.ts';

export interface Database {
  /** Statements of this scope, each on any pooled connection. */
  under(scope: Scope): Sql;
  /**
   * The same on connections of their own, for what must be seen while a transaction of the caller goes on: from the
   * pool, transactions that hold all its connections would wait for one more.
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
  /** Who use the pool so that none takes all of it; the database itself is one more. */
  readonly sharers?: readonly string[];
}

/** Opens the pool of a login that owns nothing. */
export function openDatabase(connectionString: string, options: DatabaseOptions = {}): Database {
  const limits = timeLimitsOf(options.limits ?? DEFAULT_SECONDS);
  const { connectMs = CONNECT_MS, name = PROGRAM_NAME, max = 20, sharers = [] } = options;
  const settings = { connectionString, application_name: name, connectionTimeoutMillis: connectMs };
  const limited = { ...settings, options: `-c ${settingsOf(limits.request).join(' -c ')}` };
  // Idle programs stay visible to each other: the last one to leave stops their common server.
  const pool = poolOf({ ...limited, max, min: 1 });
  const outOfBandPool = poolOf({ ...limited, max: OUT_OF_BAND_CONNECTIONS });
  const probePool = poolOf({
    ...settings,
    options: `-c ${settingsOf(limits.probe).join(' -c ')}`,
    max: PROBE_CONNECTIONS,
    connectionTimeoutMillis: Math.min(connectMs, limits.probe.statement),
    query_timeout: limits.probe.statement,
  });
  const held = clientsHeld([pool, outOfBandPool]);
  const shareOf = shareOut(pool, [ITSELF, ...sharers], connectMs);
  const silence = endSilent(held, (processes) => selectWorking(probePool, processes));
  const storage = watchStorage(probePool);
  const whole = {
    pool,
    assertWorking: storage.assertWorking,
    cancel: () => cancelStatements(probePool, [...held]),
    close: async () => {
      silence.stop();
      await Promise.all([pool.end(), outOfBandPool.end(), probePool.end()]);
    },
  };
  const made = new Map<string, Database>();
  const viewOf = (work: Work, sharer: string): Database => {
    const known = made.get(`${work} ${sharer}`);
    if (known !== undefined) return known;
    const [begin, beginSnapshot] = [beginningOf('BEGIN', work, limits), beginningOf(BEGIN_SNAPSHOT, work, limits)];
    const from = work === 'probe' ? probePool : shareOf(sharer);
    const on = statementsOn({ isEnclosed: !hasOwnLimits(work), begin, beginSnapshot });
    const database: Database = {
      ...whole,
      doing: (other) => viewOf(other, sharer),
      sharing: (other) => viewOf(work, other),
      transaction: (scope, work) => retryConflicts(() => storage.watching(inTransaction(from, scope, begin, work))),
      snapshot: (scope, work) => inTransaction(from, scope, beginSnapshot, work),
      under: on(from),
      outOfBand: on(outOfBandPool),
    };
    made.set(`${work} ${sharer}`, database);
    return database;
  };
  return viewOf('request', ITSELF);
}

/** The share of the database that nobody shares with: what all sharers need, such as the rights of callers. */
const ITSELF = '';

/** Single statements on connections of a pool; enclosed, each brings its time limits with it. */
function statementsOn(options: {
  readonly isEnclosed: boolean;
  readonly begin: string;
  readonly beginSnapshot: string;
}) {
  const { isEnclosed, begin, beginSnapshot } = options;
  return (from: Connections) =>
    (scope: Scope): Sql => ({
      ...sqlOver((statement) =>
        isEnclosed
          ? withClient(from, (client) => runEnclosed(client, scope, begin, statement))
          : withConnection(from, scope, (client) => client.query(asQuery(statement))),
      ),
      pipelined: <T>(work: (sql: Sql) => Promise<T>) =>
        withClient(from, (client) => sendEnclosed(client, work, { scope, begin: beginSnapshot })),
    });
}

/** The connections that somebody works on. */
function clientsHeld(pools: readonly pg.Pool[]): Set<pg.PoolClient> {
  const held = new Set<pg.PoolClient>();
  for (const pool of pools) {
    pool.on('acquire', (client) => held.add(client));
    pool.on('release', (_error, client) => held.delete(client));
  }
  return held;
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
        await client.query(isFull ? NEEDS_ROOM : 'SELECT 1');
        isFull = false;
      }).finally(() => {
        asking = undefined;
      });
      return asking;
    },
  };
}

/** Any login may do what needs more than its memory, and so a file: here 8 MB, for half a second at most. */
const NEEDS_ROOM = `SET LOCAL work_mem = '64kB'; SELECT count(*) FROM generate_series(1, 400000)`;

/** Longest wait for a connection: for a free one, or for the server to answer a new one. */
const CONNECT_MS = 10_000;

type Backend = pg.PoolClient & { readonly processID: number };

/** Those of the server's processes that work on a statement; all, where a pooler between hides which they are. */
async function selectWorking(pool: pg.Pool, processes: readonly number[]): Promise<Set<number>> {
  const rows = await withClient(pool, async (client) => {
    const own = (client as Backend).processID;
    const answer = await client.query<{ pid: number; own: number }>(
      `SELECT pg_stat_activity.pid, pg_backend_pid() AS own FROM pg_stat_activity
        WHERE pg_stat_activity.pid = ANY ($1::integer[]) AND pg_stat_activity.state NOT LIKE 'idle%'`,
      [[...processes, own]],
    );
    return answer.rows.map(({ pid, own: actual }) => ({ pid, isDirect: actual === own }));
  });
  return new Set(rows.some(({ isDirect }) => isDirect) ? rows.map(({ pid }) => pid) : processes);
}

async function cancelStatements(pool: pg.Pool, on: readonly pg.PoolClient[]): Promise<void> {
  const processes = (on as readonly Backend[]).map(({ processID }) => processID);
  await withClient(pool, (client) =>
    client.query(
      `SELECT pg_cancel_backend(pg_stat_activity.pid) FROM pg_stat_activity
        WHERE pg_stat_activity.state = 'active' AND pg_stat_activity.pid = ANY ($1::integer[])`,
      [processes],
    ),
  );
}
