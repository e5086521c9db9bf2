import type { Sql } from '../../platform/database/sql.ts';
import { SQL } from '../../platform/database/statement.ts';
import { JOB_COLUMNS, type JobRow } from '../operations/jobs/jobs.sql.ts';
import { COMPLIANCE_RUN } from './queue-autorun.ts';

/** A run in the background; other kinds of job are none. */
export function selectRunJob(sql: Sql, companyId: number, id: number): Promise<JobRow | undefined> {
  return sql.maybe<JobRow>(SQL`
    SELECT ${JOB_COLUMNS} FROM job WHERE job.company_id = ${companyId} AND job.id = ${id}
    AND job.kind = ${COMPLIANCE_RUN}`);
}
