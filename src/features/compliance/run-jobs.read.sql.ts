import type { Sql } from '../../platform/database/sql.ts';
import { JOB_COLUMNS, type JobRow } from '../operations/jobs/jobs.sql.ts';
import { COMPLIANCE_RUN } from './queue-autorun.ts';

/** A run in the background; other kinds of job are none. */
export function selectRunJob(sql: Sql, companyId: number, id: number): Promise<JobRow | undefined> {
  return sql.maybe<JobRow>({
    text: `SELECT ${JOB_COLUMNS} FROM job WHERE job.company_id = $1 AND job.id = $2 AND job.kind = $3`,
    values: [companyId, id, COMPLIANCE_RUN],
  });
}
