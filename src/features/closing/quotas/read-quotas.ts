import { lastDay, type Month, monthOfDay } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { formatQuota } from './calculate-quota.ts';
import { selectQuotas } from './quotas.read.sql.ts';

/** Days of a lifetime of a fund. */
const MOST = 50_000;

/** The last confirmed quota of the equity at each month's end; stale ones divide another equity than the books show. */
export async function readQuotas(
  sql: Sql,
  tenant: Tenant,
): Promise<Map<Month, { quotaValue: string; numberOfQuotas: string }>> {
  const newestFirst = await selectQuotas(sql, tenant, MOST);
  const ofMonthEnd = newestFirst.filter(
    ({ referenceDay, stale }) => !stale && referenceDay === lastDay(monthOfDay(referenceDay)),
  );
  return new Map(ofMonthEnd.toReversed().map((quota) => [monthOfDay(quota.referenceDay), formatQuota(quota)]));
}
