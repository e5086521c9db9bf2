import { type Day, monthOfDay } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { formatQuota } from '../../closing/quotas/calculate-quota.ts';
import { type DailyQuota, selectListedQuotas } from '../../closing/quotas/daily-quotas.read.sql.ts';
import { requireBranch } from '../../master-data/companies/institution.ts';
import { assertWholeList } from '../../master-data/whole-list.ts';
import { type ReportingEntity, readReportingEntity } from './reporting-entity.ts';
import type { StatementSource } from './statement-source.ts';

export interface QuotaSpan {
  readonly from: Day;
  readonly to: Day;
}

/** A confirmed quota with the decimals that it is read with. */
export type ShownQuota = Pick<
  DailyQuota,
  | 'day'
  | 'quotaValue'
  | 'netEquity'
  | 'numberOfQuotas'
  | 'inflow'
  | 'outflow'
  | 'holders'
  | 'dayVariation'
  | 'monthVariation'
  | 'yearVariation'
  | 'twelveMonthsVariation'
  | 'stale'
>;

export interface QuotaEvolution {
  readonly entity: ReportingEntity;
  /** Confirmed ones, by day; stale ones say so. */
  readonly quotas: readonly ShownQuota[];
}

/** Maximum number of days of one paper: a fund's forty years. */
const MAX_DAYS = 10_000;

/** The confirmed quotas of a span of days, each of the equity of its own day. */
export async function readQuotaEvolution(source: StatementSource, { from, to }: QuotaSpan): Promise<QuotaEvolution> {
  if (from > to) reject('INVALID_DATE_RANGE', { from, to }, 'from');
  const tenant = requireBranch(source.tenant);
  const entity = await readReportingEntity(source, monthOfDay(to));
  const span = { from, to, replaced: false, most: MAX_DAYS + 1 };
  const quotas = assertWholeList(await selectListedQuotas(source.sql, tenant, span), MAX_DAYS);
  return { entity, quotas: quotas.map((quota) => ({ ...quota, ...formatQuota(quota) })) };
}
