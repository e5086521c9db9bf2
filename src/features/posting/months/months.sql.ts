import { firstDay, type Month } from '../../../accounting/period.ts';
import { monthProblem } from '../../../accounting/posting.ts';
import { BusinessError } from '../../../accounting/problem.ts';
import type { Sql } from '../../../platform/database/sql.ts';

export interface MonthRow {
  readonly companyId: number;
  readonly branchId: number;
  /** 'YYYY-MM' */
  readonly month: Month;
  readonly state: 'OPEN' | 'CLOSED';
  readonly archived: boolean;
}

export interface MonthKey {
  readonly companyId: number;
  readonly branchId: number;
  readonly month: Month;
}

/** Holds the month together with other writers: nobody can close, close a day of, reopen or archive it meanwhile. */
export function lockMonthShared(sql: Sql, key: MonthKey): Promise<MonthRow | undefined> {
  return lockMonth(sql, key, 'SHARE');
}

/** Holds the month alone: waits for the writers that are under way and keeps new ones out until the commit. */
export function lockMonthExclusive(sql: Sql, key: MonthKey): Promise<MonthRow | undefined> {
  return lockMonth(sql, key, 'UPDATE');
}

/**
 * Holds what balances of an open month are made of: the branch's last closed month and all behind it. Until the
 * commit none of them is closed, reopened or archived, so that several statements see the same closed figures.
 */
export async function lockOpenBooks(sql: Sql, companyId: number, branchId: number): Promise<void> {
  for (;;) {
    const [first] = await sql.rows<{ state: MonthRow['state']; isFirst: boolean }>({
      text: `SELECT ${fairMonthLock('SHARE')}, month.state,
                    NOT EXISTS (SELECT 1 FROM month AS before
                                 WHERE before.company_id = $1 AND before.branch_id = $2
                                   AND before.month < month.month) AS "isFirst"
               FROM month
              WHERE month.company_id = $1 AND month.branch_id = $2
                AND month.month >= (SELECT coalesce(max(closed.month), '0001-01-01') FROM month AS closed
                                     WHERE closed.company_id = $1 AND closed.branch_id = $2
                                       AND closed.state = 'CLOSED')
              ORDER BY month.month
                FOR SHARE OF month`,
      values: [companyId, branchId],
    });
    // Reopened while this waited for it: the one before it is the last closed month now, and is not held yet.
    if (first === undefined || first.isFirst || first.state === 'CLOSED') return;
  }
}

/** Refuses unless the month takes entries. */
export function requireOpen(row: MonthRow | undefined, month: Month, field?: string): asserts row is MonthRow {
  const found = monthProblem(row?.state ?? 'NOT_OPENED', month, field);
  if (found) throw new BusinessError(found);
}

/**
 * A place in the queue of the month in scope, taken before its row. The row lock alone is not fair: whoever shares it is
 * let past one who waits to hold it alone, and with 32 writers a month close never got its turn (decision 13). What
 * may happen to a month hangs on its row and never on this.
 */
export function fairMonthLock(strength: 'SHARE' | 'UPDATE'): string {
  return `pg_advisory_xact_lock${strength === 'SHARE' ? '_shared' : ''}(
            hashint8extended(month.branch_id, month.month - DATE '2000-01-01')) AS turn`;
}

function lockMonth(sql: Sql, key: MonthKey, strength: 'SHARE' | 'UPDATE'): Promise<MonthRow | undefined> {
  return sql.maybe<MonthRow>({
    name: `lock-month-${strength}`,
    text: `SELECT ${fairMonthLock(strength)}, month.company_id AS "companyId", month.branch_id AS "branchId",
                  to_char(month.month, 'YYYY-MM') AS month, month.state, month.archived
             FROM month
            WHERE month.company_id = $1 AND month.branch_id = $2 AND month.month = $3
              FOR ${strength}`,
    values: [key.companyId, key.branchId, firstDay(key.month)],
  });
}

/** False when the month exists already. */
export async function insertMonth(sql: Sql, key: MonthKey): Promise<boolean> {
  const inserted = await sql.run({
    text: 'INSERT INTO month (company_id, branch_id, month) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
    values: [key.companyId, key.branchId, firstDay(key.month)],
  });
  return inserted === 1;
}

/** Holds the branch's options: its base month and chart do not change while its first month opens. */
export async function lockOptions(sql: Sql, companyId: number, branchId: number): Promise<void> {
  await sql.rows({
    text: `SELECT company_options.id FROM company_options
            WHERE company_options.company_id = $1 AND company_options.branch_id = $2 FOR SHARE`,
    values: [companyId, branchId],
  });
}

/** Drops what month close closed: balances and closing entries with their batches. */
export async function reopenMonth(sql: Sql, key: MonthKey): Promise<void> {
  const values = [key.companyId, key.branchId, firstDay(key.month)];
  await sql.rows({ text: 'SELECT reopen_month($1, $2, $3)', values });
  for (const table of ['monthly_balance', 'daily_balance']) {
    await sql.run({
      text: `DELETE FROM ${table}
              WHERE ${table}.company_id = $1 AND ${table}.branch_id = $2 AND ${table}.month = $3`,
      values,
    });
  }
  await sql.run({
    text: `WITH gone AS (
             DELETE FROM entry_line
              WHERE entry_line.company_id = $1 AND entry_line.branch_id = $2 AND entry_line.month = $3 AND entry_line.closing
             RETURNING entry_line.document_id
           )
           DELETE FROM document
            WHERE document.company_id = $1 AND document.id IN (SELECT gone.document_id FROM gone)`,
    values,
  });
  await sql.run({
    text: `DELETE FROM batch
            WHERE batch.company_id = $1 AND batch.branch_id = $2 AND batch.month = $3 AND batch.closing
              AND NOT EXISTS (SELECT 1 FROM document
                               WHERE document.company_id = batch.company_id AND document.batch_id = batch.id)`,
    values,
  });
}

/** Keeps why and by whom a closed month is opened again. */
export async function insertReopening(sql: Sql, key: MonthKey, reason: string, reopenedBy: string): Promise<void> {
  await sql.run({
    text: `INSERT INTO month_reopening (company_id, branch_id, month, reason, reopened_by) VALUES ($1, $2, $3, $4, $5)`,
    values: [key.companyId, key.branchId, firstDay(key.month), reason, reopenedBy],
  });
}

/** Makes the days of the month that the calendar lacks; days set by hand before stay as they are. */
export async function fillCalendar(
  sql: Sql,
  key: MonthKey,
  days: readonly { day: string; businessDay: boolean; holidayName: string | null }[],
): Promise<void> {
  await sql.run({
    text: `INSERT INTO calendar_day (company_id, branch_id, day, business_day, holiday_name)
           SELECT $1, $2, filled.day, filled.business_day, filled.holiday_name
             FROM unnest($3::date[], $4::boolean[], $5::text[]) AS filled (day, business_day, holiday_name)
           ON CONFLICT DO NOTHING`,
    values: [
      key.companyId,
      key.branchId,
      days.map((each) => each.day),
      days.map((each) => each.businessDay),
      days.map((each) => each.holidayName),
    ],
  });
}

export interface OpenDay {
  readonly day: string;
  readonly month: Month;
}

/** The branch's current day: the earliest business day, not closed, of its open months. */
export function selectCurrentDay(sql: Sql, companyId: number, branchId: number): Promise<OpenDay | undefined> {
  return sql.maybe<OpenDay>({
    text: `SELECT calendar_day.day, to_char(month.month, 'YYYY-MM') AS month
             FROM month
             JOIN calendar_day ON calendar_day.company_id = month.company_id AND calendar_day.branch_id = month.branch_id
              AND calendar_day.day >= month.month AND calendar_day.day < month.month + interval '1 month'
            WHERE month.company_id = $1 AND month.branch_id = $2 AND month.state = 'OPEN'
              AND calendar_day.business_day AND NOT calendar_day.closed
            ORDER BY calendar_day.day LIMIT 1`,
    values: [companyId, branchId],
  });
}

/** The months of the days that close with the day, in order: its own, and open ones that end in a weekend before it. */
export async function selectMonthsToClose(
  sql: Sql,
  companyId: number,
  branchId: number,
  day: string,
): Promise<Month[]> {
  const rows = await sql.rows<{ month: Month }>({
    text: `SELECT to_char(month.month, 'YYYY-MM') AS month FROM month
            WHERE month.company_id = $1 AND month.branch_id = $2 AND month.state = 'OPEN' AND month.month <= $3
            ORDER BY month.month`,
    values: [companyId, branchId, day],
  });
  return rows.map((row) => row.month);
}

/** Closes the day, and with it the weekend days and holidays before it that are still open. */
export function closeDaysUpTo(
  sql: Sql,
  companyId: number,
  branchId: number,
  day: string,
  closedBy: string,
): Promise<number> {
  return sql.run({
    text: `UPDATE calendar_day
              SET closed = true, closed_at = now(), closed_by = $4, updated_at = now()
            WHERE calendar_day.company_id = $1 AND calendar_day.branch_id = $2 AND calendar_day.day <= $3
              AND NOT calendar_day.closed AND (calendar_day.day = $3 OR NOT calendar_day.business_day)`,
    values: [companyId, branchId, day, closedBy],
  });
}

/** The first document with lines on the day whose debits and credits differ. */
export function selectUnbalancedDocument(
  sql: Sql,
  companyId: number,
  branchId: number,
  { day, month }: OpenDay,
): Promise<{ number: string; debits: string; credits: string } | undefined> {
  return sql.maybe({
    text: `SELECT document.number, sides.debits, sides.credits
             FROM (SELECT entry_line.document_id,
                          coalesce(sum(entry_line.amount) FILTER (WHERE entry_line.side = 'D'), 0) AS debits,
                          coalesce(sum(entry_line.amount) FILTER (WHERE entry_line.side = 'C'), 0) AS credits
                     FROM entry_line
                    WHERE entry_line.company_id = $1 AND entry_line.branch_id = $2 AND entry_line.month = $4
                      AND entry_line.day = $3
                    GROUP BY entry_line.document_id) AS sides
             JOIN document ON document.company_id = $1 AND document.id = sides.document_id
            WHERE sides.debits <> sides.credits
            LIMIT 1`,
    values: [companyId, branchId, day, firstDay(month)],
  });
}
