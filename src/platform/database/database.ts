import { PROGRAM_NAME, withLoginConnection } from './connections.ts';
import type { pg } from './driver.ts';
import { StorageFull } from './errors.ts';
import { sendEnclosed } from './pipelining.ts';
import { poolOf, withClient, withConnection } from './pool.ts';
import type { Scope } from './scope.ts';
import { asQuery, type Sql, sqlOver, type Transaction } from './sql.ts';
import {
  beginningOf,
  DEFAULT_SECONDS,
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

/** Opens the pool of a login that owns nothing. */
export function openDatabase(
  connectionString: string,
  options: { max?: number; name?: string; limits?: TimeLimitSeconds; connectMs?: number } = {},
): Database {
  const limits = timeLimitsOf(options.limits ?? DEFAULT_SECONDS);
  const settings = {
    connectionString,
    application_name: options.name ?? PROGRAM_NAME,
    options: `-c ${settingsOf(limits.request).join(' -c ')}`,
    connectionTimeoutMillis: options.connectMs ?? CONNECT_MS,
  };
  // Idle programs stay visible to each other: the last one to leave stops their common server.
  const pool = poolOf({ ...settings, max: options.max ?? 20, min: 1 });
  const outOfBandPool = poolOf({ ...settings, max: OUT_OF_BAND_CONNECTIONS });
  const held = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => held.add(client));
  pool.on('release', (_error, client) => held.delete(client));
  const storage = watchStorage(outOfBandPool);
  const made = new Map<Work, Database>();
  const doing = (work: Work): Database => {
    const known = made.get(work);
    if (known !== undefined) return known;
    const [begin, beginSnapshot] = [beginningOf('BEGIN', work, limits), beginningOf(BEGIN_SNAPSHOT, work, limits)];
    const onPool = (from: pg.Pool) => (scope: Scope) => ({
      ...sqlOver((statement) =>
        work === 'request'
          ? withConnection(from, scope, (client) => client.query(asQuery(statement)))
          : withClient(from, (client) => runEnclosed(client, scope, begin, statement)),
      ),
      pipelined: <T>(work: (sql: Sql) => Promise<T>) =>
        withClient(from, (client) => sendEnclosed(client, work, { scope, begin: beginSnapshot })),
    });
    const database: Database = {
      pool,
      doing,
      transaction: (scope, work) => retryConflicts(() => storage.watching(inTransaction(pool, scope, begin, work))),
      snapshot: (scope, work) => inTransaction(pool, scope, beginSnapshot, work),
      under: onPool(pool),
      outOfBand: onPool(outOfBandPool),
      assertWorking: storage.assertWorking,
      cancel: () => cancelStatements(connectionString, [...held]),
      close: async () => {
        await Promise.all([pool.end(), outOfBandPool.end()]);
      },
    };
    made.set(work, database);
    return database;
  };
  return doing('request');
}

const OUT_OF_BAND_CONNECTIONS = 2;

/** Remembers a write for which the disk had no room, until the server has room for a file again. */
function watchStorage(pool: pg.Pool) {
  let isFull = false;
  return {
    watching: async <T>(work: Promise<T>): Promise<T> => {
      try {
        return await work;
      } catch (error) {
        isFull ||= error instanceof StorageFull;
        throw error;
      }
    },
    assertWorking: () =>
      withClient(pool, async (client) => {
        await client.query(isFull ? NEEDS_ROOM : 'SELECT 1');
        isFull = false;
      }),
  };
}

/** Any login may do what needs more than its memory, and so a file: here 8 MB, for half a second at most. */
const NEEDS_ROOM = `SET LOCAL work_mem = '64kB'; SELECT count(*) FROM generate_series(1, 400000)`;

/** Longest wait for a connection: for a free one, or for the server to answer a new one. */
const CONNECT_MS = 15_000;

async function cancelStatements(connectionString: string, on: readonly pg.PoolClient[]): Promise<void> {
  const processes = on.map((client) => (client as pg.PoolClient & { processID: number }).processID);
  await withLoginConnection(connectionString, (client) =>
    client.query(
      `SELECT pg_cancel_backend(pg_stat_activity.pid) FROM pg_stat_activity
        WHERE pg_stat_activity.state = 'active' AND pg_stat_activity.pid = ANY ($1::integer[])`,
      [processes],
    ),
  );
}
