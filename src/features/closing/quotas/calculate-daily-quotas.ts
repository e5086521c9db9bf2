import type { CompanyId } from '../../../accounting/ids.ts';
import { addDays, type Day, monthOfDay } from '../../../accounting/period.ts';
import { BusinessError, reject } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql, Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { type AuditContext, recordAudits } from '../../access/audit.sql.ts';
import { type AwaitingApproval, askIfNeeded } from '../../operations/approvals/ask-approval.ts';
import { recordEvents } from '../../operations/events/record-events.sql.ts';
import { formatQuota } from './calculate-quota.ts';
import { computeDailyQuotas, type FundQuotas, type QuotaDays } from './compute-daily-quotas.ts';
import { type DailyQuota, type Fund, selectBusinessDays } from './daily-quotas.read.sql.ts';
import {
  insertDailyQuotas,
  lockFunds,
  lockMonthsUpTo,
  type NewDailyQuota,
  setQuotasOfAmounts,
} from './daily-quotas.sql.ts';
import { refreshVariations } from './quota-variations.ts';

/** What is asked: one day, or the business days of a range. */
export interface AskedQuotas extends QuotaDays {
  readonly isDay: boolean;
}

/** A quota as it is shown: kept, or only computed. */
export type ShownQuota =
  | { readonly isKept: true; readonly quota: DailyQuota }
  | { readonly isKept: false; readonly quota: NewDailyQuota };

/** The quotas of days from the balances of these days (domain: quota, 4); nothing is stored. */
export function previewDailyQuotas(context: Context, tenant: Tenant, asked: AskedQuotas): Promise<ShownQuota[]> {
  return context.snapshot(async (sql) => shownQuotas(await computeOne(sql, tenant, asked)));
}

/** Stores them; a day that has its quota keeps it. Two at once come one after the other. */
export function confirmDailyQuotas(
  context: Context,
  tenant: Tenant,
  asked: AskedQuotas,
): Promise<ShownQuota[] | AwaitingApproval> {
  return context.transaction(async (sql) => {
    await lockFund(sql, tenant, asked.to);
    const found = await computeOne(sql, tenant, asked);
    if (found.computed.length === 0) return shownQuotas(found);
    const awaiting = await askIfNeeded(sql, context, tenant, {
      kind: 'QUOTA',
      month: monthOfDay(asked.to),
      request: asked,
      books: async () => found.computed.map(({ day, quotaValue }) => [day, quotaValue]),
    });
    if (awaiting) return awaiting;
    await keepQuotas(sql, { ...context, at: context.now() }, tenant.companyId, [found]);
    return shownQuotas(await computeOne(sql, tenant, asked));
  });
}

/** Who computes its quotas waits here for whoever else does, and for those who post. */
export async function lockFund(sql: Transaction, tenant: Tenant, to: Day): Promise<void> {
  const { companyId, branchId, company, branch } = tenant;
  const locked = await lockFunds(sql, companyId, [branchId]);
  if (locked.length === 0) reject('QUOTA_NOT_CONFIGURED', { company, branch });
  await lockMonthsUpTo(sql, companyId, [branchId], to);
}

async function computeOne(sql: Sql, tenant: Tenant, asked: AskedQuotas): Promise<FundQuotas> {
  const { companyId, branchId, company, branch } = tenant;
  const daysOf = async (fund: Fund) => (asked.isDay ? [asked.from] : selectBusinessDays(sql, fund, asked));
  const [found] = await computeDailyQuotas(sql, companyId, [branchId], { ...asked, daysOf });
  if (found === undefined) return reject('QUOTA_NOT_CONFIGURED', { company, branch });
  if (found.problem) throw new BusinessError(found.problem);
  return found;
}

function shownQuotas({ kept, computed }: FundQuotas): ShownQuota[] {
  const shown: ShownQuota[] = [
    ...kept.map((quota) => ({ isKept: true, quota }) as const),
    ...computed.map((quota) => ({ isKept: false, quota }) as const),
  ];
  return shown.toSorted((a, b) => (a.quota.day < b.quota.day ? -1 : 1));
}

/** Writes the computed quotas of funds of a company, with trail and events. */
export async function keepQuotas(
  sql: Transaction,
  by: AuditContext & { readonly at: Date },
  companyId: CompanyId,
  funds: readonly FundQuotas[],
): Promise<void> {
  const quotas = funds.flatMap(({ computed }) => computed);
  const conversions = funds.flatMap((each) => each.conversions);
  if (conversions.length > 0) await setQuotasOfAmounts(sql, companyId, conversions);
  await insertDailyQuotas(sql, companyId, quotas, { username: by.caller.username, at: by.at });
  await refreshVariations(
    sql,
    companyId,
    funds.map(({ fund }) => fund),
    addDays(quotas.map(({ day }) => day).toSorted()[0]!, 1),
  );
  await recordAudits(
    sql,
    by,
    funds.map(({ fund: { branchId }, computed }) => ({
      action: 'CREATE',
      entity: 'daily_quota',
      entityId: daysOf(computed),
      companyId,
      branchId,
      after: { quotas: computed.map(figuresOf) },
    })),
  );
  recordEvents(
    sql,
    quotas.map((quota) => ({
      type: 'quota.confirmed',
      companyId,
      branchId: quota.branchId,
      data: { ...figuresOf(quota), referenceDay: quota.day },
    })),
  );
}

/** What trail and events say of a quota. */
export function figuresOf(quota: DailyQuota | NewDailyQuota) {
  return { day: quota.day, netEquity: quota.netEquity, ...formatQuota(quota) };
}

export function daysOf(quotas: readonly { readonly day: Day }[]): string {
  const [first, last] = [quotas[0]!.day, quotas.at(-1)!.day];
  return first === last ? first : `${first}/${last}`;
}
