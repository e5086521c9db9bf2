import { type Month, monthNumberOf, slashOf } from '../../../accounting/period.ts';
import { type Problem, problem } from '../../../accounting/problem.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { BranchKey } from '../../access/access.ts';
import { hasResultBalances, selectUnsettledYearEnd, type YearEnd } from './closing-entries.sql.ts';

export interface MissingClosure {
  readonly problem: Problem;
  /** Books under a regulator's layout are not closed with their result open; others are, with a warning. */
  readonly isRefused: boolean;
}

/** The problem or warning for a closing month with result balances in a branch without closure settings. */
export async function missingClosure(sql: Sql, branch: BranchKey, month: Month): Promise<MissingClosure | undefined> {
  const yearEnd = await selectUnsettledYearEnd(sql, branch);
  if (!yearEnd || !closesIn(yearEnd, monthNumberOf(month))) return undefined;
  if (!(await hasResultBalances(sql, branch, yearEnd.chartId, month, month === yearEnd.baseMonth))) return undefined;
  return {
    problem: problem('CLOSURE_SETTINGS_MISSING', { month: slashOf(month) }),
    isRefused: yearEnd.layout !== 'NONE',
  };
}

/** Balance sheets of financial institutions are drawn up on 30 June and 31 December (Lei 4.595/1964, art. 31). */
const HALF_YEAR_ENDS: readonly number[] = [6, 12];

/**
 * A fund closes in the last month of its own year; others in that of their own year, institutions under COSIF every
 * half-year too.
 */
function closesIn({ layout, fiscalYearEndMonth, fundYearEnd }: YearEnd, month: number): boolean {
  if (fundYearEnd !== null) return month === fundYearEnd;
  return month === fiscalYearEndMonth || (layout === 'COSIF' && HALF_YEAR_ENDS.includes(month));
}
