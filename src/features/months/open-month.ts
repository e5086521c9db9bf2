import { nationalDay } from '../../accounting/holidays.ts';
import { addMonths, daysOf, type Month, slashOf } from '../../accounting/period.ts';
import { refuse } from '../../accounting/problem.ts';
import type { Context } from '../../platform/context.ts';
import type { Transaction } from '../../platform/sql.ts';
import type { Tenant } from '../access/access.ts';
import { recordAudit } from '../access/audit.sql.ts';
import { type BranchMonths, selectBranchMonths } from './months.read.sql.ts';
import { fillCalendar, holdOptions, insertMonth, lockMonthAlone, unfreezeMonth } from './months.sql.ts';

/**
 * Opens the base month, then the month after the last opened one; the last consolidated month is reopened: its frozen
 * balances and closing entries go (domain: periods and posting, 1).
 */
export async function openMonth(context: Context, tenant: Tenant, month: Month): Promise<BranchMonths> {
  return context.transaction(async (sql) => {
    await holdOptions(sql, tenant.companyId, tenant.branchId);
    const months = await selectBranchMonths(sql, tenant.companyId, tenant.branchId);
    if (month === months.lastConsolidated) await reopen(sql, context, tenant, month);
    else await openNext(sql, context, tenant, month, months);
    return selectBranchMonths(sql, tenant.companyId, tenant.branchId);
  });
}

/** The month that may be opened next; undefined while the branch has no options. */
export function nextMonth(months: BranchMonths): Month | undefined {
  return months.lastOpened === null ? (months.baseMonth ?? undefined) : addMonths(months.lastOpened, 1);
}

async function openNext(
  sql: Transaction,
  context: Context,
  tenant: Tenant,
  month: Month,
  months: BranchMonths,
): Promise<void> {
  const expected = nextMonth(months);
  if (expected === undefined) refuse('CHART_NOT_CONFIGURED', { company: tenant.company, branch: tenant.branch });
  if (month !== expected) refuseOther(month, expected);
  const key = { ...tenant, month };
  // Two openers of the same month: the second one waits at the key and is told that the month exists.
  const inserted = await insertMonth(sql, key);
  if (!inserted) refuseOther(month, addMonths(month, 1));
  await fillCalendar(sql, key, daysOf(month).map(nationalDay));
  await recordAudit(sql, context, { action: 'OPEN', entity: 'month', entityId: month, ...tenant });
}

async function reopen(sql: Transaction, context: Context, tenant: Tenant, month: Month): Promise<void> {
  const row = await lockMonthAlone(sql, { ...tenant, month });
  // The month behind it may have been consolidated on it while this one waited.
  const months = await selectBranchMonths(sql, tenant.companyId, tenant.branchId);
  if (months.lastConsolidated !== null && months.lastConsolidated > month) refuseOther(month, nextMonth(months)!);
  if (row?.state !== 'CONSOLIDATED') refuse('MONTH_NOT_CONSOLIDATED', { month: slashOf(month) }, 'newyearmonth');
  if (row.purged) refuse('MONTH_PURGED', { month: slashOf(month) }, 'newyearmonth');
  await unfreezeMonth(sql, row);
  await recordAudit(sql, context, { action: 'REOPEN', entity: 'month', entityId: month, ...tenant });
}

function refuseOther(month: Month, expected: Month): never {
  return refuse('MONTH_NOT_NEXT', { month: slashOf(month), expected: slashOf(expected) }, 'newyearmonth');
}
