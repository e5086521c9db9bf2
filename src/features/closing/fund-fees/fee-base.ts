import { type Centavos, decimalOf } from '../../../accounting/money.ts';
import type { Day } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { selectFundsMoved } from '../quotas/fund-equity.read.sql.ts';
import { selectQuotaSettings } from '../quotas/quotas.read.sql.ts';

/**
 * Net equity at the end of a day, as the quota of the fund divides it; on a day before the books, what they begin with.
 * QUOTA_NOT_CONFIGURED.
 */
export async function readNetEquity(sql: Sql, tenant: Tenant, day: Day): Promise<Centavos> {
  const { company, branch, companyId, branchId } = tenant;
  if (!(await selectQuotaSettings(sql, tenant))) reject('QUOTA_NOT_CONFIGURED', { company, branch });
  const moved = await selectFundsMoved(sql, companyId, [branchId], { from: day, to: day });
  return moved.reduce((sum, each) => sum + each.equity, 0n);
}

/** The same as the base of a fee, which must be something. NET_EQUITY_NOT_POSITIVE. */
export async function readFeeBase(sql: Sql, tenant: Tenant, day: Day): Promise<Centavos> {
  const equity = await readNetEquity(sql, tenant, day);
  if (equity <= 0n) reject('NET_EQUITY_NOT_POSITIVE', { value: decimalOf(equity) });
  return equity;
}
