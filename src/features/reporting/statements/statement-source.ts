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

/** What all statements of balances let choose. */
export interface BalanceSelection extends StatementSelection, AccountRange {}

/** Whose figures a statement of a month shows, and whether they may still change. */
export interface MonthStatement {
  readonly entity: ReportingEntity;
  readonly month: Month;
  readonly state: 'OPEN' | 'CLOSED';
}
