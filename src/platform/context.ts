import type { Database } from './database/database.ts';
import type { Scope } from './database/scope.ts';
import type { Sql, Transaction } from './database/sql.ts';
import type { Log } from './log.ts';

/** Who asks: a user of the platform, or one of its own jobs. */
export interface Caller {
  readonly id: number;
  readonly username: string;
  readonly admin: boolean;
}

/** What a use case works with, passed as its first argument. */
export interface Context {
  readonly caller: Caller;
  /** Statements under the caller's scope, outside of any transaction. */
  readonly sql: Sql;
  readonly scope: Scope;
  /** One transaction under the caller's scope; inside a repeated request it joins the one already begun. */
  transaction<T>(work: (sql: Transaction) => Promise<T>): Promise<T>;
  /** For work that must see beyond the caller's scope: say why where it is used. */
  readonly database: Database;
  /** Called after a commit that leaves a job to do. */
  readonly wakeJobs: () => void;
  /** Called after a commit that changed rights or users, so that this process does not go on with the old ones. */
  readonly rightsChanged: () => void;
  readonly now: () => Date;
  /** The client's network address, for the audit trail. */
  readonly address: string;
  readonly log: Log;
}

/** A context of this scope on the database. */
export function contextOn(
  database: Database,
  scope: Scope,
  rest: Omit<Context, 'sql' | 'scope' | 'transaction' | 'database'>,
): Context {
  return {
    ...rest,
    database,
    scope,
    sql: database.under(scope),
    transaction: (work) => database.transaction(scope, work),
  };
}

/**
 * The same context with everything inside one transaction that has begun already; what fails in a part of it is undone
 * as far as that part, so that its caller may go on.
 */
export function withTransaction(context: Context, sql: Transaction): Context {
  return { ...context, sql, transaction: (work) => inSavepoint(sql, work) };
}

async function inSavepoint<T>(sql: Transaction, work: (sql: Transaction) => Promise<T>): Promise<T> {
  await sql.run({ text: 'SAVEPOINT part' });
  try {
    const result = await work(sql);
    await sql.run({ text: 'RELEASE SAVEPOINT part' });
    return result;
  } catch (error) {
    // On a lost connection there is nothing left to undo.
    await sql.run({ text: 'ROLLBACK TO SAVEPOINT part' }).catch(() => {});
    await sql.run({ text: 'RELEASE SAVEPOINT part' }).catch(() => {});
    throw error;
  }
}
