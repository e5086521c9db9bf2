import { addMonths, type Month, monthNumberOf } from '../period.ts';

/** From the beginning of the month, of the half-year or of the fiscal year to the end of a month. */
export type PeriodLength = 'MONTH' | 'SEMESTER' | 'YEAR';

export interface Period {
  readonly from: Month;
  readonly to: Month;
}

const MONTHS: Readonly<Record<PeriodLength, number>> = { MONTH: 1, SEMESTER: 6, YEAR: 12 };

/** The period of that length to the end of the month; half-years and years begin with the fiscal year. */
export function periodTo(to: Month, length: PeriodLength, fiscalYearEnd: number): Period {
  const monthsInto = (monthNumberOf(to) - fiscalYearEnd + 11) % MONTHS[length];
  return { from: addMonths(to, -monthsInto), to };
}

/** The month at the same place of the period that lies `count` periods earlier. */
export function earlierMonth(month: Month, length: PeriodLength, count: number): Month {
  return addMonths(month, -count * MONTHS[length]);
}

/** The last month of the fiscal year before the one that the month lies in. */
export function previousYearEnd(month: Month, fiscalYearEnd: number): Month {
  return addMonths(periodTo(month, 'YEAR', fiscalYearEnd).from, -1);
}
