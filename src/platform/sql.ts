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
}

/** Inside a transaction; `connection` is for COPY and cursors. */
export interface Transaction extends Sql {
  readonly connection: pg.PoolClient;
}

/**
 * What a connection may see, set on it before its first statement and compared by the policies of every tenant
 * table: companies at all, companies whole, single branches. EVERYTHING is for administrators and the program's own
 * work.
 */
export interface Scope {
  readonly companies: readonly number[] | '*';
  readonly wholeCompanies: readonly number[];
  readonly branches: readonly number[];
}

export const EVERYTHING: Scope = { companies: '*', wholeCompanies: [], branches: [] };

export interface Database {
  /** Statements of this scope, each on any pooled connection. */
  under(scope: Scope): Sql;
  /**
   * One transaction, READ COMMITTED. Deadlocks and serialization failures repeat the work at most five times, so the
   * work must not have effects outside the transaction; then TransactionBusy.
   */
  transaction<T>(scope: Scope, work: (sql: Transaction) => Promise<T>): Promise<T>;
  /** A read on one connection and one snapshot, for answers made of several statements. */
  snapshot<T>(scope: Scope, work: (sql: Transaction) => Promise<T>): Promise<T>;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

/** The database gave up for now; the caller may repeat the request. */
export class TransactionBusy extends Error {}

/** How every connection of ours begins its application_name. */
export const PROGRAM_NAME = 'partidas';

/** Opens the pool as the role that owns nothing. */
export function openDatabase(connectionString: string, options: { max?: number; name?: string } = {}): Database {
  const pool = new pg.Pool({
    connectionString,
    max: options.max ?? 20,
    application_name: options.name ?? PROGRAM_NAME,
    // Idle programs stay visible to each other: the last one to leave stops their common server.
    min: 1,
    options: '-c role=partidas_app -c search_path=public -c timezone=UTC',
    connectionTimeoutMillis: 15_000,
    idleTimeoutMillis: 60_000,
  });
  // Without a listener, a broken idle connection would end the process.
  pool.on('error', () => {});
  const transaction = <T>(scope: Scope, work: (sql: Transaction) => Promise<T>) =>
    retrying(() => inTransaction(pool, scope, 'BEGIN', work));
  return {
    pool,
    transaction,
    snapshot: (scope, work) => inTransaction(pool, scope, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', work),
    under: (scope) => sqlOver((statement) => withConnection(pool, scope, (client) => client.query(asQuery(statement)))),
    close: () => pool.end(),
  };
}

/** Copies and owner's work (migrations) need a plain connection; closed after the work. */
export async function withOwnerConnection<T>(
  connectionString: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString, application_name: `${PROGRAM_NAME}-owner` });
  // A connection that dies between two statements fails the next one; unheard, it would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
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
    await client.query(begin);
    try {
      const result = await work({ ...sqlOver((statement) => client.query(asQuery(statement))), connection: client });
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      throw error;
    }
  });
}

async function withConnection<T>(pool: pg.Pool, scope: Scope, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await applyScope(client, scope);
    return await work(client);
  } catch (error) {
    if (isConnectionLoss(error)) broken = error as Error;
    throw error;
  } finally {
    client.release(broken);
  }
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

function sqlOver(query: (statement: Statement) => Promise<pg.QueryResult>): Sql {
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
  return error instanceof Error && /Connection terminated|ECONNRESET|EPIPE|not queryable/.test(error.message);
}

pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.DATE, (text: string) => text);
pg.types.setTypeParser(1016 as number, (text: string) =>
  text === '{}' ? [] : text.slice(1, -1).split(',').map(Number),
);
