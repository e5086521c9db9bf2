import { nationalDay } from '../../../accounting/holidays.ts';
import { type Day, monthOfDay, slashOf } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { lockMonthExclusive, selectUnbalancedDocument } from '../../posting/months/months.sql.ts';
import { type CalendarRow, selectCalendarMonth } from './calendar.read.sql.ts';
import { type CalendarDay, lockCalendarDay, upsertCalendarDays } from './calendar.sql.ts';

/** A client's change of a day; absent fields keep their value, or that of the national calendar. */
export interface CalendarDayInput {
  readonly day: Day;
  readonly businessDay?: boolean | undefined;
  /** null removes the name; a named day is no business day by default. */
  readonly holidayName?: string | null | undefined;
  readonly closed?: boolean | undefined;
}

/**
 * Writes a day of the branch's calendar. Closing or reopening it needs `mayClose` and locks the month FOR UPDATE, so
 * that no entry is posted on the day concurrently; days of a closed month cannot change.
 */
export async function saveCalendarDay(
  context: Context,
  tenant: Tenant,
  facts: CalendarDayInput,
  mayClose: () => void,
): Promise<CalendarRow> {
  return context.transaction(async (sql) => {
    const month = monthOfDay(facts.day);
    const held = await lockMonthExclusive(sql, { ...tenant, month });
    const before = await lockCalendarDay(sql, tenant.companyId, tenant.branchId, facts.day);
    const after = mergeDay(facts, before);
    if (after.closed !== (before?.closed ?? false)) {
      mayClose();
      if (held?.state === 'CLOSED') reject('MONTH_CONSOLIDATED', { month: slashOf(month) }, 'status');
      if (after.closed && held) await rejectUnbalanced(sql, tenant, facts.day);
    }
    await upsertCalendarDays(sql, tenant.companyId, tenant.branchId, [after], context.caller.username);
    await recordAudit(sql, context, {
      action: before ? 'UPDATE' : 'CREATE',
      entity: 'calendar_day',
      entityId: facts.day,
      ...tenant,
      before,
      after,
    });
    const rows = await selectCalendarMonth(sql, tenant.companyId, tenant.branchId, month);
    return rows.find((row) => row.day === facts.day)!;
  });
}

function mergeDay(facts: CalendarDayInput, before: CalendarDay | undefined): CalendarDay {
  const base = before ?? { ...nationalDay(facts.day), closed: false };
  return {
    day: facts.day,
    businessDay: facts.businessDay ?? (facts.holidayName ? false : base.businessDay),
    holidayName: facts.holidayName === undefined ? base.holidayName : facts.holidayName,
    closed: facts.closed ?? base.closed,
  };
}

async function rejectUnbalanced(sql: Sql, tenant: Tenant, day: Day): Promise<void> {
  const wrong = await selectUnbalancedDocument(sql, tenant.companyId, tenant.branchId, { day, month: monthOfDay(day) });
  if (wrong) reject('UNBALANCED_DOCUMENT', { document: wrong.number, debits: wrong.debits, credits: wrong.credits });
}
