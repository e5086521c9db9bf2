import { z } from 'zod';
import {
  type Day,
  dayIn,
  dayNumberOf,
  type Month,
  monthNumberOf,
  monthOf,
  monthOfDay,
  slashOf,
  yearOf,
} from '../../accounting/period.ts';
import { requireRoutine } from '../../features/access/authorize.ts';
import {
  type CalendarRow,
  dayHasEntries,
  isDayAvailable,
  selectCalendarMonth,
  selectClosedDays,
} from '../../features/master-data/calendar/calendar.read.sql.ts';
import { saveCalendarDay } from '../../features/master-data/calendar/save-calendar-day.ts';
import { selectMonthState } from '../../features/posting/months/months.read.sql.ts';
import { codeText, id, instant, isoDay, optional, readOnly, tenantParams, text, wholeText } from '../../http/fields.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { route } from '../../http/route.ts';

const tag = 'Calendar';

const FIRST_YEAR = 1900;
const LAST_YEAR = 9999;

const monthParams = tenantParams.extend({
  month: wholeText(1, 12).meta({ type: 'integer', example: 1 }),
  year: wholeText(FIRST_YEAR, LAST_YEAR).meta({ type: 'integer', example: 2026 }),
});
const dayParams = monthParams.extend({ day: wholeText(1, 31).meta({ type: 'integer', example: 5 }) });

const calendarBody = z.strictObject({
  id: readOnly,
  company: optional(codeText(10).meta({ example: '0001' })),
  branch: optional(codeText(10).meta({ example: '0001' })),
  date: optional(isoDay.meta({ example: '2026-01-30' })),
  day: optional(z.number().int().min(1).max(31).meta({ example: 30 })),
  month: optional(z.number().int().min(1).max(12).meta({ example: 1 })),
  year: optional(z.number().int().min(FIRST_YEAR).max(LAST_YEAR).meta({ example: 2026 })),
  businessDay: optional(z.boolean().meta({ example: false })),
  holidayName: text(200).nullish().meta({ example: 'Feriado municipal' }),
  status: optional(z.enum(['A', 'F'])),
  available: readOnly,
  hasEntries: readOnly,
  closedAt: readOnly,
  closedBy: readOnly,
  createdAt: readOnly,
  updatedAt: readOnly,
});

const calendarAnswer = z.object({
  id,
  company: z.string().meta({ example: '0001' }),
  branch: z.string().meta({ example: '0001' }),
  date: z.string().meta({ example: '2026-01-30' }),
  day: z.number().int(),
  month: z.number().int(),
  year: z.number().int().meta({ example: 2026 }),
  businessDay: z.boolean(),
  holidayName: z.string().nullable(),
  status: z.enum(['A', 'F']),
  available: z.boolean(),
  hasEntries: z.boolean(),
  closedAt: instant.nullable(),
  closedBy: z.string().nullable(),
  createdAt: instant,
  updatedAt: instant,
});

export const postCalendarRoute = route({
  operationId: 'saveCalendarDay',
  method: 'POST',
  path: '/calendar/{company}/{branch}',
  summary: 'Creates or changes a day of the calendar; a status closes (F) or reopens (A) it',
  tag,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company: company!, branch }) },
  params: tenantParams,
  body: calendarBody,
  status: 201,
  answer: calendarAnswer,
  handle: async ({ params, body, context, tenant, user }) => {
    rejectOtherTenant(body.company, params.company, 'company');
    rejectOtherTenant(body.branch, params.branch, 'branch');
    const facts = {
      day: dateOf(body),
      businessDay: body.businessDay,
      holidayName: body.holidayName === '' ? null : body.holidayName,
      closed: body.status === undefined ? undefined : body.status === 'F',
    };
    return calendarToWire(await saveCalendarDay(context, tenant, facts, () => requireRoutine(user, 'CALENDAR_CLOSE')));
  },
});

export const getCalendarMonthRoute = route({
  operationId: 'listCalendarDays',
  method: 'GET',
  path: '/calendar/{company}/{branch}/{month}/{year}',
  summary: 'Days of a month in the calendar of the branch',
  tag,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: monthParams,
  answer: z.array(calendarAnswer),
  handle: async ({ params, context, tenant }) =>
    (await selectCalendarMonth(context.sql, tenant.companyId, tenant.branchId, monthOfParams(params))).map(
      calendarToWire,
    ),
});

export const getMonthClosedRoute = route({
  operationId: 'isMonthClosed',
  method: 'GET',
  path: '/calendar/monthclosed/{company}/{branch}/{month}/{year}',
  summary: 'Whether the month is closed',
  tag,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: monthParams,
  answer: z.boolean(),
  handle: async ({ params, context, tenant }) =>
    (await selectMonthState(context.sql, tenant.companyId, tenant.branchId, monthOfParams(params))) === 'CLOSED',
});

export const getDayAvailableRoute = route({
  operationId: 'isDayAvailable',
  method: 'GET',
  path: '/calendar/isDayAvailable/{company}/{branch}/{day}/{month}/{year}',
  summary: 'Whether the day takes entries: its month is open and the day not closed',
  tag,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: dayParams,
  answer: z.boolean(),
  handle: ({ params, context, tenant }) =>
    isDayAvailable(context.sql, tenant.companyId, tenant.branchId, monthOfParams(params), dayOfParams(params)),
});

export const getClosedDaysRoute = route({
  operationId: 'listClosedDays',
  method: 'GET',
  path: '/calendar/closeday/{company}/{branch}',
  summary: 'The closed days of the branch',
  tag,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: tenantParams,
  answer: z.array(calendarAnswer),
  handle: async ({ context, tenant }) =>
    (await selectClosedDays(context.sql, tenant.companyId, tenant.branchId)).map(calendarToWire),
});

export const getHasEntriesRoute = route({
  operationId: 'dayHasEntries',
  method: 'GET',
  path: '/calendar/hasEntries/{company}/{branch}/{day}/{month}/{year}',
  summary: 'Whether the day has entries',
  tag,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }) },
  params: dayParams,
  answer: z.boolean(),
  handle: ({ params, context, tenant }) =>
    dayHasEntries(context.sql, tenant.companyId, tenant.branchId, monthOfParams(params), dayOfParams(params)),
});

function monthOfParams({ month, year }: { month: number; year: number }): Month {
  return monthOf(year, month)!;
}

function dayOfParams(params: { day: number; month: number; year: number }): Day {
  const month = monthOfParams(params);
  return (
    dayIn(month, params.day) ?? rejectRequest('DAY_NOT_IN_MONTH', { day: params.day, month: slashOf(month) }, 'day')
  );
}

/** `date`, or day, month and year; both only when they agree. */
function dateOf({ date, day, month, year }: z.output<typeof calendarBody>): Day {
  const apart =
    day !== undefined && month !== undefined && year !== undefined ? dayOfParams({ day, month, year }) : undefined;
  const found = date ?? apart;
  if (found === undefined)
    rejectRequest('INVALID_FIELD', { reason: { en: 'date is required', pt: 'obrigatória' } }, 'date');
  const contradicts =
    (day !== undefined && day !== dayNumberOf(found)) ||
    (month !== undefined && month !== monthNumberOf(monthOfDay(found))) ||
    (year !== undefined && year !== yearOf(monthOfDay(found)));
  if (contradicts) {
    rejectRequest(
      'INVALID_FIELD',
      { reason: { en: `differs from day, month and year`, pt: `difere de dia, mês e ano` } },
      'date',
    );
  }
  return found;
}

function rejectOtherTenant(sent: string | undefined, path: string, field: string): void {
  if (sent !== undefined && sent !== path) {
    rejectRequest('INVALID_FIELD', { reason: { en: 'differs from the path', pt: 'difere do caminho' } }, field);
  }
}

function calendarToWire(row: CalendarRow): z.output<typeof calendarAnswer> {
  return {
    id: row.id,
    company: row.company,
    branch: row.branch,
    date: row.day,
    day: dayNumberOf(row.day),
    month: monthNumberOf(monthOfDay(row.day)),
    year: yearOf(monthOfDay(row.day)),
    businessDay: row.businessDay,
    holidayName: row.holidayName,
    status: row.closed ? 'F' : 'A',
    available: row.available,
    hasEntries: row.hasEntries,
    closedAt: row.closedAt?.toISOString() ?? null,
    closedBy: row.closedBy,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
