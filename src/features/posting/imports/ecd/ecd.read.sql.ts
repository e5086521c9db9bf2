import type { BranchId, CompanyId } from '../../../../accounting/ids.ts';
import type { Sql } from '../../../../platform/database/sql.ts';
import { SQL } from '../../../../platform/database/statement.ts';
import type { Tenant } from '../../../access/access.ts';
import { JOB_COLUMNS, type JobRow } from '../../../operations/jobs/jobs.sql.ts';

/** A branch by its ids, with its codes. */
export function selectTenantOf(sql: Sql, companyId: CompanyId, branchId: BranchId): Promise<Tenant> {
  return sql.one<Tenant>(SQL`
    SELECT branch.company_id AS "companyId", company.code AS company, branch.id AS "branchId", branch.code AS branch
      FROM branch
      JOIN company ON company.id = branch.company_id
     WHERE branch.company_id = ${companyId} AND branch.id = ${branchId}`);
}

/** The import of a bookkeeping file as a job. */
export type EcdImportJob = JobRow<'ECD_IMPORT'> & { readonly company: string; readonly branch: string };

export function selectEcdImportJob(sql: Sql, companyId: CompanyId, id: number): Promise<EcdImportJob | undefined> {
  return sql.maybe<EcdImportJob>(SQL`
    SELECT ${JOB_COLUMNS}, company.code AS company, branch.code AS branch
      FROM job
      JOIN company ON company.id = job.company_id
      JOIN branch ON branch.company_id = job.company_id AND branch.id = job.branch_id
     WHERE job.company_id = ${companyId} AND job.id = ${id} AND job.kind = 'ECD_IMPORT'`);
}
