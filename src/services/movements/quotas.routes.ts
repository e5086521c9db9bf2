import { z } from 'zod';
import { brazilianDate } from '../../accounting/period.ts';
import { confirmQuota, previewQuota } from '../../features/closing/quotas/calculate-quota.ts';
import type { Quota } from '../../features/closing/quotas/quotas.read.sql.ts';
import { AwaitingApproval } from '../../features/operations/approvals/ask-approval.ts';
import { approvalAnswer, awaitingAnswer } from '../../http/approvals.ts';
import { booleanText, isoDay, optional, tenantParams, text } from '../../http/fields.ts';
import { quotaPreviewAnswer, quotaPreviewToWire } from '../../http/quotas.ts';
import { RouteResponse, route } from '../../http/route.ts';
import type { Context } from '../../platform/context.ts';

const quotaAnswer = z
  .array(z.string())
  .meta({ example: ['05/01/2026', '1.23456789', '1000000.00', '810000.00000000'] });

const OF_BRANCH = {
  tag: 'Quotas',
  access: {
    to: 'tenant',
    of: ({ company, branch }: z.output<typeof tenantParams>) => ({ company, branch }),
    routine: 'TAX_QUOTA',
  },
  params: tenantParams,
} as const;

export const taxQuotaRoute = route({
  ...OF_BRANCH,
  operationId: 'calculateQuota',
  method: 'GET',
  path: '/taxquotacalculation/{company}/{branch}',
  summary: 'The quota of the current day: a preview (302, nothing stored), or confirmed and stored (200)',
  query: z.strictObject({ confirmed: booleanText.default(false) }),
  answer: quotaAnswer,
  otherAnswers: { 202: approvalAnswer, 302: quotaAnswer },
  handle: async ({ query, context, tenant }) =>
    query.confirmed
      ? confirmationToWire(await confirmQuota(context, tenant), context)
      : new RouteResponse(302, quotaToWire((await previewQuota(context, tenant)).quota)),
});

export const previewQuotaRoute = route({
  ...OF_BRANCH,
  operationId: 'previewQuota',
  method: 'GET',
  path: '/taxquotacalculation/{company}/{branch}/preview',
  summary: 'The quota of the current day beside the one before it; nothing is stored',
  addition: true,
  answer: quotaPreviewAnswer,
  handle: async ({ context, tenant }) => quotaPreviewToWire(tenant, await previewQuota(context, tenant)),
});

export const postTaxQuotaRoute = route({
  ...OF_BRANCH,
  operationId: 'confirmQuota',
  method: 'POST',
  path: '/taxquotacalculation/{company}/{branch}',
  summary: 'Confirms the quota of the current day, and only the one that the caller has seen',
  addition: true,
  body: z.strictObject({
    day: optional(isoDay).meta({ description: 'refused unless it is the current day' }),
    quotaValue: optional(text(40, 1)).meta({
      example: '1.23456789',
      description: 'the value of the preview; refused where it has changed since',
    }),
  }),
  answer: quotaAnswer,
  otherAnswers: { 202: approvalAnswer },
  idempotent: true,
  handle: async ({ body, context, tenant }) => confirmationToWire(await confirmQuota(context, tenant, body), context),
});

function confirmationToWire(confirmed: Quota | AwaitingApproval, { caller }: Context) {
  return confirmed instanceof AwaitingApproval
    ? awaitingAnswer(confirmed, caller)
    : new RouteResponse(200, quotaToWire(confirmed));
}

/** Day, value, net equity and number of quotas. */
function quotaToWire({ day, quotaValue, netEquity, numberOfQuotas }: Quota): string[] {
  return [brazilianDate(day), quotaValue, netEquity, numberOfQuotas];
}
