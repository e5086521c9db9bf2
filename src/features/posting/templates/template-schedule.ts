import type { NationalDay } from '../../../accounting/holidays.ts';
import { type Day, dayNumberOf, type Month, monthsBetween, slashOf } from '../../../accounting/period.ts';
import { type Problem, problem } from '../../../accounting/problem.ts';

/** When a template is used by itself. */
export interface TemplateSchedule {
  readonly dayRule: 'DAY_OF_MONTH' | 'FIRST_BUSINESS_DAY' | 'LAST_BUSINESS_DAY';
  /** Of the rule DAY_OF_MONTH only. */
  readonly dayOfMonth: number | null;
  readonly firstMonth: Month;
  readonly lastMonth: Month | null;
  readonly active: boolean;
}

/** Months from one use to the next, by the template's periodicity. */
const MONTHS_OF: Readonly<Record<string, number>> = {
  MENSAL: 1,
  BIMESTRAL: 2,
  TRIMESTRAL: 3,
  SEMESTRAL: 6,
  ANUAL: 12,
};

type PlannedTemplate = {
  readonly periodicity?: string | null | undefined;
  readonly schedule?: TemplateSchedule | null | undefined;
};

/** What is wrong with a template's schedule by itself. Without periodicity it is monthly. */
export function scheduleProblems({ periodicity, schedule }: PlannedTemplate): Problem[] {
  if (!schedule) return [];
  const { dayRule, dayOfMonth, firstMonth, lastMonth } = schedule;
  const found: Problem[] = [];
  if (periodicity && MONTHS_OF[periodicity] === undefined) {
    const values = Object.keys(MONTHS_OF).join(', ');
    found.push(problem('INVALID_FIELD', { reason: 'NOT_ONE_OF', values }, 'periodicity'));
  }
  if (dayRule === 'DAY_OF_MONTH' && dayOfMonth === null)
    found.push(problem('MISSING_VALUE', {}, 'schedule.dayOfMonth'));
  if (dayRule !== 'DAY_OF_MONTH' && dayOfMonth !== null)
    found.push(problem('INVALID_FIELD', { reason: 'ONLY_OF_DAY_RULE' }, 'schedule.dayOfMonth'));
  if (lastMonth !== null && lastMonth < firstMonth) {
    const range = { from: slashOf(firstMonth), to: slashOf(lastMonth) };
    found.push(problem('INVALID_DATE_RANGE', range, 'schedule.lastMonth'));
  }
  return found;
}

/** Whether the template is used in the month: its first month, and from there by its periodicity. */
export function isDueIn({ periodicity, schedule }: PlannedTemplate, month: Month): boolean {
  if (!schedule?.active) return false;
  const { firstMonth, lastMonth } = schedule;
  if (month < firstMonth || (lastMonth !== null && month > lastMonth)) return false;
  return monthsBetween(firstMonth, month) % (MONTHS_OF[periodicity ?? 'MENSAL'] ?? 1) === 0;
}

/**
 * The day of the use among the branch's days of the month, in order. Day N is the last one in shorter months, and where it
 * is no business day, the business day before it; where there is none before it, the month's first.
 */
export function dayOfUse(
  { dayRule, dayOfMonth }: TemplateSchedule,
  days: readonly Pick<NationalDay, 'day' | 'businessDay'>[],
): Day {
  const businessDays = days.filter((each) => each.businessDay);
  const latest = dayRule === 'DAY_OF_MONTH' ? (dayOfMonth ?? 1) : LAST_OF_ANY_MONTH;
  const upToIt = businessDays.filter(({ day }) => dayNumberOf(day) <= latest);
  const chosen = dayRule === 'FIRST_BUSINESS_DAY' ? businessDays[0] : (upToIt.at(-1) ?? businessDays[0]);
  // A month without any business day is of a calendar that somebody made by hand.
  return (chosen ?? days.findLast(({ day }) => dayNumberOf(day) <= latest) ?? days[0])!.day;
}

const LAST_OF_ANY_MONTH = 31;
