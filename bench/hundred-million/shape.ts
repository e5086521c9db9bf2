import { type Day, daysOf, type Month, monthFromIso, monthRange, weekdayOf } from '../../src/accounting/period.ts';

/** A branch of the books that are loaded. */
export interface BranchShape {
  readonly company: string;
  readonly branch: string;
  /** Of all lines. */
  readonly part: number;
}

/** What is measured has half of a hundredth each, so that a bank a hundred times smaller consists of these alone. */
export const MEASURED: readonly BranchShape[] = ['0001', '0002'].map((branch) => ({
  company: '0001',
  branch,
  part: 0.005,
}));
const FIRST_PARTS = [0.4, 0.14, 0.08];
const OTHERS = 15;

/** Twenty branches of four companies: one has two fifths of the lines, two have 14 and 8 of 100, the others the rest. */
export const LARGE_BANK: readonly BranchShape[] = [
  ...MEASURED,
  ...[...FIRST_PARTS, ...Array.from({ length: OTHERS }, () => 0.37 / OTHERS)].map((part, at) => ({
    company: at < 6 ? '0001' : `000${2 + (at % 3)}`,
    branch: String(3 + at).padStart(4, '0'),
    part,
  })),
];
export const LARGEST = LARGE_BANK[MEASURED.length]!;
export const SMALL_BANK: readonly BranchShape[] = MEASURED.map((branch) => ({ ...branch, part: 0.5 }));

/** Five years; all months but the last are closed. */
export const MONTHS: readonly Month[] = monthRange(monthFromIso('2022-01')!, monthFromIso('2026-12')!);
export const OPEN_MONTH = MONTHS.at(-1)!;

export function businessDays(month: Month): Day[] {
  return daysOf(month).filter((day) => weekdayOf(day) % 6 !== 0);
}
