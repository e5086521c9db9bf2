import { type Day, firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';

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

const CALENDAR_COLUMNS = `calendar_day.id, company.code AS company, branch.code AS branch, calendar_day.day,
  calendar_day.business_day AS "businessDay", calendar_day.holiday_name AS "holidayName", calendar_day.closed,
  calendar_day.closed_at AS "closedAt", calendar_day.closed_by AS "closedBy",
  coalesce(month.state = 'OPEN', false) AND NOT calendar_day.closed AS available,
  posted.day IS NOT NULL AS "hasEntries", calendar_day.created_at AS "createdAt", calendar_day.updated_at AS "updatedAt"`;

/** $1 and $2 are the branch; `months` limits the search for entries. */
const calendarSource = (months: string) => `calendar_day
  JOIN company ON company.id = calendar_day.company_id
  JOIN branch ON branch.company_id = calendar_day.company_id AND branch.id = calendar_day.branch_id
  LEFT JOIN month ON month.company_id = calendar_day.company_id AND month.branch_id = calendar_day.branch_id
   AND month.month = date_trunc('month', calendar_day.day)::date
  LEFT JOIN (SELECT DISTINCT entry_line.day FROM entry_line
              WHERE entry_line.company_id = $1 AND entry_line.branch_id = $2 AND entry_line.month ${months}
              UNION
             SELECT entry_line_archive.day FROM entry_line_archive
              WHERE entry_line_archive.company_id = $1 AND entry_line_archive.branch_id = $2
                AND entry_line_archive.month ${months}) AS posted
    ON posted.day = calendar_day.day`;

/** Days of the month that the branch's calendar has. */
export function selectCalendarMonth(
  sql: Sql,
  companyId: number,
  branchId: number,
  month: Month,
): Promise<CalendarRow[]> {
  return sql.rows<CalendarRow>({
    text: `SELECT ${CALENDAR_COLUMNS} FROM ${calendarSource('= $3')}
            WHERE calendar_day.company_id = $1 AND calendar_day.branch_id = $2
              AND calendar_day.day >= $3 AND calendar_day.day < $3::date + interval '1 month'
            ORDER BY calendar_day.day`,
    values: [companyId, branchId, firstDay(month)],
  });
}

export function selectClosedDays(sql: Sql, companyId: number, branchId: number): Promise<CalendarRow[]> {
  return sql.rows<CalendarRow>({
    text: `SELECT ${CALENDAR_COLUMNS}
             FROM ${calendarSource(`IN (SELECT date_trunc('month', closed_day.day)::date FROM calendar_day AS closed_day
                                         WHERE closed_day.company_id = $1 AND closed_day.branch_id = $2 AND closed_day.closed)`)}
            WHERE calendar_day.company_id = $1 AND calendar_day.branch_id = $2 AND calendar_day.closed
            ORDER BY calendar_day.day`,
    values: [companyId, branchId],
  });
}

/** Whether the month is closed; one that was never opened is not. */
export async function isMonthClosed(sql: Sql, companyId: number, branchId: number, month: Month): Promise<boolean> {
  const row = await sql.one<{ closed: boolean }>({
    text: `SELECT EXISTS (SELECT 1 FROM month
                           WHERE month.company_id = $1 AND month.branch_id = $2 AND month.month = $3
                             AND month.state = 'CLOSED') AS closed`,
    values: [companyId, branchId, firstDay(month)],
  });
  return row.closed;
}

/** Whether the day takes entries. */
export async function isDayAvailable(
  sql: Sql,
  companyId: number,
  branchId: number,
  month: Month,
  day: Day,
): Promise<boolean> {
  const row = await sql.one<{ available: boolean }>({
    text: `SELECT EXISTS (SELECT 1 FROM month
                           WHERE month.company_id = $1 AND month.branch_id = $2 AND month.month = $3
                             AND month.state = 'OPEN')
                  AND NOT EXISTS (SELECT 1 FROM calendar_day
                                   WHERE calendar_day.company_id = $1 AND calendar_day.branch_id = $2
                                     AND calendar_day.day = $4 AND calendar_day.closed) AS available`,
    values: [companyId, branchId, firstDay(month), day],
  });
  return row.available;
}

export async function dayHasEntries(
  sql: Sql,
  companyId: number,
  branchId: number,
  month: Month,
  day: Day,
): Promise<boolean> {
  const row = await sql.one<{ found: boolean }>({
    text: `SELECT EXISTS (SELECT 1 FROM entry_line
                           WHERE entry_line.company_id = $1 AND entry_line.branch_id = $2 AND entry_line.month = $3
                             AND entry_line.day = $4)
                  OR EXISTS (SELECT 1 FROM entry_line_archive
                              WHERE entry_line_archive.company_id = $1 AND entry_line_archive.branch_id = $2
                                AND entry_line_archive.month = $3 AND entry_line_archive.day = $4) AS found`,
    values: [companyId, branchId, firstDay(month), day],
  });
  return row.found;
}
