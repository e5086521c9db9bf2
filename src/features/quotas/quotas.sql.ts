import type { Day } from '../../accounting/period.ts';
import type { Sql } from '../../platform/sql.ts';
import type { Tenant } from '../access/access.ts';

/** False when the day has its quota already; nothing is replaced then. */
export async function insertQuota(
  sql: Sql,
  tenant: Tenant,
  quota: { day: Day; quotaValue: string; netEquity: string; numberOfQuotas: string; quotaDecimals: number },
  confirmedBy: string,
): Promise<boolean> {
  const inserted = await sql.run({
    text: `INSERT INTO tax_quota (company_id, branch_id, day, quota_value, net_equity, number_of_quotas, quota_decimals,
                                  confirmed_by)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
    values: [
      tenant.companyId,
      tenant.branchId,
      quota.day,
      quota.quotaValue,
      quota.netEquity,
      quota.numberOfQuotas,
      quota.quotaDecimals,
      confirmedBy,
    ],
  });
  return inserted === 1;
}
