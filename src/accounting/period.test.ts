import fc from 'fast-check';
import { expect, test } from 'vitest';
import { day, month } from '../../test/support/period.ts';
import {
  addDays,
  addMonths,
  brazilianDate,
  dayFromIso,
  dayIn,
  dayNumberOf,
  daysOf,
  dotDate,
  firstDay,
  lastDay,
  monthFromIso,
  monthFromSlash,
  monthNumberOf,
  monthOf,
  monthOfDay,
  monthRange,
  monthsBetween,
  slashOf,
  todayInSaoPaulo,
  weekdayOf,
  yearOf,
} from './period.ts';

test('months from both wire forms', () => {
  expect(monthFromSlash('02/2026')).toBe('2026-02');
  expect(monthFromIso('2026-02')).toBe('2026-02');
  expect(slashOf(month('2026-02'))).toBe('02/2026');
  expect([yearOf(month('2026-02')), monthNumberOf(month('2026-02'))]).toEqual([2026, 2]);
});

test.each(['2/2026', '13/2026', '00/2026', '02/1899', '02-2026', '02/2026 ', '02/20261', ''])(
  '%j is no month',
  (text) => {
    expect(monthFromSlash(text)).toBeUndefined();
    expect(monthFromIso(text.split('/').reverse().join('-'))).toBeUndefined();
  },
);

test('monthOf takes whole numbers only', () => {
  expect(monthOf(2026, 1)).toBe('2026-01');
  for (const [year, month] of [
    [2026, 0],
    [2026, 13],
    [2026, 1.5],
    [1899, 1],
    [10_000, 1],
    [NaN, 1],
  ] as const) {
    expect(monthOf(year, month)).toBeUndefined();
  }
});

test('month arithmetic goes over years and back', () => {
  expect(addMonths(month('2025-12'), 1)).toBe('2026-01');
  expect(addMonths(month('2026-01'), -1)).toBe('2025-12');
  expect(addMonths(month('2026-01'), -13)).toBe('2024-12');
  expect(monthRange(month('2025-11'), month('2026-02'))).toEqual(['2025-11', '2025-12', '2026-01', '2026-02']);
  expect(monthRange(month('2026-02'), month('2026-01'))).toEqual([]);
  const months = fc.tuple(fc.integer({ min: 1950, max: 9000 }), fc.integer({ min: 1, max: 12 }));
  fc.assert(
    fc.property(months, fc.integer({ min: -500, max: 500 }), ([year, month], count) => {
      const from = monthOf(year, month)!;
      expect(monthsBetween(from, addMonths(from, count))).toBe(count);
    }),
  );
});

test('the days of a month', () => {
  expect(firstDay(month('2026-02'))).toBe('2026-02-01');
  expect(['2024-02', '2026-02', '1900-02', '2000-02', '2026-04'].map((each) => lastDay(month(each)))).toEqual([
    '2024-02-29',
    '2026-02-28',
    '1900-02-28',
    '2000-02-29',
    '2026-04-30',
  ]);
  expect(daysOf(month('2026-02'))).toHaveLength(28);
  expect(daysOf(month('2026-02')).at(-1)).toBe('2026-02-28');
  expect(dayIn(month('2026-02'), 5)).toBe('2026-02-05');
  for (const day of [31, 29, 0, -1, 1.5, NaN]) expect(dayIn(month('2026-02'), day)).toBeUndefined();
});

test('only days that the calendar has', () => {
  expect(dayFromIso('2024-02-29')).toBe('2024-02-29');
  for (const text of [
    '2026-02-29',
    '2026-02-31',
    '2026-2-01',
    '2026-13-01',
    '2026-01-00',
    '20260101',
    '2026-01-01T00',
  ]) {
    expect(dayFromIso(text)).toBeUndefined();
  }
});

test('parts, texts and weekday of a day', () => {
  expect([monthOfDay(day('2026-02-05')), dayNumberOf(day('2026-02-05'))]).toEqual(['2026-02', 5]);
  expect(brazilianDate(day('2026-02-05'))).toBe('05/02/2026');
  expect(dotDate(day('2026-02-05'))).toBe('2026.02.05');
  expect([weekdayOf(day('2026-01-04')), weekdayOf(day('2026-01-10'))]).toEqual([0, 6]);
  expect([addDays(day('2024-02-28'), 2), addDays(day('2026-01-01'), -1)]).toEqual(['2024-03-01', '2025-12-31']);
});

test('today is the civil day of São Paulo', () => {
  expect(todayInSaoPaulo(new Date('2026-01-01T02:59:59Z'))).toBe('2025-12-31');
  expect(todayInSaoPaulo(new Date('2026-01-01T03:00:00Z'))).toBe('2026-01-01');
  // Summer time (UTC-2) was in force in January 2019.
  expect(todayInSaoPaulo(new Date('2019-01-01T02:00:00Z'))).toBe('2019-01-01');
});

test('the compiler tells months, days and other texts apart', () => {
  const [january, first] = [month('2026-01'), day('2026-01-01')];
  // @ts-expect-error A month is no day.
  expect(monthOfDay(january)).toBeDefined();
  // @ts-expect-error A day is no month.
  expect(firstDay(first)).toBeDefined();
  // @ts-expect-error Text is neither until it is read.
  expect(slashOf('2026-01')).toBe('01/2026');
});
