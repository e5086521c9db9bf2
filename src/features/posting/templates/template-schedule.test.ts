import { expect, test } from 'vitest';
import { month } from '../../../../test/support/period.ts';
import { nationalDay } from '../../../accounting/holidays.ts';
import { daysOf } from '../../../accounting/period.ts';
import { dayOfUse, isDueIn, scheduleProblems, type TemplateSchedule } from './template-schedule.ts';

const plan = (more: Partial<TemplateSchedule> = {}): TemplateSchedule => ({
  dayRule: 'LAST_BUSINESS_DAY',
  dayOfMonth: null,
  firstMonth: month('2026-01'),
  lastMonth: null,
  active: true,
  ...more,
});

const onDay = (dayOfMonth: number) => plan({ dayRule: 'DAY_OF_MONTH', dayOfMonth });

test.each([
  ['the last business day', plan(), '2026-01', '2026-01-30'],
  ['the last one before a Sunday', plan(), '2026-05', '2026-05-29'],
  ['the first business day after New Year', plan({ dayRule: 'FIRST_BUSINESS_DAY' }), '2026-01', '2026-01-02'],
  ['a business day', onDay(5), '2026-01', '2026-01-05'],
  ['a Saturday: the Friday before it', onDay(10), '2026-01', '2026-01-09'],
  ['Carnival: the Friday before it', onDay(17), '2026-02', '2026-02-13'],
  ['a day beyond the month: its last', onDay(31), '2026-04', '2026-04-30'],
  ['a day beyond the month that ends on a Saturday', onDay(31), '2026-02', '2026-02-27'],
  ['a holiday without business day before it: the first after it', onDay(1), '2026-01', '2026-01-02'],
])('%s', (_what, schedule, of, expected) => {
  expect(dayOfUse(schedule, daysOf(month(of)).map(nationalDay))).toBe(expected);
});

test('a calendar without business days still gives a day', () => {
  const days = daysOf(month('2026-02')).map((day) => ({ day, businessDay: false }));
  expect([plan(), onDay(10), plan({ dayRule: 'FIRST_BUSINESS_DAY' })].map((each) => dayOfUse(each, days))).toEqual([
    '2026-02-28',
    '2026-02-10',
    '2026-02-28',
  ]);
});

test.each([
  ['MENSAL', 12],
  [null, 12],
  ['BIMESTRAL', 6],
  ['TRIMESTRAL', 4],
  ['SEMESTRAL', 2],
  ['ANUAL', 1],
] as const)('periodicity %s: %d uses from March on in a year', (periodicity, uses) => {
  const schedule = plan({ firstMonth: month('2026-03'), lastMonth: month('2027-02') });
  const months = Array.from({ length: 36 }, (_, at) =>
    month(`202${5 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`),
  );
  const due = months.filter((each) => isDueIn({ periodicity, schedule }, each));
  expect(due).toHaveLength(uses);
  expect(due[0]).toBe('2026-03');
  expect(months.some((each) => isDueIn({ periodicity, schedule: { ...schedule, active: false } }, each))).toBe(false);
});

test('what is wrong with a schedule by itself', () => {
  const paths = (schedule: TemplateSchedule, periodicity?: string) =>
    scheduleProblems({ schedule, periodicity }).map((each) => each.path);
  expect(paths(plan(), 'MENSAL')).toEqual([]);
  expect(scheduleProblems({ periodicity: 'quando der' })).toEqual([]);
  expect(paths(plan(), 'quando der')).toEqual(['periodicity']);
  expect(paths(plan({ dayRule: 'DAY_OF_MONTH' }))).toEqual(['schedule.dayOfMonth']);
  expect(paths(plan({ dayOfMonth: 3 }))).toEqual(['schedule.dayOfMonth']);
  expect(paths(plan({ lastMonth: month('2025-12') }))).toEqual(['schedule.lastMonth']);
});
