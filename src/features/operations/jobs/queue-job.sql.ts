import type { CompanyId } from '../../../accounting/ids.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';

/** What a user and a company have under way and kept. */
export interface JobShares {
  readonly ofUser: number;
  readonly reportsOfUser: number;
  readonly ofCompany: number;
  readonly bytesOfUser: number;
  readonly bytesOfCompany: number;
  readonly bytesInAll: number;
}

/**
 * Requested jobs: reports and runs, but not the automatic runs after a month close, which alone name a branch.
 * Concurrent requests of one user or company are counted one after the other by an advisory lock; a row lock would need
 * the UPDATE right.
 */
export async function selectJobShares(
  sql: Transaction,
  user: { readonly id: number; readonly username: string },
  companyId: CompanyId,
): Promise<JobShares> {
  await sql.run(SQL`SELECT pg_advisory_xact_lock(hashtextextended('jobs of user', ${user.id}))`);
  await sql.run(SQL`SELECT pg_advisory_xact_lock(hashtextextended('jobs of company', ${companyId}))`);
  return sql.one<JobShares>(SQL`
    SELECT waiting.*, kept.*
      FROM (SELECT count(*) FILTER (WHERE job.requested_by = ${user.username}) AS "ofUser",
                   count(*) FILTER (WHERE job.requested_by = ${user.username}
                   AND job.kind IN ('REPORT', 'FILING')) AS "reportsOfUser",
                   count(*) FILTER (WHERE job.company_id = ${companyId}) AS "ofCompany"
              FROM job
             WHERE job.status IN ('PENDING', 'RUNNING')
               AND (job.kind IN ('REPORT', 'FILING') OR (job.kind = 'COMPLIANCE_RUN' AND job.branch_id IS NULL))
               AND (job.requested_by = ${user.username} OR job.company_id = ${companyId})) AS waiting,
           (SELECT coalesce(sum(report.bytes) FILTER (WHERE report.requested_by = ${user.username}),
             0)::bigint AS "bytesOfUser",
                   coalesce(sum(report.bytes) FILTER (WHERE report.company_id = ${companyId}),
                     0)::bigint AS "bytesOfCompany",
                   coalesce(sum(report.bytes), 0)::bigint AS "bytesInAll"
              FROM (SELECT job.requested_by, job.company_id, (job.result ->> 'bytes')::bigint AS bytes
                      FROM job WHERE job.kind IN ('REPORT', 'FILING') AND job.status = 'DONE') AS report) AS kept`);
}
