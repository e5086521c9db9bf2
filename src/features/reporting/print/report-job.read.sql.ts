import type { Sql } from '../../../platform/database/sql.ts';
import { JOB_COLUMNS, type JobRow } from '../../operations/jobs/jobs.sql.ts';

export function selectReportJob(sql: Sql, companyId: number, id: number): Promise<JobRow<'REPORT'> | undefined> {
  return sql.maybe<JobRow<'REPORT'>>({
    text: `SELECT ${JOB_COLUMNS} FROM job WHERE job.company_id = $1 AND job.id = $2 AND job.kind = 'REPORT'`,
    values: [companyId, id],
  });
}
