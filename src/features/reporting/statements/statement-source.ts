import type { AccountRange } from '../../../accounting/account-range.ts';
import type { Residue } from '../../../accounting/eliminations.ts';
import type { Month } from '../../../accounting/period.ts';
import type { StatementSelection } from '../../../accounting/statements/statement.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { ReportedBooks } from '../../master-data/companies/institution.ts';
import type { ReportingEntity } from './reporting-entity.ts';

/** What statements are read from: one snapshot of the books of one branch, or of an institution. */
export interface StatementSource {
  readonly sql: Transaction;
  readonly tenant: ReportedBooks;
}

/** Options of all statements of balances. */
export interface BalanceSelection extends StatementSelection, AccountRange {}

/** Whose figures are shown, and how final they are. */
export interface ShownFigures {
  readonly entity: ReportingEntity;
  /** Figures of an open month may still change. */
  readonly state: 'OPEN' | 'CLOSED';
  /** Whether closing entries are within the figures; undefined where there are none in the period that it depends on. */
  readonly isAfterClosing?: boolean | undefined;
  /** What did not cancel between the branches of an institution; undefined where nothing is eliminated. */
  readonly residues?: readonly Residue[] | undefined;
}

/** Figures of one month. */
export interface MonthStatement extends ShownFigures {
  readonly month: Month;
  readonly isAfterClosing: boolean;
}
