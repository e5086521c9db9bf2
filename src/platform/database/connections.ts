import { pg } from './driver.ts';

/** A connection outside of any pool. */
export type LoneConnection = pg.Client;

/** Prefix of the application_name of all the program's connections. */
export const PROGRAM_NAME = 'partidas';

/** A connection of its own, without scope, for the owner's work (migrations); closed after the work. */
export function withOwnerConnection<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return onConnection({ connectionString, application_name: `${PROGRAM_NAME}-owner` }, work);
}

/** The same as one of the program's logins. */
export function withLoginConnection<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  return onConnection({ connectionString, application_name: `${PROGRAM_NAME}-out-of-band` }, work);
}

/** The same for commands of replication, such as a base backup. */
export function withReplicationConnection<T>(
  connectionString: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const config = { connectionString, application_name: `${PROGRAM_NAME}-backup`, replication: 'true' };
  return onConnection(config, work);
}

/** A pooler in between gives its clients numbers of its own. */
export async function isBehindPooler(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]!.pid !== (client as unknown as { processID: number }).processID;
}

async function onConnection<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config);
  // A connection that dies between two statements fails the next one; without a listener it would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => {}); // What the work did or threw counts.
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
