import { type Day, lastDay, type Month } from '../../../accounting/period.ts';
import { isOfBranches, requireBranch } from '../../master-data/companies/institution.ts';
import { type ConfirmedQuota, hasQuotas, selectFundYearEnd, selectQuotaOfEquity } from './fund.read.sql.ts';
import type { StatementSource } from './statement-source.ts';

export interface QuotaOfMonth {
  readonly day: Day;
  /** undefined: none was confirmed for the equity of that day, and that of another day is never used. */
  readonly quota: ConfirmedQuota | undefined;
}

/** The confirmed quota of the equity at the end of a month; undefined where the branch has no quotas. */
export async function readQuotaOfMonth(source: StatementSource, month: Month): Promise<QuotaOfMonth | undefined> {
  const { sql } = source;
  const tenant = requireBranch(source.tenant);
  const day = lastDay(month);
  const quota = await selectQuotaOfEquity(sql, tenant, day);
  return quota || (await hasQuotas(sql, tenant)) ? { day, quota } : undefined;
}

/** Last month of the fund's own year; undefined where the branch keeps no fund, or its fund names none. */
export async function readFundYearEnd({ sql, tenant }: StatementSource): Promise<number | undefined> {
  return isOfBranches(tenant) ? undefined : selectFundYearEnd(sql, tenant);
}
