import { pg } from './driver.ts';
import {
  DatabaseLost,
  isConnectionLoss,
  isShortage,
  SQLSTATE,
  StatementCancelled,
  StorageFull,
  sqlState,
  TransactionBusy,
} from './errors.ts';
import type { Connections } from './pool-shares.ts';
import type { Pooler } from './poolers.ts';

export type PoolSettings = pg.PoolConfig & {
  readonly limits: readonly string[];
  readonly pooler: Pooler;
  /** Connections to a server that follows another are wanted, too. */
  readonly acceptsStandby?: boolean;
};

/** A pooler takes no settings of a session: there, each transaction brings the limits. */
export function poolOf({ limits, pooler, ...settings }: PoolSettings): pg.Pool {
  const options = ['search_path=public', ...limits].map((each) => `-c ${each}`).join(' ');
  const pool = new pg.Pool({
    ...settings,
    ...(pooler === 'none' ? { options } : {}),
    Client: pooler === 'unnamed' ? NamelessClient : PooledClient,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  // Without a listener, an idle connection that breaks would end the process.
  pool.on('error', () => {});
  return pool;
}

/** Silence after which the system asks the other side whether it is there still; ten seconds later it gives up. */
const KEEP_ALIVE_MS = 5_000;

/** The driver's client with what its types do not name. */
const BaseClient = pg.Client as unknown as new (
  config?: string | pg.ClientConfig,
) => pg.Client & { readonly connection: pg.Connection; getStartupConf(): Record<string, string> };

/** A connection that remembers how it ended: the driver's errors for lost connections differ by their text alone. */
class PooledClient extends BaseClient {
  /** The server's message, the socket's error, or the driver's own when the socket just closed. */
  endedBy: Error | undefined;
  readonly acceptsStandby: boolean;
  /** As the server says at the start, and when it is promoted. */
  #isStandby = false;

  constructor(config?: pg.ClientConfig & { acceptsStandby?: boolean }) {
    super(config);
    this.acceptsStandby = config?.acceptsStandby ?? false;
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (parameterName === 'in_hot_standby') this.#isStandby = parameterValue === 'on';
    });
    // Without a listener, a connection that breaks at work would end the process; its statement fails anyway.
    this.on('error', (error) => {
      this.endedBy ??= error;
    });
  }

  /** Poolers keep the time zone of each client. */
  override getStartupConf(): Record<string, string> {
    return { ...super.getStartupConf(), TimeZone: 'UTC' };
  }

  override connect(): Promise<this>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<this> | undefined {
    const connected = super.connect().then(
      () => this.#assertPrimary(),
      (error: Error) => Promise.reject(connectFailure(error)),
    );
    if (callback === undefined) return connected;
    connected.then(() => callback(undefined as never), callback);
    return undefined;
  }

  /** While servers change places, the address of the primary may still lead to one that only reads. */
  async #assertPrimary(): Promise<this> {
    if (this.acceptsStandby || !this.#isStandby) return this;
    await this.end();
    throw new DatabaseLost('the server follows another and takes no writes');
  }
}

interface ParameterStatus {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** Sends no prepared statements: the next transaction may be on a connection of the server that has not prepared them. */
class NamelessClient extends PooledClient {
  readonly namesStatements = false;
}

/** The server's own words stay as they are, unless it says that it takes nobody now. */
function connectFailure(error: Error): Error {
  if (isShortage(error)) return new TransactionBusy('the database takes no more connections', { cause: error });
  if (error instanceof pg.DatabaseError && !isConnectionLoss(error)) return error;
  return new DatabaseLost('no connection to the database', { cause: error });
}

/** A connection of the pool; throws DatabaseLost when none can be made, and TransactionBusy when none comes free. */
async function connect(pool: Connections): Promise<pg.PoolClient & PooledClient> {
  try {
    return (await pool.connect()) as pg.PoolClient & PooledClient;
  } catch (error) {
    if (
      error instanceof DatabaseLost ||
      error instanceof TransactionBusy ||
      error instanceof pg.DatabaseError ||
      pool.ending
    )
      throw error;
    // The pool's time is up: while it connects, with that failure as the cause; while it waits for a free one, without.
    const { cause } = error as Error;
    if (cause instanceof DatabaseLost) throw cause;
    throw new TransactionBusy('no connection came free', { cause: error });
  }
}

/** The driver's own limit: the answer may still come, and must not be taken for that of the next statement. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** Where the primary should be, another address leads there, or will soon: this connection is given up. */
export function rejectReadOnlyServer(client: pg.PoolClient): (error: unknown) => never {
  return (error) => {
    const isReadOnly = sqlState(error) === SQLSTATE.READ_ONLY_TRANSACTION;
    if (!isReadOnly || (client as pg.PoolClient & PooledClient).acceptsStandby) throw error;
    throw new DatabaseLost('the server takes no writes', { cause: error });
  };
}

export async function withClient<T>(pool: Connections, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await connect(pool);
  let broken: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    if (sqlState(error) === SQLSTATE.QUERY_CANCELED)
      throw new StatementCancelled('statement cancelled', { cause: error });
    if (sqlState(error) === SQLSTATE.DISK_FULL)
      throw new StorageFull('the disk of the database is full', { cause: error });
    if (isShortage(error)) throw new TransactionBusy('the database is short of something', { cause: error });
    if (sqlState(error) === SQLSTATE.LOCK_NOT_AVAILABLE)
      throw new TransactionBusy('a lock did not come', { cause: error });
    const isOvertime = [error, client.endedBy].some((each) => sqlState(each) === SQLSTATE.IDLE_IN_TRANSACTION);
    // On a connection that has ended, whatever is asked fails, and only some of it with a code.
    const isLost = isConnectionLoss(error) || isUnanswered(error) || client.endedBy !== undefined;
    const isGivenUp = error instanceof DatabaseLost;
    if (!isOvertime && !isLost && !isGivenUp) throw error;
    broken = error as Error;
    if (isOvertime) throw new TransactionBusy('the transaction sent nothing for too long', { cause: error });
    throw new DatabaseLost('connection to the database lost', { cause: client.endedBy ?? error });
  } finally {
    client.release(broken);
  }
}
