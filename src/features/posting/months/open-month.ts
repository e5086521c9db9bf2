import { nationalDay } from '../../../accounting/holidays.ts';
import {
  addMonths,
  brazilianDate,
  type Day,
  daysOf,
  firstDay,
  type Month,
  slashOf,
} from '../../../accounting/period.ts';
import { type Consequence, type Reopening, reject } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { selectAgreeingDays } from '../../closing/quotas/daily-quotas.read.sql.ts';
import { markReopened } from '../../closing/quotas/daily-quotas.sql.ts';
import { selectDaysOfQuotasSince } from '../../closing/quotas/quotas.read.sql.ts';
import { markQuotasStale } from '../../closing/quotas/quotas.sql.ts';
import { rejectNoBooks } from '../../master-data/companies/require-books.ts';
import { type AwaitingApproval, askIfNeeded } from '../../operations/approvals/ask-approval.ts';
import { recordEvents } from '../../operations/events/record-events.sql.ts';
import { consequencesForBooks, invalidateBooks } from '../../reporting/books/invalidate-books.ts';
import { postWaitingReversals } from '../templates/reverse-use.ts';
import { makeScheduledUses } from '../templates/scheduled-uses.ts';
import { type BranchMonths, selectBranchMonths } from './months.read.sql.ts';
import {
  fillCalendar,
  insertMonth,
  insertReopening,
  lockMonthExclusive,
  lockOptions,
  reopenMonth,
  sumMonthsBefore,
} from './months.sql.ts';

/** What reopening a closed month needs. */
export interface ReopeningRequest {
  /** Whether the caller is granted the routine REOPENING. */
  readonly allowed: boolean;
  readonly reason: string | undefined;
  /** The caller confirms the reopening although confirmed quotas or issued books depend on the month. */
  readonly confirmed: boolean;
}

/**
 * Opens the base month, then the month after the last opened one, with the uses that schedules of entry templates have
 * in it and the reversals that wait for it (domain: entry templates); the last closed month is reopened: its balances and
 * closing entries are deleted, quotas based on it become stale and books over it invalid (domain: months, 2), or the
 * request waits for a second person (domain: four eyes, 1).
 */
export async function openMonth(
  context: Context,
  tenant: Tenant,
  month: Month,
  reopening: ReopeningRequest,
): Promise<BranchMonths | AwaitingApproval> {
  return context.transaction(async (sql) => {
    await lockOptions(sql, tenant, 'NO KEY UPDATE');
    const months = await selectBranchMonths(sql, tenant.companyId, tenant.branchId);
    if (month === months.lastClosed) {
      const awaiting = await reopen(sql, context, tenant, month, reopening);
      if (awaiting) return awaiting;
    } else await openNext(sql, context, tenant, month, months);
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
  if (expected === undefined) rejectNoBooks(tenant);
  if (month !== expected) rejectOther(month, expected, months.lastClosed);
  const key = { ...tenant, month };
  // Of two concurrent openings of a month, the second waits at the unique key and then reports that the month exists.
  const inserted = await insertMonth(sql, key);
  if (!inserted) rejectOther(month, addMonths(month, 1), months.lastClosed);
  await fillCalendar(sql, key, daysOf(month).map(nationalDay));
  await recordAudit(sql, context, { action: 'OPEN', entity: 'month', entityId: month, ...tenant });
  recordEvents(sql, [{ type: 'month.opened', ...tenant, data: { month } }]);
  await makeScheduledUses(sql, context, tenant, [month]);
  await postWaitingReversals(sql, context, tenant, month);
  await sumMonthsBefore(sql, key);
}

async function reopen(
  sql: Transaction,
  context: Context,
  tenant: Tenant,
  month: Month,
  { allowed, reason, confirmed }: ReopeningRequest,
): Promise<AwaitingApproval | undefined> {
  if (!allowed) reject('ROUTINE_DENIED', { routine: 'REOPENING' });
  const row = await lockMonthExclusive(sql, { ...tenant, month });
  // The month after it may have been closed while this one waited.
  const months = await selectBranchMonths(sql, tenant.companyId, tenant.branchId);
  const { lastClosed } = months;
  if (lastClosed !== null && lastClosed > month) rejectOther(month, nextMonth(months)!, lastClosed);
  if (row?.state !== 'CLOSED') reject('MONTH_NOT_CONSOLIDATED', { month: slashOf(month) }, 'month');
  if (row.archived) reject('MONTH_PURGED', { month: slashOf(month) }, 'month');
  if (reason === undefined) reject('REASON_REQUIRED', { month: slashOf(month) }, 'reason');
  const since = firstDay(month);
  const ofDays = await selectAgreeingDays(sql, tenant, since);
  const quotas = [...new Set([...(await selectDaysOfQuotasSince(sql, tenant, since)), ...ofDays])].toSorted();
  const consequences = [...staleQuotas(quotas), ...(await consequencesForBooks(sql, tenant, month))];
  if (consequences.length > 0 && !confirmed) reject('CONFIRMATION_REQUIRED', { consequences }, 'confirmed');
  const awaiting = await askIfNeeded(sql, context, tenant, {
    kind: 'REOPENING',
    month,
    request: { month, reason, confirmed },
    books: async () => consequences,
  });
  if (awaiting) return awaiting;
  await reopenMonth(sql, row);
  await markQuotasStale(sql, tenant, month);
  await markReopened(sql, tenant, month);
  const books = await invalidateBooks(sql, context, tenant, month, reason);
  await insertReopening(sql, { ...tenant, month }, reason, context.caller.username);
  const after = { reason, staleQuotas: quotas, invalidatedBooks: books.map(({ id }) => id) };
  await recordAudit(sql, context, { action: 'REOPEN', entity: 'month', entityId: month, ...tenant, after });
  recordEvents(sql, [{ type: 'month.reopened', ...tenant, data: { month, reason } }]);
  return undefined;
}

function staleQuotas(quotas: readonly Day[]): Consequence[] {
  if (quotas.length === 0) return [];
  const days = quotas.slice(0, MAX_NAMED).map(brazilianDate).join(', ') + (quotas.length > MAX_NAMED ? ', …' : '');
  return [{ consequence: 'QUOTAS_BECOME_STALE', days }];
}

/** Maximum number of quotas that an error names. */
const MAX_NAMED = 10;

/** Returns which month may be opened, and which closed month may be reopened. */
function rejectOther(month: Month, expected: Month, lastClosed: Month | null): never {
  const reopening: Reopening =
    lastClosed === null ? { reopening: 'OF_NONE' } : { reopening: 'OF_LAST_CLOSED', lastClosed: slashOf(lastClosed) };
  const params = { month: slashOf(month), expected: slashOf(expected), ...reopening };
  return reject('MONTH_NOT_NEXT', params, 'month');
}
