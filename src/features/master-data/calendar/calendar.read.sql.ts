import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import { type Day, firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';

export interface CalendarRow {
  readonly id: number;
  readonly company: string;
  readonly branch: string;
  readonly day: Day;
  readonly businessDay: boolean;
  readonly holidayName: string | null;
  readonly closed: boolean;
  readonly closedAt: Date | null;
  readonly closedBy: string | null;
  /** The month is open and the day not closed: entries are taken, on weekends and holidays too. */
  readonly available: boolean;
  readonly hasEntries: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const CALENDAR_COLUMNS = SQL`calendar_day.id, company.code AS company, branch.code AS branch, calendar_day.day,
  calendar_day.business_day AS "businessDay", calendar_day.holiday_name AS "holidayName", calendar_day.closed,
  calendar_day.closed_at AS "closedAt", calendar_day.closed_by AS "closedBy",
  coalesce(month.state = 'OPEN', false) AND NOT calendar_day.closed AS available,
  posted.day IS NOT NULL AS "hasEntries", calendar_day.created_at AS "createdAt", calendar_day.updated_at AS "updatedAt"`;

/** `months` limits the search for entries. */
const calendarSource = (companyId: CompanyId, branchId: BranchId, months: Fragment) => SQL`calendar_day
  JOIN company ON company.id = calendar_day.company_id
  JOIN branch ON branch.company_id = calendar_day.company_id AND branch.id = calendar_day.branch_id
  LEFT JOIN month ON month.company_id = calendar_day.company_id AND month.branch_id = calendar_day.branch_id
   AND month.month = date_trunc('month', calendar_day.day)::date
  LEFT JOIN (SELECT DISTINCT entry_line.day FROM entry_line
              WHERE entry_line.company_id = ${companyId} AND entry_line.branch_id = ${branchId}
                AND entry_line.month ${months}
              UNION
             SELECT entry_line_archive.day FROM entry_line_archive
              WHERE entry_line_archive.company_id = ${companyId} AND entry_line_archive.branch_id = ${branchId}
                AND entry_line_archive.month ${months}) AS posted
    ON posted.day = calendar_day.day`;

/** Days of the month that the branch's calendar has. */
export function selectCalendarMonth(
  sql: Sql,
  companyId: CompanyId,
  branchId: BranchId,
  month: Month,
): Promise<CalendarRow[]> {
  return sql.rows<CalendarRow>(SQL`
    SELECT ${CALENDAR_COLUMNS} FROM ${calendarSource(companyId, branchId, SQL`= ${firstDay(month)}`)}
     WHERE ${daysOfMonth(companyId, branchId, month)}
     ORDER BY calendar_day.day`);
}

export interface DayOfMonth {
  readonly day: Day;
  readonly businessDay: boolean;
  readonly closed: boolean;
}

/** The days of an opened month in the branch's calendar, in order. */
export function selectDaysOfMonth(sql: Sql, { companyId, branchId }: BranchKey, month: Month): Promise<DayOfMonth[]> {
  return sql.rows<DayOfMonth>(SQL`
    SELECT calendar_day.day, calendar_day.business_day AS "businessDay", calendar_day.closed FROM calendar_day
     WHERE ${daysOfMonth(companyId, branchId, month)}
     ORDER BY calendar_day.day`);
}

/** The days of a span that the branch's calendar has: those of opened months. */
export function selectDaysBetween(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  from: Day,
  to: Day,
): Promise<DayOfMonth[]> {
  return sql.rows<DayOfMonth>(SQL`
    SELECT calendar_day.day, calendar_day.business_day AS "businessDay", calendar_day.closed FROM calendar_day
     WHERE calendar_day.company_id = ${companyId} AND calendar_day.branch_id = ${branchId}
       AND calendar_day.day BETWEEN ${from} AND ${to}
     ORDER BY calendar_day.day`);
}

const daysOfMonth = (companyId: CompanyId, branchId: BranchId, month: Month): Fragment => SQL`
  calendar_day.company_id = ${companyId} AND calendar_day.branch_id = ${branchId}
  AND calendar_day.day >= ${firstDay(month)} AND calendar_day.day < ${firstDay(month)}::date + interval '1 month'`;

export function selectClosedDays(sql: Sql, companyId: CompanyId, branchId: BranchId): Promise<CalendarRow[]> {
  return sql.rows<CalendarRow>(SQL`
    SELECT ${CALENDAR_COLUMNS}
      FROM ${calendarSource(
        companyId,
        branchId,
        SQL`IN (SELECT date_trunc('month', closed_day.day)::date FROM calendar_day AS closed_day
                                  WHERE closed_day.company_id = ${companyId} AND closed_day.branch_id = ${branchId}
                                    AND closed_day.closed)`,
      )}
     WHERE calendar_day.company_id = ${companyId} AND calendar_day.branch_id = ${branchId} AND calendar_day.closed
     ORDER BY calendar_day.day`);
}

/** Whether the day takes entries. */
export async function isDayAvailable(
  sql: Sql,
  companyId: CompanyId,
  branchId: BranchId,
  month: Month,
  day: Day,
): Promise<boolean> {
  const row = await sql.one<{ available: boolean }>(SQL`
    SELECT EXISTS (SELECT 1 FROM month
                    WHERE month.company_id = ${companyId} AND month.branch_id = ${branchId}
                      AND month.month = ${firstDay(month)}
                      AND month.state = 'OPEN')
           AND NOT EXISTS (SELECT 1 FROM calendar_day
                            WHERE calendar_day.company_id = ${companyId} AND calendar_day.branch_id = ${branchId}
                              AND calendar_day.day = ${day} AND calendar_day.closed) AS available`);
  return row.available;
}

export async function dayHasEntries(
  sql: Sql,
  companyId: CompanyId,
  branchId: BranchId,
  month: Month,
  day: Day,
): Promise<boolean> {
  const row = await sql.one<{ found: boolean }>(SQL`
    SELECT EXISTS (SELECT 1 FROM entry_line
                    WHERE entry_line.company_id = ${companyId} AND entry_line.branch_id = ${branchId}
                      AND entry_line.month = ${firstDay(month)}
                      AND entry_line.day = ${day})
           OR EXISTS (SELECT 1 FROM entry_line_archive
                       WHERE entry_line_archive.company_id = ${companyId} AND entry_line_archive.branch_id = ${branchId}
                         AND entry_line_archive.month = ${firstDay(month)}
                         AND entry_line_archive.day = ${day}) AS found`);
  return row.found;
}
