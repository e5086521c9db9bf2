import { z } from 'zod';
import { brazilianDate } from '../../accounting/period.ts';
import { calculateQuota } from '../../features/closing/quotas/calculate-quota.ts';
import { booleanText, tenantParams } from '../../http/fields.ts';
import { RouteResponse, route } from '../../http/route.ts';

const quotaAnswer = z
  .array(z.string())
  .meta({ example: ['05/01/2026', '1.23456789', '1000000.00', '810000.00000000'] });

export const taxQuotaRoute = route({
  operationId: 'calculateQuota',
  method: 'GET',
  path: '/taxquotacalculation/{company}/{branch}',
  summary: 'The quota of the current day: a preview (302, nothing stored), or confirmed and stored (200)',
  tag: 'Quotas',
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }), routine: 'TAX_QUOTA' },
  params: tenantParams,
  query: z.strictObject({ confirmed: booleanText.default(false) }),
  answer: quotaAnswer,
  otherAnswers: { 302: quotaAnswer },
  handle: async ({ query, context, tenant }) => {
    const quota = await calculateQuota(context, tenant, query.confirmed);
    const answer = [brazilianDate(quota.day), quota.quotaValue, quota.netEquity, quota.numberOfQuotas];
    return new RouteResponse(query.confirmed ? 200 : 302, answer);
  },
});
