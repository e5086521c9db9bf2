import { brazilianDate, type Day } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { selectCurrentDay, selectOpenMonths } from './months.read.sql.ts';
import { closeDaysUpTo, lockMonthExclusive, requireOpen, selectUnbalancedDocument } from './months.sql.ts';

/**
 * Closes the branch's current day, with the weekend days and holidays before it (domain: months, 4). Locks the months
 * of these days FOR UPDATE, so that no entry is posted on them while they close. Returns the closed day. `meant`: the day
 * that the caller takes for the current one, so that closing it twice closes no other; NOT_CURRENT_DAY where it is none.
 */
export async function closeCurrentDay(context: Context, tenant: Tenant, meant?: Day): Promise<Day> {
  return context.transaction(async (sql) => {
    const seen = (await selectCurrentDay(sql, tenant.companyId, tenant.branchId)) ?? reject('NO_OPEN_DAY');
    if (meant !== undefined && meant !== seen.day) {
      reject('NOT_CURRENT_DAY', { day: brazilianDate(meant), current: brazilianDate(seen.day) }, 'day');
    }
    // Its own month, and open ones before it whose last days are a weekend.
    for (const month of await selectOpenMonths(sql, tenant, seen.day)) {
      const held = await lockMonthExclusive(sql, { ...tenant, month });
      if (month === seen.month) requireOpen(held, month);
    }
    // Another transaction may have closed the day while this one waited for the lock.
    const current = (await selectCurrentDay(sql, tenant.companyId, tenant.branchId)) ?? reject('NO_OPEN_DAY');
    if (current.day !== seen.day) reject('DAY_CLOSED', { day: brazilianDate(seen.day) });
    const wrong = await selectUnbalancedDocument(sql, tenant.companyId, tenant.branchId, current);
    if (wrong) reject('UNBALANCED_DOCUMENT', { document: wrong.number, debits: wrong.debits, credits: wrong.credits });
    await closeDaysUpTo(sql, tenant.companyId, tenant.branchId, current.day, context.caller.username);
    await recordAudit(sql, context, { action: 'CLOSE_DAY', entity: 'calendar_day', entityId: current.day, ...tenant });
    return current.day;
  });
}
