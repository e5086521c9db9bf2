import { z } from 'zod';
import { brazilianDate } from '../accounting/period.ts';
import { scaledFromDecimal, scaledToDecimal } from '../accounting/quota.ts';
import type { Tenant } from '../features/access/access.ts';
import { formatQuota, type QuotaPreview } from '../features/closing/quotas/calculate-quota.ts';
import type { Quota, StoredQuota } from '../features/closing/quotas/quotas.read.sql.ts';
import { exactNumber, instant, moneyAnswer } from './fields.ts';
import type { AnswerOf } from './route.ts';

// Quotas as both the master-data and the movements service show them.

const FIGURES = {
  company: z.string(),
  branch: z.string(),
  calculationDate: z.string().meta({ example: '05/01/2026' }),
  referenceDate: z.string().meta({ example: '31/12/2025', description: 'the day whose equity the quota divides' }),
  quotaValue: z.string().meta({ example: '1.23456789' }),
  netEquity: moneyAnswer,
  numberOfQuotas: z.string().meta({ example: '810000.00000000' }),
  previousQuotaValue: z.string().nullable(),
  variation: z.string().nullable(),
};

export const confirmedQuotaAnswer = z.object({
  ...FIGURES,
  confirmed: z.boolean(),
  status: z.enum(['CONFIRMED', 'STALE']).meta({ description: 'STALE: the equity no longer agrees with the books' }),
  confirmedAt: instant,
  confirmedBy: z.string(),
});

export const quotaPreviewAnswer = z.object({
  ...FIGURES,
  previousDate: z.string().nullable().meta({ example: '04/12/2025' }),
  confirmed: z.boolean().meta({ description: 'a quota of the day is confirmed already' }),
});

export function confirmedQuotaToWire(
  tenant: Tenant,
  quota: StoredQuota,
  previous: StoredQuota | undefined,
): AnswerOf<typeof confirmedQuotaAnswer> {
  return {
    ...figuresToWire(tenant, quota, previous),
    confirmed: true,
    status: quota.stale ? 'STALE' : 'CONFIRMED',
    confirmedAt: quota.confirmedAt.toISOString(),
    confirmedBy: quota.confirmedBy,
  };
}

export function quotaPreviewToWire(
  tenant: Tenant,
  { quota, stored, previous }: QuotaPreview,
): AnswerOf<typeof quotaPreviewAnswer> {
  return {
    ...figuresToWire(tenant, quota, previous),
    previousDate: previous ? brazilianDate(previous.day) : null,
    confirmed: stored !== undefined,
  };
}

function figuresToWire(
  { company, branch }: Tenant,
  quota: Pick<Quota, 'day' | 'referenceDay' | 'quotaValue' | 'netEquity' | 'numberOfQuotas' | 'quotaDecimals'>,
  previous: StoredQuota | undefined,
) {
  const { quotaValue, numberOfQuotas } = formatQuota(quota);
  return {
    company,
    branch,
    calculationDate: brazilianDate(quota.day),
    referenceDate: brazilianDate(quota.referenceDay),
    quotaValue,
    netEquity: exactNumber(quota.netEquity),
    numberOfQuotas,
    previousQuotaValue: previous ? formatQuota(previous).quotaValue : null,
    variation: previous ? variationOf(quota.quotaValue, previous.quotaValue) : null,
  };
}

/** Per cent with eight decimals, truncated. */
function variationOf(quota: string, previous: string): string {
  const [now, before] = [scaledFromDecimal(quota, 12)!, scaledFromDecimal(previous, 12)!];
  return before === 0n ? '0.00000000' : scaledToDecimal(((now - before) * 10n ** 10n) / before, 8);
}
