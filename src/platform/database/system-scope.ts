import type { Database } from './database.ts';
import type { Scope } from './scope.ts';
import type { Sql, Transaction } from './sql.ts';

/** Sees and writes every company: the scope of administrators and of the program's own work. */
export const SYSTEM_SCOPE: Scope = { companies: '*', wholeCompanies: [], branches: [] };

/** Statements and transactions that see every company. */
export interface SystemSql extends Sql {
  transaction<T>(work: (sql: Transaction) => Promise<T>): Promise<T>;
}

/** For work that no caller requested: start, jobs, cleanup, authorization itself. Use cases have `context.elevated`. */
export function systemSql(database: Database): SystemSql {
  return {
    ...database.under(SYSTEM_SCOPE),
    transaction: (work) => database.transaction(SYSTEM_SCOPE, work),
  };
}
