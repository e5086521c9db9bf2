import type { Day, Month } from '../../../accounting/period.ts';
import type { ListedRow } from './listed-balances.read.sql.ts';

/** A row of the trial balance of a month or a day, in hierarchical order within its period. */
export interface ListedBalance extends Omit<ListedRow, 'day'> {
  readonly month: Month;
  /** Only in listings by day. */
  readonly day: Day | undefined;
}

/** A period whose balances are listed, by month or by day. */
export interface Listing {
  readonly from: Day;
  readonly to: Day;
  readonly byDay: boolean;
}

export interface BalancePage {
  readonly balances: ListedBalance[];
  readonly total: number;
}
