import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import { type Day, type Month, monthOfDay } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { JobKind, Jobs } from './job-kinds.ts';

interface JobRecord {
  readonly id: number;
  readonly companyId: CompanyId;
  readonly branchId: BranchId | null;
  /** First day of the month that the job is about. */
  readonly month: Day | null;
  readonly status: 'PENDING' | 'RUNNING' | 'DONE' | 'ERROR';
  readonly message: string | null;
  readonly parentId: number | null;
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

/** A job of that kind; for several kinds, payload and result depend on its `kind`. */
export type JobRow<Kind extends JobKind = JobKind> = {
  [Each in Kind]: JobRecord & {
    readonly kind: Each;
    readonly payload: Jobs[Each]['payload'];
    readonly progress: Partial<Jobs[Each]['progress']>;
    readonly result: Jobs[Each]['result'] | null;
  };
}[Kind];

/** A job as claimed by a worker; its handler parses the payload. */
export type UnreadJob = JobRecord & {
  readonly kind: JobKind;
  readonly payload: unknown;
  readonly progress: unknown;
  readonly result: unknown;
};

/** The month that the job is about. Throws where its kind names none. */
export function monthOfJob({ id, month }: Pick<JobRecord, 'id' | 'month'>): Month {
  if (month === null) throw new Error(`job ${id} names no month`);
  return monthOfDay(month);
}

export const JOB_COLUMNS = SQL`job.id, job.company_id AS "companyId", job.branch_id AS "branchId", job.month, job.kind,
  job.status, job.payload, job.result,
  coalesce((SELECT job_progress.progress FROM job_progress
             WHERE job_progress.company_id = job.company_id AND job_progress.job_id = job.id), '{}') AS progress,
  job.message, job.parent_id AS "parentId", job.requested_by AS "requestedBy", job.requested_at AS "requestedAt",
  job.started_at AS "startedAt", job.finished_at AS "finishedAt"`;

export interface NewJob<Kind extends JobKind> {
  readonly companyId: CompanyId;
  readonly branchId?: BranchId;
  readonly month?: Day;
  readonly kind: Kind;
  readonly payload: Jobs[Kind]['payload'];
  readonly parentId?: number;
  readonly requestedBy: string;
}

/** Queues a job in the caller's transaction; a unique index may reject a second one of its kind. */
export function insertJob<Kind extends JobKind>(sql: Sql, job: NewJob<Kind>): Promise<JobRow<Kind> | undefined> {
  return sql.maybe<JobRow<Kind>>(SQL`
    INSERT INTO job (company_id, branch_id, month, kind, payload, parent_id, requested_by)
    VALUES (${job.companyId}, ${job.branchId ?? null}, ${job.month ?? null}, ${job.kind},
            ${JSON.stringify(job.payload)}, ${job.parentId ?? null}, ${job.requestedBy})
    ON CONFLICT DO NOTHING
    RETURNING ${JOB_COLUMNS}`);
}

/** How many jobs wait for a worker, and how many seconds the oldest of them has waited; 0 without one. */
export function selectWaitingJobs(sql: Sql): Promise<{ waiting: number; oldest: number }> {
  return sql.one<{ waiting: number; oldest: number }>(SQL`
    SELECT count(*) AS waiting, coalesce(extract(epoch FROM now() - min(job.requested_at)), 0)::float8 AS oldest
      FROM job WHERE job.status = 'PENDING'`);
}

/** The key of a job. */
export type JobKey = Pick<JobRecord, 'companyId' | 'id'>;

/**
 * Whoever has marked a job locks it next; others would mark it again in between, and each mark counts as an attempt.
 */
const MARK_HOLDS = '1 second';

/** For data that a crash may lose: the commit does not wait for the disk. */
const UNHURRIED = SQL`unhurried AS (SELECT set_config('synchronous_commit', 'off', true))`;

/**
 * Claims an unlocked job and marks it RUNNING; a RUNNING job without a lock was abandoned, unless it was marked just now. The company with the fewest
 * running jobs comes first, of those the one served longest ago. Each company with jobs costs a few probes of an index,
 * each job none: the recursion jumps from one company to the next. Only the claimed job is locked, because the outer
 * LIMIT stops the loop there.
 */
export function markNextJob<Kind extends JobKind>(
  sql: Sql,
  kinds: readonly Kind[],
): Promise<(JobKey & { readonly kind: Kind; readonly attempts: number }) | undefined> {
  return sql.maybe(SQL.named('job-next')`
    WITH RECURSIVE ${UNHURRIED}, waiting AS (
      (SELECT job.kind, job.company_id, job.id FROM job
        WHERE job.status IN ('PENDING', 'RUNNING') ORDER BY job.kind, job.company_id, job.id LIMIT 1)
      UNION ALL
      SELECT next.* FROM waiting CROSS JOIN LATERAL (
        SELECT job.kind, job.company_id, job.id FROM job
         WHERE job.status IN ('PENDING', 'RUNNING') AND (job.kind, job.company_id) > (waiting.kind, waiting.company_id)
         ORDER BY job.kind, job.company_id, job.id LIMIT 1) AS next
    ), turn AS (
      SELECT waiting.kind, waiting.company_id FROM waiting
       WHERE waiting.kind = ANY (${kinds})
       ORDER BY (SELECT count(*) FROM job WHERE job.company_id = waiting.company_id AND job.status = 'RUNNING'),
                (SELECT max(job.started_at) FROM job
                  WHERE job.company_id = waiting.company_id AND job.started_at IS NOT NULL) NULLS FIRST,
                waiting.id
    ), taken AS (
      SELECT free.company_id, free.id FROM turn CROSS JOIN LATERAL (
        SELECT job.company_id, job.id FROM job
         WHERE job.status IN ('PENDING', 'RUNNING') AND job.kind = turn.kind AND job.company_id = turn.company_id
           AND (job.status = 'PENDING' OR job.started_at IS NULL OR job.started_at < now() - ${MARK_HOLDS}::interval)
         ORDER BY job.id LIMIT 1 FOR UPDATE SKIP LOCKED) AS free
       LIMIT 1
    )
    UPDATE job SET status = 'RUNNING', started_at = now(), attempts = job.attempts + 1
      FROM unhurried, taken
     WHERE job.company_id = taken.company_id AND job.id = taken.id
 RETURNING job.company_id AS "companyId", job.id, job.kind, job.attempts`);
}

/** The row lock that marks a job as being worked on; undefined when another worker was faster or the job has ended. */
export function lockJob(sql: Sql, key: JobKey): Promise<(UnreadJob & { readonly attempts: number }) | undefined> {
  return sql.maybe<UnreadJob & { readonly attempts: number }>(SQL`
    SELECT ${JOB_COLUMNS}, job.attempts FROM job
     WHERE job.company_id = ${key.companyId} AND job.id = ${key.id} AND job.status = 'RUNNING'
       FOR UPDATE SKIP LOCKED`);
}

/** Requeues the job. */
export async function requeue(sql: Sql, key: JobKey): Promise<void> {
  await sql.run(SQL`
    UPDATE job SET status = 'PENDING', started_at = NULL
     WHERE job.company_id = ${key.companyId} AND job.id = ${key.id} AND job.status = 'RUNNING'`);
}

/** Within the transaction of the work. */
export async function finishJob(sql: Sql, key: JobKey, result: unknown): Promise<void> {
  await sql.run(SQL`
    UPDATE job SET status = 'DONE', result = ${result === undefined ? null : JSON.stringify(result)}, finished_at = now()
     WHERE job.company_id = ${key.companyId} AND job.id = ${key.id}`);
}

/**
 * Ends a job whose transaction is gone, and with it the lock: another worker may have begun it anew since, and then its
 * outcome counts.
 */
export async function failJob(
  sql: Sql,
  { companyId, id, attempts }: JobKey & { readonly attempts: number },
  message: string,
): Promise<void> {
  await sql.run(SQL`
    UPDATE job SET status = 'ERROR', result = NULL, message = ${message}, finished_at = now()
     WHERE job.company_id = ${companyId} AND job.id = ${id}
       AND job.status = 'RUNNING' AND job.attempts = ${attempts}`);
}

/** Sets the message of a running job; it stays when the job ends. */
export async function noteOnJob(sql: Sql, key: JobKey, message: string): Promise<void> {
  await sql.run(
    SQL`UPDATE job SET message = ${message} WHERE job.company_id = ${key.companyId} AND job.id = ${key.id}`,
  );
}

/** Shows how far the job is. */
export async function saveProgress(sql: Sql, key: JobKey, progress: Jobs[JobKind]['progress']): Promise<void> {
  await sql.run(SQL.named('job-progress')`
    WITH ${UNHURRIED}
    INSERT INTO job_progress (company_id, job_id, progress) SELECT ${key.companyId}::bigint, ${key.id}::bigint,
      ${JSON.stringify(progress)}::jsonb FROM unhurried
    ON CONFLICT (company_id, job_id) DO UPDATE SET progress = excluded.progress`);
}
