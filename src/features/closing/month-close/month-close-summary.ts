import type { Problem } from '../../../accounting/problem.ts';

/** What a finished month close answers. */
export interface MonthCloseSummary {
  readonly lines: number;
  readonly accounts: number;
  readonly closingEntries: number;
  /** Said on the record of a month close that was done all the same. */
  readonly warning?: Problem;
}

/** How far a running month close is. */
export interface MonthCloseProgress {
  readonly percent: number;
  readonly linesRead: number;
  readonly accountsWritten: number;
}
