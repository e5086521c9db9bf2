import { setTimeout as sleep } from 'node:timers/promises';
import type { pg } from './driver.ts';
import { SQLSTATE, sqlState, TransactionBusy } from './errors.ts';
import { type Opening, sendFramed } from './framed-query.ts';
import { sendPipelined } from './pipelining.ts';
import { isUnanswered } from './pool.ts';
import type { Lend } from './second-connections.ts';
import { type Sql, sqlOver, type Transaction } from './sql.ts';
import type { Statement } from './statement.ts';

export function inTransaction<T>(lend: Lend, opening: Opening, work: (sql: Transaction) => Promise<T>): Promise<T> {
  return lend(async (client) => {
    const open = openOnFirstUse(client, opening);
    try {
      const result = await work(open.sql);
      await open.end();
      return result;
    } catch (error) {
      await open.rollBack(error);
      throw error;
    }
  });
}

async function orRollBack<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await rollBack(client, error);
    throw error;
  }
}

async function rollBack(client: pg.PoolClient, error: unknown): Promise<void> {
  // Behind a statement that is not answered nothing else will be.
  if (!isUnanswered(error)) await client.query('ROLLBACK').catch(() => {});
}

/** A transaction and its end. */
interface OpenTransaction {
  readonly sql: Transaction;
  end(): Promise<void>;
  rollBack(error: unknown): Promise<void>;
}

/**
 * A transaction whose BEGIN and scope go out with its first statement, and its COMMIT with its last. When one of the
 * last fails, nothing after it is done, and the failure is reported. Posting an entry waits twice for the database
 * instead of six times; each wait is a switch between two processes.
 */
function openOnFirstUse(client: pg.PoolClient, begin: Opening): OpenTransaction {
  const atCommit: Statement[] = [];
  let opening: Promise<unknown> | undefined;
  let isEnded = false;
  const assertOpen = () => {
    if (isEnded) throw new Error('the transaction has ended with its last statements');
  };
  /** The first of all open the transaction, and those after them wait for it. */
  const send = async <Sent>(write: (opening: Opening | undefined) => Promise<Sent>): Promise<Sent> => {
    assertOpen();
    if (opening !== undefined) {
      await opening;
      assertOpen();
      return write(undefined);
    }
    const first = write(begin);
    // Concurrent statements wait for it; only the first gets its failure.
    opening = first.catch(() => {});
    return first;
  };
  const commitWith = <Last>(work: (sql: Sql) => Promise<Last>) =>
    send((opening) => {
      isEnded = true;
      return orRollBack(client, () => sendPipelined(client, work, { opening, last: atCommit, commits: true }));
    });
  return {
    sql: {
      ...sqlOver((statement) => send((opening) => sendFramed(client, statement, { opening }))),
      pipelined: (work) => send((opening) => sendPipelined(client, work, { opening })),
      commitWith,
      atCommit,
      get connection() {
        // Its failure is reported by the statement sent after it.
        if (opening === undefined) send((opening) => sendFramed(client, undefined, { opening })).catch(() => {});
        return client;
      },
    },
    async end() {
      if (!isEnded && (opening !== undefined || atCommit.length > 0)) await commitWith(async () => {});
    },
    async rollBack(error) {
      if (!isEnded && opening !== undefined) await rollBack(client, error);
    },
  };
}

/** One statement in a transaction of its own, whose beginning and end go out with it. */
export function runEnclosed(client: pg.PoolClient, opening: Opening, statement: Statement): Promise<pg.QueryResult> {
  return orRollBack(client, () => sendFramed(client, statement, { opening, commits: true }));
}

/** Statements that do not wait for each other, in the same way. */
export function pipelineEnclosed<T>(
  client: pg.PoolClient,
  opening: Opening,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  return orRollBack(client, () => sendPipelined(client, work, { opening, commits: true }));
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
