import { type Day, monthOfDay } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { type DailyQuota, selectListedQuotas } from '../../closing/quotas/daily-quotas.read.sql.ts';
import { requireBranch } from '../../master-data/companies/institution.ts';
import { assertWholeList } from '../../master-data/whole-list.ts';
import { type ReportingEntity, readReportingEntity } from './reporting-entity.ts';
import type { StatementSource } from './statement-source.ts';

export interface QuotaSpan {
  readonly from: Day;
  readonly to: Day;
}

export interface QuotaEvolution {
  readonly entity: ReportingEntity;
  /** Confirmed ones, by day; stale ones say so. */
  readonly quotas: readonly DailyQuota[];
}

/** Maximum number of days of one paper: a fund's forty years. */
const MAX_DAYS = 10_000;

/** The confirmed quotas of a span of days, each of the equity of its own day. */
export async function readQuotaEvolution(source: StatementSource, { from, to }: QuotaSpan): Promise<QuotaEvolution> {
  if (from > to) reject('INVALID_DATE_RANGE', { from, to }, 'from');
  const tenant = requireBranch(source.tenant);
  const entity = await readReportingEntity(source, monthOfDay(to));
  const span = { from, to, replaced: false, most: MAX_DAYS + 1 };
  return { entity, quotas: assertWholeList(await selectListedQuotas(source.sql, tenant, span), MAX_DAYS) };
}
