import { z } from 'zod';
import type { Day } from '../../accounting/period.ts';
import type { Tenant } from '../../features/access/access.ts';
import {
  type AskedQuotas,
  confirmDailyQuotas,
  previewDailyQuotas,
  type ShownQuota,
} from '../../features/closing/quotas/calculate-daily-quotas.ts';
import { formatQuota } from '../../features/closing/quotas/calculate-quota.ts';
import { type DailyQuota, selectListedQuotas } from '../../features/closing/quotas/daily-quotas.read.sql.ts';
import { reprocessQuotas } from '../../features/closing/quotas/reprocess-quotas.ts';
import { assertWholeList } from '../../features/master-data/whole-list.ts';
import { AwaitingApproval } from '../../features/operations/approvals/ask-approval.ts';
import { approvalAnswer, awaitingAnswer } from '../../http/approvals.ts';
import {
  booleanText,
  exactNumber,
  instant,
  isoDay,
  moneyAnswer,
  optional,
  tenantParams,
  text,
} from '../../http/fields.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { type AnswerOf, route } from '../../http/route.ts';

const STATUSES = ['PREVIEW', 'CONFIRMED', 'STALE', 'REPLACED'] as const;
const percent = z.string().nullable().meta({ example: '0.03941200' });

const dailyQuotaAnswer = z
  .object({
    company: z.string(),
    branch: z.string(),
    referenceDate: z
      .string()
      .meta({ format: 'date', example: '2026-01-30', description: 'the day whose equity it divides' }),
    netEquity: moneyAnswer,
    numberOfQuotas: z.string().meta({ example: '810000.00000000' }),
    quotaValue: z.string().meta({ example: '1.23456789' }),
    previousQuotaValue: z.string().nullable().meta({ example: '1.23408140' }),
    variation: percent.meta({ description: 'per cent since the quota before, truncated' }),
    variationOfMonth: percent,
    variationOfYear: percent.meta({ description: 'of the fund’s own year' }),
    variationOf12Months: percent,
    subscriptions: moneyAnswer.meta({ description: 'what came in on the day' }),
    redemptions: moneyAnswer.meta({
      description: 'what went out on the day: redemptions, amortizations and come-cotas',
    }),
    holders: z.number().int().nullable(),
    status: z.enum(STATUSES).meta({
      description: 'STALE: entries or movements have changed what it divides; REPLACED: reprocessed since',
    }),
    confirmedAt: instant.nullable(),
    confirmedBy: z.string().nullable(),
    replacedAt: instant.nullable(),
    replacedBy: z.string().nullable(),
    replacementReason: z.string().nullable(),
  })
  .meta({ title: 'DailyQuota' });

const OF_BRANCH = {
  tag: 'Quotas',
  addition: true,
  params: tenantParams,
} as const;

const tenant = ({ company, branch }: z.output<typeof tenantParams>) => ({ company, branch });

export const calculateQuotasRoute = route({
  ...OF_BRANCH,
  operationId: 'calculateDailyQuotas',
  method: 'POST',
  path: '/quotaCalculation/{company}/{branch}',
  summary:
    'The quotas of a day, or of the business days of a range, from the balances of these days: previews, or confirmed',
  access: { to: 'tenant', of: tenant, routine: 'TAX_QUOTA' },
  cost: 'bulk',
  body: z.strictObject({
    date: optional(isoDay).meta({ example: '2026-01-30' }),
    from: optional(isoDay).meta({ example: null }),
    to: optional(isoDay).meta({ example: null }),
    confirmed: optional(z.boolean()).meta({
      example: true,
      description: 'stores them; a day that has its quota keeps it',
    }),
  }),
  answer: z.array(dailyQuotaAnswer),
  otherAnswers: { 202: approvalAnswer },
  idempotent: true,
  handle: async ({ body, context, tenant }) => {
    const asked = askedQuotas(body);
    const quotas = await (body.confirmed ? confirmDailyQuotas : previewDailyQuotas)(context, tenant, asked);
    return quotas instanceof AwaitingApproval
      ? awaitingAnswer(quotas, context.caller)
      : quotas.map((each) => shownQuotaToWire(tenant, each));
  },
});

/** Most quotas of one answer, which has no pages: those of a fund's forty years. */
const MAX_QUOTAS = 10_000;

export const listDailyQuotasRoute = route({
  ...OF_BRANCH,
  operationId: 'listDailyQuotas',
  method: 'GET',
  path: '/quotaCalculation/{company}/{branch}',
  summary: 'The confirmed quotas of a range of days, oldest first; replaced=true shows those that were reprocessed too',
  access: { to: 'tenant', of: tenant },
  query: z.strictObject({ from: isoDay, to: isoDay, replaced: booleanText.default(false) }),
  answer: z.array(dailyQuotaAnswer),
  handle: async ({ query, context, tenant }) => {
    rejectBackwards(query);
    const found = await selectListedQuotas(context.sql, tenant, { ...query, most: MAX_QUOTAS + 1 });
    return assertWholeList(found, MAX_QUOTAS).map((quota) => dailyQuotaToWire(tenant, quota));
  },
});

export const reprocessQuotasRoute = route({
  ...OF_BRANCH,
  operationId: 'reprocessDailyQuotas',
  method: 'POST',
  path: '/quotaCalculation/{company}/{branch}/reprocess',
  summary:
    'Computes the confirmed quotas of a range anew; those that come out otherwise replace the old ones, which are kept',
  access: { to: 'tenant', of: tenant, routine: 'TAX_QUOTA' },
  cost: 'bulk',
  body: z.strictObject({
    from: isoDay,
    to: isoDay,
    reason: text(500, 1).meta({ example: 'Despesa lançada com atraso' }),
  }),
  answer: z.array(dailyQuotaAnswer),
  otherAnswers: { 202: approvalAnswer },
  idempotent: true,
  handle: async ({ body, context, tenant }) => {
    rejectBackwards(body);
    const quotas = await reprocessQuotas(context, tenant, body);
    return quotas instanceof AwaitingApproval
      ? awaitingAnswer(quotas, context.caller)
      : quotas.map((each) => shownQuotaToWire(tenant, each));
  },
});

/** A day, or a range. */
function askedQuotas(body: {
  readonly date?: Day | undefined;
  readonly from?: Day | undefined;
  readonly to?: Day | undefined;
}): AskedQuotas {
  const { date, from, to } = body;
  if ((date === undefined) === (from === undefined && to === undefined)) {
    rejectRequest('ONE_OF_FIELDS', { one: { path: 'date' }, other: { path: 'from' } }, 'date');
  }
  if (date !== undefined) return { from: date, to: date, isDay: true };
  if (from === undefined || to === undefined) rejectRequest('MISSING_VALUE', {}, from === undefined ? 'from' : 'to');
  rejectBackwards({ from, to });
  return { from, to, isDay: false };
}

function rejectBackwards({ from, to }: { readonly from: Day; readonly to: Day }): void {
  if (from > to) rejectRequest('INVALID_DATE_RANGE', { from, to }, 'from');
}

function shownQuotaToWire(tenant: Tenant, shown: ShownQuota): AnswerOf<typeof dailyQuotaAnswer> {
  if (shown.isKept) return dailyQuotaToWire(tenant, shown.quota);
  return { ...figuresToWire(tenant, shown.quota), ...NOT_KEPT };
}

const NOT_KEPT = {
  status: 'PREVIEW',
  confirmedAt: null,
  confirmedBy: null,
  replacedAt: null,
  replacedBy: null,
  replacementReason: null,
} as const;

function dailyQuotaToWire(tenant: Tenant, quota: DailyQuota): AnswerOf<typeof dailyQuotaAnswer> {
  const { stale, replacedAt, replacedBy, replacementReason } = quota;
  return {
    ...figuresToWire(tenant, quota),
    status: replacedAt ? 'REPLACED' : stale ? 'STALE' : 'CONFIRMED',
    confirmedAt: quota.confirmedAt.toISOString(),
    confirmedBy: quota.confirmedBy,
    replacedAt: replacedAt?.toISOString() ?? null,
    replacedBy,
    replacementReason,
  };
}

function figuresToWire(
  { company, branch }: Tenant,
  quota: Extract<ShownQuota, { isKept: false }>['quota'] | DailyQuota,
) {
  const { quotaValue, numberOfQuotas } = formatQuota(quota);
  const { previousValue, quotaDecimals } = quota;
  return {
    company,
    branch,
    referenceDate: quota.day,
    netEquity: exactNumber(quota.netEquity),
    numberOfQuotas,
    quotaValue,
    previousQuotaValue:
      previousValue === null ? null : formatQuota({ ...quota, quotaDecimals, quotaValue: previousValue }).quotaValue,
    variation: quota.dayVariation,
    variationOfMonth: quota.monthVariation,
    variationOfYear: quota.yearVariation,
    variationOf12Months: quota.twelveMonthsVariation,
    subscriptions: exactNumber(quota.inflow),
    redemptions: exactNumber(quota.outflow),
    holders: quota.holders,
  };
}
