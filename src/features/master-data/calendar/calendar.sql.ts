import type { Day } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';

export interface CalendarDay {
  readonly day: Day;
  readonly businessDay: boolean;
  readonly holidayName: string | null;
  readonly closed: boolean;
}

/** The day as the branch's calendar has it, held. */
export function lockCalendarDay(
  sql: Sql,
  companyId: number,
  branchId: number,
  day: Day,
): Promise<CalendarDay | undefined> {
  return sql.maybe<CalendarDay>({
    text: `SELECT calendar_day.day, calendar_day.business_day AS "businessDay",
                  calendar_day.holiday_name AS "holidayName", calendar_day.closed
             FROM calendar_day
            WHERE calendar_day.company_id = $1 AND calendar_day.branch_id = $2 AND calendar_day.day = $3
              FOR UPDATE`,
    values: [companyId, branchId, day],
  });
}

/** Writes days over what the calendar has; who closed a day, and when, changes only with its being closed. */
export async function upsertCalendarDays(
  sql: Sql,
  companyId: number,
  branchId: number,
  days: readonly CalendarDay[],
  closedBy: string,
): Promise<void> {
  await sql.run({
    text: `INSERT INTO calendar_day (company_id, branch_id, day, business_day, holiday_name, closed, closed_at, closed_by)
           SELECT $1, $2, given.day, given.business_day, given.holiday_name, given.closed,
                  CASE WHEN given.closed THEN now() END, CASE WHEN given.closed THEN $7::text END
             FROM unnest($3::date[], $4::boolean[], $5::text[], $6::boolean[])
               AS given (day, business_day, holiday_name, closed)
           ON CONFLICT (company_id, branch_id, day) DO UPDATE
              SET business_day = excluded.business_day, holiday_name = excluded.holiday_name, closed = excluded.closed,
                  closed_at = CASE WHEN calendar_day.closed = excluded.closed THEN calendar_day.closed_at
                                   ELSE excluded.closed_at END,
                  closed_by = CASE WHEN calendar_day.closed = excluded.closed THEN calendar_day.closed_by
                                   ELSE excluded.closed_by END,
                  updated_at = now()`,
    values: [
      companyId,
      branchId,
      days.map((each) => each.day),
      days.map((each) => each.businessDay),
      days.map((each) => each.holidayName),
      days.map((each) => each.closed),
      closedBy,
    ],
  });
}

/** Names and business days of holidays over what the calendar has; closed days stay closed. */
export async function upsertHolidays(
  sql: Sql,
  companyId: number,
  branchId: number,
  holidays: readonly Omit<CalendarDay, 'closed'>[],
): Promise<void> {
  await sql.run({
    text: `INSERT INTO calendar_day (company_id, branch_id, day, business_day, holiday_name)
           SELECT $1, $2, given.day, given.business_day, given.holiday_name
             FROM unnest($3::date[], $4::boolean[], $5::text[]) AS given (day, business_day, holiday_name)
           ON CONFLICT (company_id, branch_id, day) DO UPDATE
              SET business_day = excluded.business_day, holiday_name = excluded.holiday_name, updated_at = now()`,
    values: [
      companyId,
      branchId,
      holidays.map((each) => each.day),
      holidays.map((each) => each.businessDay),
      holidays.map((each) => each.holidayName),
    ],
  });
}
