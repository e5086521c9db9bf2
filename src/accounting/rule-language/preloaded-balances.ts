import type { AccountId } from '../ids.ts';
import { addMonths, type Day, type Month } from '../period.ts';
import type { BalanceReader, MonthBalance } from './balance-reader.ts';
import type { ChartIndex } from './chart-index.ts';

/** What the caller has loaded of one branch so far. */
export interface PreloadedBalances {
  readonly chart: ChartIndex;
  /** Null where the branch has none: then no month is before it. */
  readonly baseMonth: Month | null;
  /** All months of the branch that are closed, whether loaded or not. */
  readonly closedMonths: ReadonlySet<Month>;
  /** By month and account id; base balances are under the month before the base month. */
  readonly months: ReadonlyMap<Month, ReadonlyMap<number, MonthBalance>>;
  /** Present once the daily balances of the reference month are loaded. */
  readonly dayBalance?: (accountId: AccountId, day: Day) => bigint | undefined;
}

/** A reader over loaded balances that knows what is missing from them. */
export function preloadedBalances(loaded: PreloadedBalances): BalanceReader {
  const monthBeforeBase = loaded.baseMonth === null ? undefined : addMonths(loaded.baseMonth, -1);
  return {
    chart: loaded.chart,
    monthState(month) {
      if (monthBeforeBase !== undefined && month < monthBeforeBase) return 'BEFORE_BASE';
      if (month !== monthBeforeBase && !loaded.closedMonths.has(month)) return 'OPEN';
      if (!loaded.months.has(month)) return 'NOT_LOADED';
      return month === monthBeforeBase ? 'BASE' : 'CLOSED';
    },
    monthBalance: (accountId, month) => loaded.months.get(month)?.get(accountId),
    daysState: () => (loaded.dayBalance === undefined ? 'NOT_LOADED' : 'LOADED'),
    dayBalance: (accountId, day) => loaded.dayBalance?.(accountId, day),
  };
}
