import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** An SQL statement; a name makes it a prepared statement of the connection (hot paths). */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** Runs statements under one scope. bigint ids arrive as numbers, NUMERIC as text, DATE as 'YYYY-MM-DD'. */
export interface Sql {
  rows<Row>(statement: Statement): Promise<Row[]>;
  /** The only row, or undefined; more than one is a programming error. */
  maybe<Row>(statement: Statement): Promise<Row | undefined>;
  /** The only row; none is a programming error. */
  one<Row>(statement: Statement): Promise<Row>;
  /** The number of rows touched. */
  run(statement: Statement): Promise<number>;
  /**
   * Reads of one moment in one round trip: all statements go out before the first answer comes, so none may need
   * another's. `work` gives them away before it waits for anything: `sql.pipelined((sql) => Promise.all([…]))`.
   */
  pipelined<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
}

/** Inside a transaction; `connection` is for COPY and cursors. */
export interface Transaction extends Sql {
  readonly connection: pg.PoolClient;
}

/**
 * What a connection may see, set on it before its first statement and compared by the policies of every tenant
 * table: companies at all, companies whole, single branches. SYSTEM_SCOPE is for administrators and the program's own
 * work.
 */
export interface Scope {
  readonly companies: readonly number[] | '*';
  readonly wholeCompanies: readonly number[];
  readonly branches: readonly number[];
}

export const SYSTEM_SCOPE: Scope = { companies: '*', wholeCompanies: [], branches: [] };

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
  /** Ends the statements that run on its connections at this moment: their callers get a StatementCancelled. */
  cancel(): Promise<void>;
  close(): Promise<void>;
}

/** What the time limits of statements depend on: an answer that somebody waits for is the shortest. */
export type Work = 'request' | 'read' | 'import' | 'job';

/** In milliseconds; none of them costs a round trip. */
interface TimeLimits {
  readonly statement: number;
  /** How long a statement waits for one lock. */
  readonly lock: number;
  /** How long a transaction may keep its locks without sending anything. */
  readonly idle: number;
}

/** Seconds that a statement of each kind of work may take; `lock` and `idle` hold for answers that somebody waits for. */
export type TimeLimitSeconds = Readonly<Record<Work | 'lock' | 'idle', number>>;

export const DEFAULT_SECONDS: TimeLimitSeconds = { request: 30, read: 60, import: 600, job: 1800, lock: 15, idle: 60 };

/** Imports and jobs may wait as long as they may work. */
function timeLimitsOf(seconds: TimeLimitSeconds): Readonly<Record<Work, TimeLimits>> {
  const waiting = { lock: seconds.lock * 1_000, idle: seconds.idle * 1_000 };
  const patient = (limit: number) => ({ statement: limit * 1_000, lock: limit * 1_000, idle: limit * 1_000 });
  return {
    request: { statement: seconds.request * 1_000, ...waiting },
    read: { statement: seconds.read * 1_000, ...waiting },
    import: patient(seconds.import),
    job: patient(seconds.job),
  };
}

/** The database gave up for now; the caller may repeat the request. */
export class TransactionBusy extends Error {}

/** The connection broke, or none can be made: the server has ended, or is starting. */
export class DatabaseLost extends Error {}

/** Somebody ended the statement: this program, because it stops, or a hand at the database. */
export class StatementCancelled extends Error {}

/** A connection that belongs to no pool. */
export type LoneConnection = pg.Client;

/** How every connection of ours begins its application_name. */
export const PROGRAM_NAME = 'partidas';

/** Opens the pool of a login that owns nothing. */
export function openDatabase(
  connectionString: string,
  options: { max?: number; name?: string; limits?: TimeLimitSeconds } = {},
): Database {
  const limits = timeLimitsOf(options.limits ?? DEFAULT_SECONDS);
  const settings = {
    connectionString,
    application_name: options.name ?? PROGRAM_NAME,
    options: `-c ${settingsOf(limits.request).join(' -c ')}`,
  };
  // Idle programs stay visible to each other: the last one to leave stops their common server.
  const pool = poolOf({ ...settings, max: options.max ?? 20, min: 1 });
  const outOfBandPool = poolOf({ ...settings, max: OUT_OF_BAND_CONNECTIONS });
  const held = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => held.add(client));
  pool.on('release', (_error, client) => held.delete(client));
  const doing = (work: Work): Database => {
    const [begin, beginSnapshot] = [beginningOf('BEGIN', work, limits), beginningOf(BEGIN_SNAPSHOT, work, limits)];
    const onPool = (from: pg.Pool) => (scope: Scope) => ({
      ...sqlOver((statement) =>
        work === 'request'
          ? withConnection(from, scope, (client) => client.query(asQuery(statement)))
          : withClient(from, (client) => enclosed(client, scope, begin, statement)),
      ),
      pipelined: <T>(work: (sql: Sql) => Promise<T>) =>
        withClient(from, (client) => sendPipelined(client, work, { scope, begin: beginSnapshot })),
    });
    return {
      pool,
      doing,
      transaction: (scope, work) => retrying(() => inTransaction(pool, scope, begin, work)),
      snapshot: (scope, work) => inTransaction(pool, scope, beginSnapshot, work),
      under: onPool(pool),
      outOfBand: onPool(outOfBandPool),
      cancel: () => cancelStatements(connectionString, [...held]),
      close: async () => {
        await Promise.all([pool.end(), outOfBandPool.end()]);
      },
    };
  };
  return doing('request');
}

function settingsOf({ statement, lock, idle }: TimeLimits): string[] {
  return [`statement_timeout=${statement}`, `lock_timeout=${lock}`, `idle_in_transaction_session_timeout=${idle}`];
}

/** The limits of requests are the connection's own; others go out in the write that begins a transaction. */
function beginningOf(begin: string, work: Work, limits: Readonly<Record<Work, TimeLimits>>): string {
  return work === 'request'
    ? begin
    : [begin, ...settingsOf(limits[work]).map((each) => `SET LOCAL ${each}`)].join('; ');
}

const OUT_OF_BAND_CONNECTIONS = 2;

function poolOf(settings: pg.PoolConfig & { readonly options: string }): pg.Pool {
  const pool = new pg.Pool({
    ...settings,
    options: `-c search_path=public -c timezone=UTC ${settings.options}`,
    connectionTimeoutMillis: 15_000,
    idleTimeoutMillis: 60_000,
  });
  // Without listeners, a connection that breaks, idle or at work, would end the process; its statement fails anyway.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', (error) => endOf.has(client) || endOf.set(client, error)));
  return pool;
}

/** What the server said first when it ended the connection. */
const endOf = new WeakMap<object, unknown>();

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

/** A connection of its own, without scope, for the owner's work (migrations); closed after the work. */
export function withOwnerConnection<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return onConnection({ connectionString, application_name: `${PROGRAM_NAME}-owner` }, work);
}

/** The same as one of the program's logins. */
export function withLoginConnection<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return onConnection({ connectionString, application_name: `${PROGRAM_NAME}-out-of-band` }, work);
}

async function onConnection<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config);
  // A connection that dies between two statements fails the next one; unheard, it would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Waits on a connection that does nothing else until the server ends it, or the signal comes. */
export function untilDisconnected(connectionString: string, signal: AbortSignal): Promise<void> {
  return withLoginConnection(
    connectionString,
    (client) =>
      new Promise<void>((resolve) => {
        client.once('end', resolve);
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
      }),
  );
}

/** PostgreSQL's code of an error: '23505' unique violation, and so on; undefined for other errors. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && code.length === 5 ? code : undefined;
}

/** Name of the violated constraint or index. */
export function constraintOf(error: unknown): string | undefined {
  return (error as { constraint?: string } | undefined)?.constraint;
}

async function inTransaction<T>(
  pool: pg.Pool,
  scope: Scope,
  begin: string,
  work: (sql: Transaction) => Promise<T>,
): Promise<T> {
  return withConnection(pool, scope, async (client) => {
    const opening = lazyBegin(client, begin);
    try {
      const result = await work({
        ...sqlOver(opening.query),
        pipelined: async (reads) => {
          await opening.begun();
          return sendPipelined(client, reads);
        },
        get connection() {
          // Its failure comes back with the statement that is sent behind it.
          opening.begun().catch(() => {});
          return client;
        },
      });
      await opening.begun();
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      throw error;
    }
  });
}

/**
 * Statements of a transaction whose BEGIN goes out with the first of them. Posting an entry waits five times for the
 * database instead of six; each wait is a switch between two processes.
 */
function lazyBegin(client: pg.PoolClient, begin: string) {
  let opening: Promise<unknown> | undefined;
  const begun = (): Promise<unknown> => {
    opening ??= client.query(begin);
    return opening;
  };
  const query = async (statement: Statement): Promise<pg.QueryResult> => {
    if (opening !== undefined) {
      await opening;
      return client.query(asQuery(statement));
    }
    const first = corkedWrite(client, async (sent) => {
      sent(client.query(begin));
      return sent(client.query(asQuery(statement)));
    });
    // Whoever comes meanwhile waits for the end of it; its failure is told to the first only.
    opening = first.catch(() => {});
    return first;
  };
  return { begun, query };
}

function withConnection<T>(pool: pg.Pool, scope: Scope, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  return withClient(pool, async (client) => {
    await applyScope(client, scope);
    return work(client);
  });
}

async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error) => {
    throw isConnectionLoss(error) ? new DatabaseLost('no connection to the database', { cause: error }) : error;
  });
  let broken: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    if (sqlState(error) === QUERY_CANCELED) throw new StatementCancelled('statement cancelled', { cause: error });
    if (sqlState(error) === LOCK_NOT_AVAILABLE) throw new TransactionBusy('a lock did not come', { cause: error });
    const isOvertime = [error, endOf.get(client)].some((each) => sqlState(each) === IDLE_IN_TRANSACTION);
    if (!isOvertime && !isConnectionLoss(error)) throw error;
    broken = error as Error;
    if (isOvertime) throw new TransactionBusy('the transaction sent nothing for too long', { cause: error });
    throw new DatabaseLost('connection to the database lost', { cause: error });
  } finally {
    client.release(broken);
  }
}

const QUERY_CANCELED = '57014';
const LOCK_NOT_AVAILABLE = '55P03';
const IDLE_IN_TRANSACTION = '25P03';

/** One statement in a transaction of its own, whose beginning and end go out in the same write. */
function enclosed(client: pg.PoolClient, scope: Scope, begin: string, statement: Statement): Promise<pg.QueryResult> {
  return corkedWrite(client, async (sent) => {
    sent(applyScope(client, scope));
    sent(client.query(begin));
    const answer = sent(client.query(asQuery(statement)));
    sent(client.query('COMMIT'));
    return answer;
  });
}

/**
 * Sends the statements of `work` one behind the other without waiting; outside of a transaction they get one of their
 * own, its beginning and end in the same write. Five small reads cost 0.7 of what they cost one by one: each wait is a
 * switch between two processes.
 */
function sendPipelined<T>(
  client: pg.PoolClient,
  work: (sql: Sql) => Promise<T>,
  alone?: { scope: Scope; begin: string },
): Promise<T> {
  return corkedWrite(client, async (sent) => {
    let isOpen = true;
    const reads = sqlOver((statement) => {
      if (!isOpen) throw new Error(`sent after waiting for another: ${statement.text.slice(0, 80)}`);
      return sent(client.query(asQuery(statement)));
    });
    const all: Sql = { ...reads, pipelined: (inner) => inner(all) };
    if (alone) sent(applyScope(client, alone.scope));
    if (alone) sent(client.query(alone.begin));
    const result = (async () => work(all))();
    isOpen = false;
    if (alone) sent(client.query('COMMIT'));
    return result;
  });
}

/** Sends what `write` notes down before it waits for anything in one write, and waits for all of it. */
async function corkedWrite<T>(
  client: pg.PoolClient,
  write: (sent: <Answer>(answer: Promise<Answer>) => Promise<Answer>) => Promise<T>,
): Promise<T> {
  const sent: Promise<unknown>[] = [];
  const connection = client as pg.PoolClient & { pipeline: boolean };
  connection.pipeline = true;
  client.connection.stream.cork();
  const result = write((answer) => {
    sent.push(answer);
    return answer;
  });
  client.connection.stream.uncork();
  // A failed one must not leave answers of others behind on the connection, nor be hidden by what fails after it.
  const ends = await Promise.allSettled([...sent, result]);
  connection.pipeline = false;
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
  return result;
}

/** The last scope of each connection: most requests of a tenant find it set already and pay no round trip. */
const scopeOf = new WeakMap<object, string>();

async function applyScope(client: pg.PoolClient, scope: Scope): Promise<void> {
  const companies = scope.companies === '*' ? '*' : scope.companies.join(',');
  const whole = scope.wholeCompanies.join(',');
  const branches = scope.branches.join(',');
  const key = `${companies};${whole};${branches}`;
  if (scopeOf.get(client) === key) return;
  scopeOf.delete(client);
  await client.query({
    name: 'scope',
    text: `SELECT set_config('app.companies', $1, false), set_config('app.whole_companies', $2, false),
                  set_config('app.branches', $3, false)`,
    values: [companies, whole, branches],
  });
  scopeOf.set(client, key);
}

async function retrying<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const state = sqlState(error);
      if (state !== '40001' && state !== '40P01') throw error;
      if (attempt > 5) throw new TransactionBusy('too many conflicts with other transactions');
      await sleep(Math.random() * 20 * 2 ** attempt);
    }
  }
}

const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

function sqlOver(query: (statement: Statement) => Promise<pg.QueryResult>): Omit<Sql, 'pipelined'> {
  const rows = async <Row>(statement: Statement): Promise<Row[]> => (await query(statement)).rows as Row[];
  const maybe = async <Row>(statement: Statement): Promise<Row | undefined> => {
    const found = await rows<Row>(statement);
    if (found.length > 1) throw new Error(`more than one row: ${statement.text.slice(0, 80)}`);
    return found[0];
  };
  return {
    rows,
    maybe,
    one: async <Row>(statement: Statement) => {
      const row = await maybe<Row>(statement);
      if (row === undefined) throw new Error(`no row: ${statement.text.slice(0, 80)}`);
      return row;
    },
    run: async (statement) => (await query(statement)).rowCount ?? 0,
  };
}

function asQuery(statement: Statement): pg.QueryConfig {
  const values = statement.values === undefined ? [] : [...statement.values];
  return statement.name === undefined
    ? { text: statement.text, values }
    : { name: statement.name, text: statement.text, values };
}

function isConnectionLoss(error: unknown): boolean {
  const state = sqlState(error);
  if (state?.startsWith('08') || state?.startsWith('57P')) return true;
  const text = error instanceof Error ? `${(error as { code?: string }).code} ${error.message}` : '';
  return /Connection terminated|ECONNREFUSED|ECONNRESET|EPIPE|not queryable/.test(text);
}

/** OID of the type int8[], which pg does not name. */
const INT8_ARRAY = 1016;

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (text: string) => text);
pg.types.setTypeParser(INT8_ARRAY as number, (text: string) =>
  text === '{}' ? [] : text.slice(1, -1).split(',').map(Number),
);
