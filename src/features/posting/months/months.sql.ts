import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import { type Day, firstDay, type Month } from '../../../accounting/period.ts';
import { monthProblem } from '../../../accounting/posting.ts';
import { BusinessError } from '../../../accounting/problem.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';
import type { OpenDay } from './months.read.sql.ts';

export interface MonthRow {
  readonly companyId: CompanyId;
  readonly branchId: BranchId;
  /** 'YYYY-MM' */
  readonly month: Month;
  readonly state: 'OPEN' | 'CLOSED';
  readonly archived: boolean;
}

export interface MonthKey {
  readonly companyId: CompanyId;
  readonly branchId: BranchId;
  readonly month: Month;
}

/** Locks the month FOR SHARE: it cannot be closed, reopened or archived, nor a day of it closed, before the commit. */
export function lockMonthShared(sql: Sql, key: MonthKey): Promise<MonthRow | undefined> {
  return lockMonth(sql, key, 'SHARE');
}

/** Locks the month FOR UPDATE: waits for active writers and blocks new ones until the commit. */
export function lockMonthExclusive(sql: Sql, key: MonthKey): Promise<MonthRow | undefined> {
  return lockMonth(sql, key, 'UPDATE');
}

/**
 * Locks what balances of an open month are computed from: the branch's last closed month and all after it. Until the
 * commit none of them is closed, reopened or archived, so that several statements see the same closed figures.
 */
export async function lockOpenBooks(sql: Sql, companyId: CompanyId, branchId: BranchId): Promise<void> {
  for (;;) {
    const [first] = await sql.rows<{ state: MonthRow['state']; isFirst: boolean }>(SQL`
      SELECT ${fairMonthLock('SHARE')}, month.state,
             NOT EXISTS (SELECT 1 FROM month AS before
                          WHERE before.company_id = ${companyId} AND before.branch_id = ${branchId}
                            AND before.month < month.month) AS "isFirst"
        FROM month
       WHERE month.company_id = ${companyId} AND month.branch_id = ${branchId}
         AND month.month >= (SELECT coalesce(max(closed.month), '0001-01-01') FROM month AS closed
                              WHERE closed.company_id = ${companyId} AND closed.branch_id = ${branchId}
                                AND closed.state = 'CLOSED')
       ORDER BY month.month
         FOR SHARE OF month`);
    // It was reopened while this waited: the one before it is now the last closed month, and is not locked yet.
    if (first === undefined || first.isFirst || first.state === 'CLOSED') return;
  }
}

/** Throws unless the month takes entries. */
export function requireOpen(row: MonthRow | undefined, month: Month, path?: string): asserts row is MonthRow {
  const found = monthProblem(row?.state ?? 'NOT_OPENED', month, path);
  if (found) throw new BusinessError(found);
}

/**
 * A fair queue for the month, entered before its row lock. The row lock alone is not fair: FOR SHARE lockers pass a
 * waiting FOR UPDATE, and with 32 writers a month close never got its turn (decision 13). Correctness depends on the
 * row lock alone.
 */
export function fairMonthLock(strength: 'SHARE' | 'SHARE AT ONCE' | 'UPDATE'): Fragment {
  return SQL`${QUEUES[strength]}(hashint8extended(month.branch_id, month.month - DATE '2000-01-01')) AS turn`;
}

/** At once: false where somebody who closes the month has it or waits for it. */
const QUEUES = {
  SHARE: SQL`pg_advisory_xact_lock_shared`,
  'SHARE AT ONCE': SQL`pg_try_advisory_xact_lock_shared`,
  UPDATE: SQL`pg_advisory_xact_lock`,
};

function lockMonth(sql: Sql, key: MonthKey, strength: 'SHARE' | 'UPDATE'): Promise<MonthRow | undefined> {
  return sql.maybe<MonthRow>(SQL.named(`lock-month-${strength}`)`
    SELECT ${fairMonthLock(strength)}, month.company_id AS "companyId", month.branch_id AS "branchId",
           to_char(month.month, 'YYYY-MM') AS month, month.state, month.archived
      FROM month
     WHERE month.company_id = ${key.companyId} AND month.branch_id = ${key.branchId}
       AND month.month = ${firstDay(key.month)}
       FOR ${strength === 'SHARE' ? SQL`SHARE` : SQL`UPDATE`}`);
}

/** False when the month exists already. */
export async function insertMonth(sql: Sql, key: MonthKey): Promise<boolean> {
  const inserted = await sql.run(SQL`
    INSERT INTO month (company_id, branch_id, month)
    VALUES (${key.companyId}, ${key.branchId}, ${firstDay(key.month)}) ON CONFLICT DO NOTHING`);
  return inserted === 1;
}

/**
 * Keeps sums of the lines of the open months before one, as far as nobody writes in them now; writers keep them on. The
 * newest month has none, because most is written in it.
 */
export async function sumMonthsBefore(sql: Sql, { companyId, branchId, month }: MonthKey): Promise<void> {
  await sql.rows(SQL`SELECT sum_open_months(${companyId}, ${branchId}, ${firstDay(month)})`);
}

/**
 * Locks the branch's options. FOR NO KEY UPDATE whoever opens a month: base month and chart do not change meanwhile, and
 * no template learns of a month, nor a month of a template, by halves. FOR SHARE whoever asks which months are open.
 */
export async function lockOptions(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  strength: 'SHARE' | 'NO KEY UPDATE',
): Promise<void> {
  await sql.rows(SQL`
    SELECT company_options.id FROM company_options
     WHERE company_options.company_id = ${companyId} AND company_options.branch_id = ${branchId}
       FOR ${strength === 'SHARE' ? SQL`SHARE` : SQL`NO KEY UPDATE`}`);
}

/** Deletes what the month close wrote: balances, and closing entries with their batches. */
export async function reopenMonth(sql: Sql, key: MonthKey): Promise<void> {
  const { companyId, branchId } = key;
  const month = firstDay(key.month);
  await sql.rows(SQL`SELECT reopen_month(${companyId}, ${branchId}, ${month})`);
  for (const table of ['monthly_balance', 'daily_balance']) {
    await sql.run(SQL`
      DELETE FROM ${SQL.identifier(table)} AS balance
       WHERE balance.company_id = ${companyId} AND balance.branch_id = ${branchId} AND balance.month = ${month}`);
  }
  await sql.run(SQL`
    WITH gone AS (
      DELETE FROM entry_line
       WHERE entry_line.company_id = ${companyId} AND entry_line.branch_id = ${branchId}
         AND entry_line.month = ${month} AND entry_line.closing
      RETURNING entry_line.document_id
    )
    DELETE FROM document
     WHERE document.company_id = ${companyId} AND document.id IN (SELECT gone.document_id FROM gone)`);
  await sql.run(SQL`
    DELETE FROM batch
     WHERE batch.company_id = ${companyId} AND batch.branch_id = ${branchId} AND batch.month = ${month}
       AND batch.closing
       AND NOT EXISTS (SELECT 1 FROM document
                        WHERE document.company_id = batch.company_id AND document.batch_id = batch.id)`);
}

/** Records why and by whom a closed month is reopened. */
export async function insertReopening(sql: Sql, key: MonthKey, reason: string, reopenedBy: string): Promise<void> {
  await sql.run(SQL`
    INSERT INTO month_reopening (company_id, branch_id, month, reason, reopened_by)
    VALUES (${key.companyId}, ${key.branchId}, ${firstDay(key.month)}, ${reason}, ${reopenedBy})`);
}

/** Creates the missing days of the month; existing days stay as they are. */
export async function fillCalendar(
  sql: Sql,
  key: MonthKey,
  days: readonly { day: Day; businessDay: boolean; holidayName: string | null }[],
): Promise<void> {
  await sql.run(SQL`
    INSERT INTO calendar_day (company_id, branch_id, day, business_day, holiday_name)
    SELECT ${key.companyId}, ${key.branchId}, filled.day, filled.business_day, filled.holiday_name
      FROM unnest(${days.map((each) => each.day)}::date[], ${days.map((each) => each.businessDay)}::boolean[],
        ${days.map((each) => each.holidayName)}::text[]) AS filled (day, business_day, holiday_name)
    ON CONFLICT DO NOTHING`);
}

/** Closes the day, and with it the weekend days and holidays before it that are still open. */
export function closeDaysUpTo(
  sql: Sql,
  companyId: CompanyId,
  branchId: BranchId,
  day: Day,
  closedBy: string,
): Promise<number> {
  return sql.run(SQL`
    UPDATE calendar_day
       SET closed = true, closed_at = now(), closed_by = ${closedBy}, updated_at = now()
     WHERE calendar_day.company_id = ${companyId} AND calendar_day.branch_id = ${branchId}
       AND calendar_day.day <= ${day}
       AND NOT calendar_day.closed AND (calendar_day.day = ${day} OR NOT calendar_day.business_day)`);
}

/** The first document with lines on the day whose debits and credits differ. */
export function selectUnbalancedDocument(
  sql: Sql,
  companyId: CompanyId,
  branchId: BranchId,
  { day, month }: OpenDay,
): Promise<{ number: string; debits: string; credits: string } | undefined> {
  return sql.maybe(SQL`
    SELECT document.number, sides.debits, sides.credits
      FROM (SELECT entry_line.document_id,
                   coalesce(sum(entry_line.amount) FILTER (WHERE entry_line.side = 'D'), 0) AS debits,
                   coalesce(sum(entry_line.amount) FILTER (WHERE entry_line.side = 'C'), 0) AS credits
              FROM entry_line
             WHERE entry_line.company_id = ${companyId} AND entry_line.branch_id = ${branchId}
               AND entry_line.month = ${firstDay(month)}
               AND entry_line.day = ${day}
             GROUP BY entry_line.document_id) AS sides
      JOIN document ON document.company_id = ${companyId} AND document.id = sides.document_id
     WHERE sides.debits <> sides.credits
     LIMIT 1`);
}
