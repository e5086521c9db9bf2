import type { AccountId } from '../ids.ts';
import type { Day, Month } from '../period.ts';
import type { ChartIndex } from './chart-index.ts';

/**
 * The balances of one branch, loaded beforehand: the language reads nothing else and never waits. A month, or the days
 * of the reference month, that are not loaded yet return NOT_LOADED; the evaluation then stops and says what it needs.
 */
export interface BalanceReader {
  readonly chart: ChartIndex;
  monthState(month: Month): MonthState;
  /** Called for CONSOLIDATED and BASE months only; undefined where nothing is stored, which counts as zero. */
  monthBalance(accountId: AccountId, month: Month): MonthBalance | undefined;
  /** Whether the daily balances of the reference month are loaded. */
  daysState(): 'LOADED' | 'NOT_LOADED';
  /** Debit positive, at the end of the day; undefined where nothing is stored, which counts as zero. */
  dayBalance(accountId: AccountId, day: Day): bigint | undefined;
}

/** BASE is the month before the branch's base month: it has balances and no movement. */
export type MonthState = 'CLOSED' | 'BASE' | 'BEFORE_BASE' | 'OPEN' | 'NOT_LOADED';

/** Amounts in centavos; balances debit positive. Of a BASE month only `accumulated` counts. */
export interface MonthBalance {
  readonly accumulated: bigint;
  /** Signed net of the closing entries, part of `accumulated`, of neither `debits` nor `credits`. */
  readonly closing: bigint;
  readonly debits: bigint;
  readonly credits: bigint;
}
