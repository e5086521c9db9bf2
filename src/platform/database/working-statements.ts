import { once } from 'node:events';
import { connect } from 'node:net';
import type { pg } from './driver.ts';
import { withClient } from './pool.ts';
import type { Pooler } from './poolers.ts';

/** What the driver knows of a connection and its types do not say. */
type Backend = pg.PoolClient & {
  readonly processID: number;
  readonly secretKey: number;
  readonly readyForQuery: boolean;
};

/** The connections that somebody works on. */
export function clientsHeld(pools: readonly pg.Pool[]): Set<pg.PoolClient> {
  const held = new Set<pg.PoolClient>();
  for (const pool of pools) {
    pool.on('acquire', (client) => held.add(client));
    pool.on('release', (_error, client) => held.delete(client));
  }
  return held;
}

/** Those of the server's processes that work on a statement; all, where a pooler between hides which they are. */
export async function selectWorking(pool: pg.Pool, processes: readonly number[]): Promise<Set<number>> {
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

/** Ends what the connections work on. */
export async function cancelStatements(pool: pg.Pool, on: Iterable<pg.PoolClient>, pooler: Pooler): Promise<void> {
  const held = [...on] as Backend[];
  if (pooler !== 'none') {
    // One after the other: a pooler takes each to the server on a connection of its own.
    for (const each of held) if (!each.readyForQuery) await requestCancel(each);
    return;
  }
  await withClient(pool, (client) =>
    client.query(
      `SELECT pg_cancel_backend(pg_stat_activity.pid) FROM pg_stat_activity
        WHERE pg_stat_activity.state = 'active' AND pg_stat_activity.pid = ANY ($1::integer[])`,
      [held.map(({ processID }) => processID)],
    ),
  );
}

/**
 * A request of the protocol, which the pooler hands on to the process that works for this connection; it is never
 * encrypted. Who asked waits until the other side hangs up: PgBouncer 1.18 ends when its client goes away before.
 */
async function requestCancel({ host, port, processID, secretKey }: Backend): Promise<void> {
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(CANCEL_REQUEST, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  socket
    .on('error', () => {})
    .resume()
    .write(request);
  await once(socket, 'close');
}

/** PostgreSQL, Message Formats. */
const CANCEL_REQUEST = 80_877_102;
