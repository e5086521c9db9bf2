import { pg } from './driver.ts';
import { DatabaseLost, isConnectionLoss, SQLSTATE, StatementCancelled, sqlState, TransactionBusy } from './errors.ts';
import { applyScope, type Scope } from './scope.ts';

export function poolOf(settings: pg.PoolConfig & { readonly options: string }): pg.Pool {
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

export function withConnection<T>(
  pool: pg.Pool,
  scope: Scope,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return withClient(pool, async (client) => {
    await applyScope(client, scope);
    return work(client);
  });
}

export async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error) => {
    throw isConnectionLoss(error) ? new DatabaseLost('no connection to the database', { cause: error }) : error;
  });
  let broken: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    if (sqlState(error) === SQLSTATE.QUERY_CANCELED)
      throw new StatementCancelled('statement cancelled', { cause: error });
    if (sqlState(error) === SQLSTATE.LOCK_NOT_AVAILABLE)
      throw new TransactionBusy('a lock did not come', { cause: error });
    const isOvertime = [error, endOf.get(client)].some((each) => sqlState(each) === SQLSTATE.IDLE_IN_TRANSACTION);
    if (!isOvertime && !isConnectionLoss(error)) throw error;
    broken = error as Error;
    if (isOvertime) throw new TransactionBusy('the transaction sent nothing for too long', { cause: error });
    throw new DatabaseLost('connection to the database lost', { cause: error });
  } finally {
    client.release(broken);
  }
}
