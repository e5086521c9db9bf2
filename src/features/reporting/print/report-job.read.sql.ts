import type { CompanyId } from '../../../accounting/ids.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import { offsetOf, type PageRequest } from '../../../platform/page-request.ts';
import { JOB_COLUMNS, type JobRow } from '../../operations/jobs/jobs.sql.ts';

export function selectReportJob(sql: Sql, companyId: CompanyId, id: number): Promise<JobRow<'REPORT'> | undefined> {
  return sql.maybe<JobRow<'REPORT'>>(
    SQL`SELECT ${JOB_COLUMNS} FROM job WHERE job.company_id = ${companyId} AND job.id = ${id} AND job.kind = 'REPORT'`,
  );
}

/** The reports that a user has asked for in the background, newest first. */
export function selectReportJobsOf(sql: Sql, username: string, page: PageRequest): Promise<JobRow<'REPORT'>[]> {
  return sql.rows<JobRow<'REPORT'>>(SQL`
    SELECT ${JOB_COLUMNS} FROM job WHERE ${isReportOf(username)}
     ORDER BY job.id DESC LIMIT ${page.size} OFFSET ${offsetOf(page)}`);
}

export async function countReportJobsOf(sql: Sql, username: string): Promise<number> {
  const { total } = await sql.one<{ total: number }>(
    SQL`SELECT count(*) AS total FROM job WHERE ${isReportOf(username)}`,
  );
  return total;
}

/** Both states have an index of their kind; other jobs are many and kept for long. */
function isReportOf(username: string): Fragment {
  return SQL`job.kind = 'REPORT' AND job.requested_by = ${username}
    AND (job.status IN ('PENDING', 'RUNNING') OR job.status IN ('DONE', 'ERROR'))`;
}
