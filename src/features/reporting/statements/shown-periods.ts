import { addMonths, type Month, slashOf } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import {
  earlierMonth,
  type Period,
  type PeriodLength,
  periodTo,
  previousYearEnd,
} from '../../../accounting/statements/statement-period.ts';
import type { CompanyOptionsRow } from '../../master-data/companies/company-options.read.sql.ts';
import { readFundYearEnd } from './read-quota.ts';
import type { StatementSource } from './statement-source.ts';

/** With which earlier period the last one is compared. */
export type PeriodComparative = 'PREVIOUS_MONTH' | 'PREVIOUS_YEAR_END' | 'PREVIOUS_YEAR' | 'NONE';

/** Which periods are shown, the first of them to the end of the month. */
export interface PeriodSelection {
  readonly month: Month;
  readonly length: PeriodLength;
  /** How many periods stand side by side, each earlier than the one before. */
  readonly periods: number;
  /** Of one period alone. */
  readonly comparative: PeriodComparative;
}

export interface ShownPeriods {
  /** The latest first. */
  readonly periods: readonly Period[];
  /** The last of them is the comparative of the other. */
  readonly isCompared: boolean;
}

/**
 * The periods of a statement. Rejects one before the books begin; a comparative that is not known is left out.
 * `hasBalances`: the statement shows balances, and the base balances are those of the month before the books begin.
 */
export async function choosePeriods(
  source: StatementSource,
  { month, length, periods: count, comparative }: PeriodSelection,
  { baseMonth, fiscalYearEndMonth }: Pick<CompanyOptionsRow, 'baseMonth' | 'fiscalYearEndMonth'>,
  hasBalances: boolean,
): Promise<ShownPeriods> {
  const fiscalYearEnd = (await readFundYearEnd(source)) ?? fiscalYearEndMonth;
  const first = hasBalances ? addMonths(baseMonth, -1) : baseMonth;
  const ends = Array.from({ length: count }, (_, at) => earlierMonth(month, length, at));
  const unknown = ends.find((end) => end < first);
  if (unknown !== undefined) {
    reject('BEFORE_BASE_MONTH', { month: slashOf(unknown), base: slashOf(baseMonth) }, 'periods');
  }
  const compared = count > 1 ? undefined : comparedEnd(month, comparative, fiscalYearEnd);
  const shown = compared === undefined || compared < first ? ends : [...ends, compared];
  return {
    periods: shown.map((end) => periodTo(end, length, fiscalYearEnd)),
    isCompared: shown.length > ends.length,
  };
}

function comparedEnd(month: Month, comparative: PeriodComparative, fiscalYearEnd: number): Month | undefined {
  switch (comparative) {
    case 'NONE':
      return undefined;
    case 'PREVIOUS_MONTH':
      return addMonths(month, -1);
    case 'PREVIOUS_YEAR':
      return addMonths(month, -12);
    case 'PREVIOUS_YEAR_END':
      return previousYearEnd(month, fiscalYearEnd);
  }
}
