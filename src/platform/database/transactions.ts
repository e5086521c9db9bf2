import { setTimeout as sleep } from 'node:timers/promises';
import type { pg } from './driver.ts';
import { SQLSTATE, sqlState, TransactionBusy } from './errors.ts';
import { corkedWrite, type Sending, sendPipelined } from './pipelining.ts';
import { withClient } from './pool.ts';
import type { Connections } from './pool-shares.ts';
import { applyScope, type Scope } from './scope.ts';
import { asQuery, type Sql, sqlOver, type Transaction } from './sql.ts';
import type { Statement } from './statement.ts';

export function inTransaction<T>(
  pool: Connections,
  scope: Scope,
  begin: string,
  work: (sql: Transaction) => Promise<T>,
): Promise<T> {
  return withClient(pool, async (client) => {
    const open = openOnFirstUse(client, scope, begin);
    try {
      const result = await work(open.sql);
      await open.end();
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      throw error;
    }
  });
}

/**
 * A transaction whose scope and BEGIN go out in the write of its first statements, and its COMMIT in that of its last.
 * When one of the last fails, the COMMIT after it undoes the transaction, and the failure is reported. Posting an entry waits twice for the database instead of six times; each wait is a switch
 * between two processes.
 */
function openOnFirstUse(
  client: pg.PoolClient,
  scope: Scope,
  begin: string,
): { readonly sql: Transaction; end(): Promise<void> } {
  const atCommit: Statement[] = [];
  let opening: Promise<unknown> | undefined;
  let isEnded = false;
  const assertOpen = () => {
    if (isEnded) throw new Error('the transaction has ended with its last statements');
  };
  /** What goes out before the statements: the first of all open the transaction, and those after them wait for it. */
  const send = async <Sent>(write: (before: readonly Sending[]) => Promise<Sent>): Promise<Sent> => {
    assertOpen();
    if (opening !== undefined) {
      await opening;
      assertOpen();
      return write([]);
    }
    const first = write([() => applyScope(client, scope), () => client.query(begin)]);
    // Concurrent statements wait for it; only the first gets its failure.
    opening = first.catch(() => {});
    return first;
  };
  const query = (statement: Statement) =>
    send((before) =>
      before.length === 0
        ? client.query(asQuery(statement))
        : corkedWrite(client, async (sent) => {
            for (const each of before) sent(each());
            return sent(client.query(asQuery(statement)));
          }),
    );
  const commitWith = <Last>(work: (sql: Sql) => Promise<Last>) =>
    send((before) => {
      isEnded = true;
      const last = atCommit.map((statement) => () => client.query(asQuery(statement)));
      return sendPipelined(client, work, { before, after: [...last, () => client.query('COMMIT')] });
    });
  return {
    sql: {
      ...sqlOver(query),
      pipelined: (work) => send((before) => sendPipelined(client, work, { before })),
      commitWith,
      atCommit,
      get connection() {
        // Its failure is reported by the statement sent after it.
        if (opening === undefined) send((before) => sendPipelined(client, async () => {}, { before })).catch(() => {});
        return client;
      },
    },
    async end() {
      if (!isEnded && (opening !== undefined || atCommit.length > 0)) await commitWith(async () => {});
    },
  };
}

/** One statement in a transaction of its own, whose beginning and end go out in the same write. */
export function runEnclosed(
  client: pg.PoolClient,
  scope: Scope,
  begin: string,
  statement: Statement,
): Promise<pg.QueryResult> {
  return corkedWrite(client, async (sent) => {
    sent(applyScope(client, scope));
    sent(client.query(begin));
    const answer = sent(client.query(asQuery(statement)));
    sent(client.query('COMMIT'));
    return answer;
  });
}

export async function retryConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const state = sqlState(error);
      if (state !== SQLSTATE.SERIALIZATION_FAILURE && state !== SQLSTATE.DEADLOCK_DETECTED) throw error;
      if (attempt > 5) throw new TransactionBusy('too many conflicts with other transactions');
      await sleep(Math.random() * 20 * 2 ** attempt);
    }
  }
}

export const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
