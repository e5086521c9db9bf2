import { type Day, lastDay, type Month } from '../../../accounting/period.ts';
import { type ConfirmedQuota, hasQuotas, selectQuotaOfEquity } from './fund.read.sql.ts';
import { selectPrintedFund } from './printed-names.read.sql.ts';
import type { ReportingEntity } from './reporting-entity.ts';
import type { StatementSource } from './statement-source.ts';

/** The fund that the branch keeps the books of, as the month shown names it; undefined where there is none. */
export function readFund(
  { sql, tenant }: StatementSource,
  { namesAt }: ReportingEntity,
): Promise<{ name: string; cnpj: string } | undefined> {
  return selectPrintedFund(sql, tenant, namesAt);
}

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
