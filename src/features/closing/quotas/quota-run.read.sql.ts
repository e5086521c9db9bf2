import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import { JOB_COLUMNS, type JobRow } from '../../operations/jobs/jobs.sql.ts';

/** The funds that the caller reaches, by their company; of one company, or of all of them. */
export function selectReachedFunds(
  sql: Sql,
  companyId: CompanyId | undefined,
): Promise<{ companyId: CompanyId; branchIds: BranchId[] }[]> {
  const ofCompany = companyId === undefined ? SQL`` : SQL` AND quota_configuration.company_id = ${companyId}`;
  return sql.rows(SQL`
    SELECT quota_configuration.company_id AS "companyId",
           array_agg(quota_configuration.branch_id ORDER BY quota_configuration.branch_id) AS "branchIds"
      FROM quota_configuration
     WHERE can_access(quota_configuration.company_id, quota_configuration.branch_id)${ofCompany}
     GROUP BY quota_configuration.company_id
     ORDER BY quota_configuration.company_id`);
}

/** The calculation of a company that waits or runs. */
export async function selectRunUnderWay(sql: Sql, companyId: CompanyId): Promise<number> {
  const row = await sql.maybe<{ id: number }>(SQL`
    SELECT job.id FROM job
     WHERE job.company_id = ${companyId} AND job.kind = 'QUOTAS' AND job.status IN ('PENDING', 'RUNNING')`);
  return row?.id ?? 0;
}

export type QuotaRun = JobRow<'QUOTAS'> & { readonly company: string };

export function selectQuotaRun(sql: Sql, companyId: CompanyId, id: number): Promise<QuotaRun | undefined> {
  return sql.maybe<QuotaRun>(SQL`
    SELECT ${JOB_COLUMNS}, company.code AS company
      FROM job
      JOIN company ON company.id = job.company_id
     WHERE job.company_id = ${companyId} AND job.id = ${id} AND job.kind = 'QUOTAS'`);
}
