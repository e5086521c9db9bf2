import type { AccountRange } from '../../../accounting/account-range.ts';
import type { Month } from '../../../accounting/period.ts';
import type { StatementSelection } from '../../../accounting/statements/statement.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import type { ReportingEntity } from './reporting-entity.ts';

/** What statements are read from: one snapshot of the books of one branch. */
export interface StatementSource {
  readonly sql: Transaction;
  readonly tenant: Tenant;
}

/** Options of all statements of balances. */
export interface BalanceSelection extends StatementSelection, AccountRange {}

/** The month of a statement, and whether its figures may still change. */
export interface MonthStatement {
  readonly entity: ReportingEntity;
  readonly month: Month;
  readonly state: 'OPEN' | 'CLOSED';
}
