import type { CompanyId } from '../../../accounting/ids.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import { JOB_COLUMNS, type JobRow } from '../../operations/jobs/jobs.sql.ts';

export function selectFilingJob(sql: Sql, companyId: CompanyId, id: number): Promise<JobRow<'FILING'> | undefined> {
  return sql.maybe<JobRow<'FILING'>>(
    SQL`SELECT ${JOB_COLUMNS} FROM job WHERE job.company_id = ${companyId} AND job.id = ${id} AND job.kind = 'FILING'`,
  );
}
