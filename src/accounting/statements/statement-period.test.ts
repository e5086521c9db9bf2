import { expect, test } from 'vitest';
import type { Month } from '../period.ts';
import { earlierMonth, type PeriodLength, periodTo, previousYearEnd } from './statement-period.ts';

test.each<[to: string, length: PeriodLength, yearEnd: number, from: string]>([
  ['2026-03', 'MONTH', 12, '2026-03'],
  ['2026-03', 'SEMESTER', 12, '2026-01'],
  ['2026-06', 'SEMESTER', 12, '2026-01'],
  ['2026-07', 'SEMESTER', 12, '2026-07'],
  ['2026-12', 'SEMESTER', 12, '2026-07'],
  ['2026-12', 'YEAR', 12, '2026-01'],
  ['2026-01', 'YEAR', 12, '2026-01'],
  // A fund whose year ends in March.
  ['2026-03', 'YEAR', 3, '2025-04'],
  ['2026-04', 'YEAR', 3, '2026-04'],
  ['2026-09', 'SEMESTER', 3, '2026-04'],
  ['2026-10', 'SEMESTER', 3, '2026-10'],
])('%s as %s of a year that ends in month %i begins in %s', (to, length, yearEnd, from) => {
  expect(periodTo(to as Month, length, yearEnd)).toEqual({ from, to });
});

test.each([
  ['2026-03', 12, '2025-12'],
  ['2026-12', 12, '2025-12'],
  ['2026-03', 3, '2025-03'],
  ['2026-04', 3, '2026-03'],
])('the fiscal year before %s, which ends in month %i, ended with %s', (month, yearEnd, end) => {
  expect(previousYearEnd(month as Month, yearEnd)).toBe(end);
});

test('earlier months are whole periods away', () => {
  expect(earlierMonth('2026-03' as Month, 'MONTH', 4)).toBe('2025-11');
  expect(earlierMonth('2026-03' as Month, 'SEMESTER', 1)).toBe('2025-09');
  expect(earlierMonth('2026-03' as Month, 'YEAR', 2)).toBe('2024-03');
});
