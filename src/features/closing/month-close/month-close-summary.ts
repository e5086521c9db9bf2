import type { Problem } from '../../../accounting/problem.ts';

/** The result of a finished month close. */
export interface MonthCloseSummary {
  readonly lines: number;
  readonly accounts: number;
  readonly closingEntries: number;
  /** Warnings of a finished month close. */
  readonly warning?: Problem;
}

/** How far a running month close is. */
export interface MonthCloseProgress {
  readonly percent: number;
  readonly linesRead: number;
  readonly accountsWritten: number;
}
