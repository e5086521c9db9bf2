import { addDays, brazilianDate, monthOfDay } from '../../../accounting/period.ts';
import { BusinessError, reject } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { type AwaitingApproval, askIfNeeded } from '../../operations/approvals/ask-approval.ts';
import { recordEvents } from '../../operations/events/record-events.sql.ts';
import { daysOf, figuresOf, lockFund, type ShownQuota } from './calculate-daily-quotas.ts';
import { computeDailyQuotas, type FundQuotas, type QuotaDays } from './compute-daily-quotas.ts';
import { type DailyQuota, selectDailyQuotas } from './daily-quotas.read.sql.ts';
import { insertDailyQuotas, markReplaced, type NewDailyQuota, setQuotasOfAmounts } from './daily-quotas.sql.ts';
import { refreshVariations } from './quota-variations.ts';

export interface Reprocessing extends QuotaDays {
  readonly reason: string;
}

/**
 * Computes the confirmed quotas of a range anew and replaces those that come out otherwise; the old ones stay with who replaced
 * them, when and why (domain: quota, 6). Quotas after the range become stale where the range changed what they stand on.
 */
export function reprocessQuotas(
  context: Context,
  tenant: Tenant,
  asked: Reprocessing,
): Promise<ShownQuota[] | AwaitingApproval> {
  const { from, to, reason } = asked;
  return context.transaction(async (sql) => {
    await lockFund(sql, tenant, to);
    const { companyId, branchId } = tenant;
    const [found] = await computeDailyQuotas(sql, companyId, [branchId], {
      from,
      to,
      daysOf: async () => [],
      purpose: 'AGAIN',
    });
    if (found!.problem) throw new BusinessError(found!.problem);
    if (found!.kept.length === 0) {
      reject('NO_QUOTA_TO_REPROCESS', { from: brazilianDate(from), to: brazilianDate(to) });
    }
    const changed = changedQuotas(found!);
    if (changed.length > 0) {
      const awaiting = await askIfNeeded(sql, context, tenant, {
        kind: 'QUOTA_REPROCESSING',
        month: monthOfDay(from),
        request: asked,
        books: async () => changed.map(({ now: { day, quotaValue } }) => [day, quotaValue]),
      });
      if (awaiting) return awaiting;
      const by = { username: context.caller.username, at: context.now() };
      const days = changed.map(({ now }) => now.day);
      await markReplaced(sql, tenant, days, { ...by, reason });
      if (found!.conversions.length > 0) await setQuotasOfAmounts(sql, companyId, found!.conversions);
      const replacing = changed.map(({ now }) => now);
      await insertDailyQuotas(sql, companyId, replacing, by);
      await refreshVariations(sql, companyId, [found!.fund], addDays(days[0]!, 1));
      await recordAudit(sql, context, {
        action: 'REPROCESS',
        entity: 'daily_quota',
        entityId: daysOf(replacing),
        ...{ companyId, branchId },
        before: { quotas: changed.map(({ before }) => figuresOf(before)) },
        after: { reason, quotas: replacing.map(figuresOf) },
      });
      recordEvents(
        sql,
        changed.map(({ before, now }) => ({
          type: 'quota.confirmed',
          companyId,
          branchId,
          data: {
            ...figuresOf(now),
            referenceDay: now.day,
            replaces: { quotaValue: figuresOf(before).quotaValue, reason },
          },
        })),
      );
    }
    const quotas = await selectDailyQuotas(sql, companyId, [branchId], { from, to });
    return quotas.map((quota) => ({ isKept: true, quota }));
  });
}

function changedQuotas({ kept, computed }: FundQuotas): { before: DailyQuota; now: NewDailyQuota }[] {
  const before = new Map(kept.map((quota) => [quota.day, quota]));
  return computed
    .map((now) => ({ before: before.get(now.day)!, now }))
    .filter((each) => COMPARED.some((figure) => each.before[figure] !== each.now[figure]));
}

const COMPARED = ['quotaValue', 'netEquity', 'numberOfQuotas', 'inflow', 'outflow', 'holders'] as const;
