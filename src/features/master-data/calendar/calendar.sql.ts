import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import type { Day } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';

export interface CalendarDay {
  readonly day: Day;
  readonly businessDay: boolean;
  readonly holidayName: string | null;
  readonly closed: boolean;
}

/** The day in the branch's calendar, with a row lock. */
export function lockCalendarDay(
  sql: Sql,
  companyId: CompanyId,
  branchId: BranchId,
  day: Day,
): Promise<CalendarDay | undefined> {
  return sql.maybe<CalendarDay>(SQL`
    SELECT calendar_day.day, calendar_day.business_day AS "businessDay",
           calendar_day.holiday_name AS "holidayName", calendar_day.closed
      FROM calendar_day
     WHERE calendar_day.company_id = ${companyId} AND calendar_day.branch_id = ${branchId} AND calendar_day.day = ${day}
       FOR UPDATE`);
}

/** Upserts days of the calendar; who closed a day, and when, changes only with its being closed. */
export async function upsertCalendarDays(
  sql: Sql,
  companyId: CompanyId,
  branchId: BranchId,
  days: readonly CalendarDay[],
  closedBy: string,
): Promise<void> {
  await sql.run(SQL`
    INSERT INTO calendar_day (company_id, branch_id, day, business_day, holiday_name, closed, closed_at, closed_by)
    SELECT ${companyId}, ${branchId}, given.day, given.business_day, given.holiday_name, given.closed,
           CASE WHEN given.closed THEN now() END, CASE WHEN given.closed THEN ${closedBy}::text END
      FROM unnest(${days.map((each) => each.day)}::date[], ${days.map((each) => each.businessDay)}::boolean[],
        ${days.map((each) => each.holidayName)}::text[], ${days.map((each) => each.closed)}::boolean[])
        AS given (day, business_day, holiday_name, closed)
    ON CONFLICT (company_id, branch_id, day) DO UPDATE
       SET business_day = excluded.business_day, holiday_name = excluded.holiday_name, closed = excluded.closed,
           closed_at = CASE WHEN calendar_day.closed = excluded.closed THEN calendar_day.closed_at
                            ELSE excluded.closed_at END,
           closed_by = CASE WHEN calendar_day.closed = excluded.closed THEN calendar_day.closed_by
                            ELSE excluded.closed_by END,
           updated_at = excluded.updated_at`);
}

/** Names and business days of holidays over what the calendar has; closed days stay closed. */
export async function upsertHolidays(
  sql: Sql,
  companyId: CompanyId,
  branchId: BranchId,
  holidays: readonly Omit<CalendarDay, 'closed'>[],
): Promise<void> {
  await sql.run(SQL`
    INSERT INTO calendar_day (company_id, branch_id, day, business_day, holiday_name)
    SELECT ${companyId}, ${branchId}, given.day, given.business_day, given.holiday_name
      FROM unnest(${holidays.map((each) => each.day)}::date[], ${holidays.map((each) => each.businessDay)}::boolean[],
        ${holidays.map((each) => each.holidayName)}::text[]) AS given (day, business_day, holiday_name)
    ON CONFLICT (company_id, branch_id, day) DO UPDATE
       SET business_day = excluded.business_day, holiday_name = excluded.holiday_name, updated_at = excluded.updated_at`);
}
