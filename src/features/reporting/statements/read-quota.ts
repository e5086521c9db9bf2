import { type Day, lastDay, type Month } from '../../../accounting/period.ts';
import { type ConfirmedQuota, hasQuotas, selectQuotaOfEquity } from './fund.read.sql.ts';
import type { StatementSource } from './statement-source.ts';

export interface QuotaOfMonth {
  readonly day: Day;
  /** undefined: none was confirmed for the equity of that day, and that of another day is never used. */
  readonly quota: ConfirmedQuota | undefined;
}

/** The confirmed quota of the equity at the end of a month; undefined where the branch has no quotas. */
export async function readQuotaOfMonth(
  { sql, tenant }: StatementSource,
  month: Month,
): Promise<QuotaOfMonth | undefined> {
  const day = lastDay(month);
  const quota = await selectQuotaOfEquity(sql, tenant, day);
  return quota || (await hasQuotas(sql, tenant)) ? { day, quota } : undefined;
}
