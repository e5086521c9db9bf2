import type { CompanyId } from '../../../accounting/ids.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL, type Statement } from '../../../platform/database/statement.ts';
import { publishEvents, removeOldEvents } from '../events/publish-events.sql.ts';
import type { JobKind } from '../jobs/job-kinds.ts';
import { removeOldDeliveries } from '../webhooks/deliveries.sql.ts';

/** Retention in days. */
export interface Retention {
  readonly jobDays: number;
  readonly reportHours: number;
  readonly complianceDays: number;
  readonly eventDays: number;
  readonly importDays: number;
}

/** Whether this process is the one that removes now; the lock ends with the transaction. */
export async function takeCleaning(sql: Sql): Promise<boolean> {
  const { taken } = await sql.one<{ taken: boolean }>(
    SQL`SELECT pg_try_advisory_xact_lock(hashtext('partidas cleanup')) AS taken`,
  );
  return taken;
}

/** Deletes at most `limit` unlocked rows and returns how many. */
export type Sweep = (sql: Sql, limit: number, retention: Retention, now: Date) => Promise<number>;

/** Rows of a table that an index finds by their age. */
function sweepOlderThan(name: string, column: string, age: string, clock?: 'program'): Sweep {
  const [table, moment] = [SQL.identifier(name), SQL.identifier(`${name}.${column}`)];
  return (sql, limit, _retention, now) =>
    sql.run(SQL`
      DELETE FROM ${table} WHERE ${table}.ctid = ANY (ARRAY(
        SELECT ${table}.ctid FROM ${table}
         WHERE ${moment} < ${clock === 'program' ? SQL`${now}::timestamptz` : SQL`now()`} - ${age}::interval
         LIMIT ${limit} FOR UPDATE SKIP LOCKED))`);
}

/** Removes the rows of the books that `old` finds by `key`, company by company: they may lie on several nodes. */
async function removeOfCompanies(sql: Sql, key: `${string}.${string}`, old: Statement): Promise<number> {
  const rows = await sql.rows<{ companyId: CompanyId; id: number }>(old);
  const table = key.split('.')[0]!;
  const [of, company, id] = [table, `${table}.company_id`, key].map((name) => SQL.identifier(name));
  let removed = 0;
  for (const [companyId, found] of Map.groupBy(rows, (row) => row.companyId)) {
    const ids = found.map((row) => row.id);
    removed += await sql.run(
      SQL`DELETE FROM ${of!} WHERE ${company!} = ${companyId} AND ${id!} = ANY (${ids}::bigint[])`,
    );
  }
  return removed;
}

/** Jobs of a kind that ended. */
function endedJobs(kind: JobKind, age: (retention: Retention) => string): Sweep {
  return (sql, limit, retention) =>
    sql.run(SQL`
      DELETE FROM job WHERE job.ctid = ANY (ARRAY(
        SELECT job.ctid FROM job
         WHERE job.status IN ('DONE', 'ERROR') AND job.kind = ${kind}
           AND job.finished_at < now() - ${age(retention)}::interval
         LIMIT ${limit} FOR UPDATE SKIP LOCKED))`);
}

/** What has files in pieces, which go with it: few go at a time. */
const FEW = 100;

/** Sooner than other jobs. */
function endedFiles(kind: JobKind): Sweep {
  const ended = endedJobs(kind, ({ reportHours }) => `${reportHours} hours`);
  return (sql, _limit, retention, now) => ended(sql, FEW, retention, now);
}

/**
 * Of each month's month closes the last one stays, and the last that succeeded; a part stays as long as the record over
 * it, which carries only the moment of its request. Remaining rows are read again each time, so it does not run every
 * minute.
 */
const replacedMonthCloses: Sweep = (sql, limit, { jobDays }) =>
  sql.run(SQL`
    DELETE FROM job WHERE job.ctid = ANY (ARRAY(
      SELECT job.ctid FROM job
       WHERE job.status IN ('DONE', 'ERROR') AND job.kind IN ('CONSOLIDATION', 'CONSOLIDATION_OF_ALL')
         AND coalesce(job.finished_at, job.requested_at) < now() - make_interval(days => ${jobDays})
         AND EXISTS (
               SELECT FROM job AS later
                WHERE later.company_id = job.company_id AND later.kind = job.kind AND later.month = job.month
                  AND later.kind IN ('CONSOLIDATION', 'CONSOLIDATION_OF_ALL')
                  AND coalesce(later.branch_id, 0) = coalesce(job.branch_id, 0) AND later.id > job.id
                  AND (later.status = 'DONE' OR job.status = 'ERROR'))
         AND (job.parent_id IS NULL OR NOT EXISTS (
               SELECT FROM job AS overall WHERE overall.company_id = job.company_id AND overall.id = job.parent_id))
       LIMIT ${limit} FOR UPDATE SKIP LOCKED))`);

/** A job's progress is read while it works. */
const endedProgress: Sweep = (sql, limit) =>
  sql.run(SQL`
    DELETE FROM job_progress WHERE job_progress.ctid = ANY (ARRAY(
      SELECT job_progress.ctid FROM job_progress
       WHERE NOT EXISTS (SELECT FROM job
                          WHERE job.company_id = job_progress.company_id AND job.id = job_progress.job_id
                            AND job.status IN ('PENDING', 'RUNNING'))
       LIMIT ${limit} FOR UPDATE SKIP LOCKED))`);

/** The newest process of each branch, document and month is kept forever. */
const replacedProcesses: Sweep = (sql, limit, { complianceDays }) =>
  removeOfCompanies(
    sql,
    'compliance_process.id',
    SQL`
      SELECT compliance_process.company_id AS "companyId", compliance_process.id
        FROM compliance_process
       WHERE compliance_process.executed_at < now() - make_interval(days => ${complianceDays})
         AND EXISTS (SELECT FROM compliance_process AS later
                      WHERE later.company_id = compliance_process.company_id
                        AND later.branch_id = compliance_process.branch_id
                        AND later.document_id = compliance_process.document_id
                        AND later.month = compliance_process.month AND later.id > compliance_process.id)
       LIMIT ${limit}`,
  );

/** Nobody else changes or removes one. */
const oldImportFiles: Sweep = (sql, _limit, { importDays }) =>
  removeOfCompanies(
    sql,
    'import_file.import_id',
    SQL`
      SELECT import_file.company_id AS "companyId", import_file.import_id AS id FROM import_file
       WHERE import_file.kept_at < now() - make_interval(days => ${importDays}) LIMIT ${FEW}`,
  );

/** Events that nobody has read since the last turn are published, so that they grow old in their order. */
const oldEvents: Sweep = async (sql, limit, { eventDays }) => {
  await publishEvents(sql);
  return removeOldEvents(sql, limit, eventDays);
};

/** What the login that writes the books removes. */
export const SWEEPS: Readonly<Record<string, Sweep>> = {
  idempotency_key: sweepOlderThan('idempotency_key', 'created_at', '24 hours'),
  lookup_cache: sweepOlderThan('lookup_cache', 'fetched_at', '24 hours'),
  report_job: endedFiles('REPORT'),
  filing_job: endedFiles('FILING'),
  compliance_job: endedJobs('COMPLIANCE_RUN', ({ jobDays }) => `${jobDays} days`),
  quota_job: endedJobs('QUOTAS', ({ jobDays }) => `${jobDays} days`),
  job_progress: endedProgress,
  event: oldEvents,
  webhook_delivery: removeOldDeliveries,
};

/** Sweeps that may read many rows that remain. */
export const HOURLY_SWEEPS: Readonly<Record<string, Sweep>> = {
  consolidation_job: replacedMonthCloses,
  compliance_process: replacedProcesses,
  import_file: oldImportFiles,
};

/** What only the login of the authentication service may touch. */
export const SWEEPS_OF_AUTHENTICATION: Readonly<Record<string, Sweep>> = {
  used_id_token: sweepOlderThan('used_id_token', 'expires_at', '1 hour', 'program'),
  signin_failure: sweepOlderThan('signin_failure', 'failed_at', '15 minutes', 'program'),
  // The longest that a session lasts.
  console_session: sweepOlderThan('console_session', 'created_at', '12 hours', 'program'),
};
