import { expect, test } from 'vitest';
import { day } from '../../test/support/period.ts';
import { easterOf, nationalDay, nationalHolidays } from './holidays.ts';

test.each([
  [1961, '1961-04-02'],
  [1981, '1981-04-19'],
  [2000, '2000-04-23'],
  [2008, '2008-03-23'],
  [2011, '2011-04-24'],
  [2024, '2024-03-31'],
  [2025, '2025-04-20'],
  [2026, '2026-04-05'],
  [2038, '2038-04-25'],
])('Easter of %d', (year, day) => {
  expect(easterOf(year)).toBe(day);
});

test('the list of 2026, in order', () => {
  expect(nationalHolidays(2026).map(({ day }) => day)).toEqual([
    '2026-01-01',
    '2026-02-16',
    '2026-02-17',
    '2026-04-03',
    '2026-04-21',
    '2026-05-01',
    '2026-06-04',
    '2026-09-07',
    '2026-10-12',
    '2026-11-02',
    '2026-11-15',
    '2026-11-20',
    '2026-12-25',
  ]);
});

test('20 November is national since 2024', () => {
  const has = (year: number) => nationalHolidays(year).some(({ day }) => day === `${year}-11-20`);
  expect([has(2023), has(2024)]).toEqual([false, true]);
});

test('business days', () => {
  expect(nationalDay(day('2026-02-18'))).toEqual({ day: '2026-02-18', businessDay: true, holidayName: null });
  expect(nationalDay(day('2026-12-25'))).toEqual({ day: '2026-12-25', businessDay: false, holidayName: 'Natal' });
  // Saturday, Sunday, Carnival, Good Friday, Christmas.
  for (const date of ['2026-02-14', '2026-02-15', '2026-02-16', '2026-04-03', '2026-12-25']) {
    expect(nationalDay(day(date)).businessDay, date).toBe(false);
  }
});
