import { setTimeout as sleep } from 'node:timers/promises';
import type { pg } from './driver.ts';
import { SQLSTATE, sqlState, TransactionBusy } from './errors.ts';
import { corkedWrite, sendPipelined } from './pipelining.ts';
import { withConnection } from './pool.ts';
import { applyScope, type Scope } from './scope.ts';
import { asQuery, sqlOver, type Transaction } from './sql.ts';
import type { Statement } from './statement.ts';

export async function inTransaction<T>(
  pool: pg.Pool,
  scope: Scope,
  begin: string,
  work: (sql: Transaction) => Promise<T>,
): Promise<T> {
  return withConnection(pool, scope, async (client) => {
    const opening = lazyBegin(client, begin);
    const atCommit: Statement[] = [];
    try {
      const result = await work({
        ...sqlOver(opening.query),
        pipelined: async (reads) => {
          await opening.begun();
          return sendPipelined(client, reads);
        },
        get connection() {
          // Its failure is reported by the statement sent after it.
          opening.begun().catch(() => {});
          return client;
        },
        atCommit,
      });
      await opening.begun();
      await commit(client, atCommit);
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch(() => {});
      throw error;
    }
  });
}

/** When one of the last statements fails, the COMMIT after it undoes the transaction, and the failure is reported. */
async function commit(client: pg.PoolClient, last: readonly Statement[]): Promise<void> {
  if (last.length === 0) await client.query('COMMIT');
  else
    await corkedWrite(client, async (sent) => {
      for (const statement of last) sent(client.query(asQuery(statement)));
      return sent(client.query('COMMIT'));
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
    // Concurrent statements wait for it; only the first gets its failure.
    opening = first.catch(() => {});
    return first;
  };
  return { begun, query };
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
