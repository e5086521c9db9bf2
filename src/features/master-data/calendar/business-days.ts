import { nationalDay } from '../../../accounting/holidays.ts';
import { addDays, type Day } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { BranchKey } from '../../access/access.ts';
import { selectDaysBetween } from './calendar.read.sql.ts';

/** The business days of a span, in order: by the branch's own calendar, by the national one in months not opened. */
export async function readBusinessDays(sql: Sql, branch: BranchKey, from: Day, to: Day): Promise<Day[]> {
  const own = new Map((await selectDaysBetween(sql, branch, from, to)).map((each) => [each.day, each.businessDay]));
  const found: Day[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    if (own.get(day) ?? nationalDay(day).businessDay) found.push(day);
  }
  return found;
}
