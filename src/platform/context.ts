import type { Database } from './database/database.ts';
import type { Scope } from './database/scope.ts';
import type { Sql, Transaction } from './database/sql.ts';
import { SQL } from './database/statement.ts';
import { type SystemSql, systemSql } from './database/system-scope.ts';
import type { Log } from './log.ts';

/** The caller: a user of the platform, or one of its own jobs. */
export interface Caller {
  readonly id: number;
  readonly username: string;
  readonly admin: boolean;
  /** A machine: what a person must decide is rejected. */
  readonly service?: boolean;
}

/** The approval that a use case carries out: who asked, and who approved it. */
export interface Approved {
  readonly id: number;
  readonly requestedBy: string;
  readonly approvedBy: string;
}

/** The same with what the books were when it was asked, and whether the approver has seen that they are others now. */
export interface ApprovedNow extends Approved {
  readonly books: string;
  readonly confirmed: boolean;
}

declare const elevationReason: unique symbol;

/** A written reason to work past the caller's scope; features/access/elevation-reasons.ts lists them all. */
export type ElevationReason = string & { readonly [elevationReason]: true };

/** What a use case works with, passed as its first argument. */
export interface Context {
  readonly caller: Caller;
  /** Statements under the caller's scope, outside of any transaction. */
  readonly sql: Sql;
  readonly scope: Scope;
  /** What the caller asked was approved by a second person; absent: nobody was asked. */
  readonly approved?: ApprovedNow;
  /** One transaction under the caller's scope; inside a repeated request it joins the one already begun. */
  transaction<T>(work: (sql: Transaction) => Promise<T>): Promise<T>;
  /** Whether `transaction` joins one already begun: nobody else's work can be part of it. */
  readonly isJoined: boolean;
  /** A read on one connection and one snapshot under the caller's scope. */
  snapshot<T>(work: (sql: Transaction) => Promise<T>): Promise<T>;
  /** Statements under the caller's scope that commit outside of the caller's transaction. */
  readonly outOfBand: Sql;
  /** The same object in every context of one database: a key for what its requests share in memory. */
  readonly databaseIdentity: object;
  /** The one way past the caller's scope, on connections of its own; the reason goes to the log. */
  elevated<T>(reason: ElevationReason, work: (system: SystemSql) => Promise<T>): Promise<T>;
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
  rest: Omit<
    Context,
    'sql' | 'scope' | 'isJoined' | 'transaction' | 'snapshot' | 'outOfBand' | 'databaseIdentity' | 'elevated'
  >,
): Context {
  return {
    ...rest,
    scope,
    isJoined: false,
    sql: database.under(scope),
    outOfBand: database.outOfBand(scope),
    transaction: (work) => database.transaction(scope, work),
    snapshot: (work) => database.snapshot(scope, work),
    databaseIdentity: database.pool,
    elevated: (reason, work) => {
      rest.log.debug({ reason }, 'elevated');
      return work(systemSql(database));
    },
  };
}

/**
 * The same context with everything inside one transaction that has begun already; a failed part is rolled back to its
 * savepoint, so that the caller may go on.
 */
export function withTransaction(context: Context, sql: Transaction): Context {
  return { ...context, sql, isJoined: true, transaction: (work) => inSavepoint(joined(sql), work) };
}

/** Whoever joins a transaction cannot end it. */
function joined(sql: Transaction): Transaction {
  return Object.create(sql, { commitWith: { value: sql.pipelined } });
}

async function inSavepoint<T>(sql: Transaction, work: (sql: Transaction) => Promise<T>): Promise<T> {
  await sql.run(SQL`SAVEPOINT part`);
  const before = sql.atCommit.length;
  try {
    const result = await work(sql);
    await sql.run(SQL`RELEASE SAVEPOINT part`);
    return result;
  } catch (error) {
    sql.atCommit.length = before;
    // On a lost connection there is nothing left to undo.
    await sql.run(SQL`ROLLBACK TO SAVEPOINT part`).catch(() => {});
    await sql.run(SQL`RELEASE SAVEPOINT part`).catch(() => {});
    throw error;
  }
}
