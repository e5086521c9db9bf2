import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '../accounting/problem.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { type Database, EVERYTHING, type Sql, type Transaction } from '../platform/sql.ts';

export type JobKind = string;

export interface JobRow {
  readonly id: number;
  readonly companyId: number;
  readonly branchId: number | null;
  /** First day of the month that the job is about. */
  readonly month: string | null;
  readonly kind: JobKind;
  readonly status: 'PENDING' | 'RUNNING' | 'DONE' | 'ERROR';
  readonly payload: Record<string, unknown>;
  readonly progress: Record<string, unknown>;
  readonly result: unknown;
  readonly message: string | null;
  readonly parentId: number | null;
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
}

export const JOB_COLUMNS = `job.id, job.company_id AS "companyId", job.branch_id AS "branchId", job.month, job.kind,
  job.status, job.payload, job.result,
  coalesce((SELECT job_progress.progress FROM job_progress
             WHERE job_progress.company_id = job.company_id AND job_progress.job_id = job.id), '{}') AS progress, job.message, job.parent_id AS "parentId",
  job.requested_by AS "requestedBy", job.requested_at AS "requestedAt", job.started_at AS "startedAt",
  job.finished_at AS "finishedAt"`;

export interface JobWork {
  readonly database: Database;
  /** The job's own transaction: what is written through it is committed together with the job's end. */
  readonly sql: Transaction;
  readonly now: () => Date;
  readonly log: Log;
  /** Shows progress to readers at once, outside of the job's transaction. */
  report(progress: Record<string, unknown>): Promise<void>;
}

/** What a kind of job does; its answer is kept as the job's result, a thrown error ends it as ERROR with its text. */
export type JobHandler = (job: JobRow, work: JobWork) => Promise<unknown>;

export interface NewJob {
  readonly companyId: number;
  readonly branchId?: number;
  readonly month?: string;
  readonly kind: JobKind;
  readonly payload?: Record<string, unknown>;
  readonly parentId?: number;
  readonly requestedBy: string;
}

/** Queues a job in the caller's transaction; a unique index may refuse a second one of its kind. */
export function insertJob(sql: Sql, job: NewJob): Promise<JobRow | undefined> {
  return sql.maybe<JobRow>({
    text: `INSERT INTO job (company_id, branch_id, month, kind, payload, parent_id, requested_by)
           VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT DO NOTHING
           RETURNING ${JOB_COLUMNS}`,
    values: [
      job.companyId,
      job.branchId ?? null,
      job.month ?? null,
      job.kind,
      JSON.stringify(job.payload ?? {}),
      job.parentId ?? null,
      job.requestedBy,
    ],
  });
}

export async function countWaitingJobs(sql: Sql): Promise<number> {
  const { count } = await sql.one<{ count: number }>({
    text: `SELECT count(*) AS count FROM job WHERE job.status = 'PENDING'`,
  });
  return count;
}

export interface Workers {
  /** Looks for work now instead of at the next turn. */
  wake(): void;
  /** Lets the running jobs end, at most for the given time. */
  stop(graceMs: number): Promise<void>;
}

/** How long a job of another process may wait when nobody wakes this one. */
const TURN_MS = 1_000;

/**
 * Runs jobs. A worker marks the job RUNNING, then holds its row locked in the transaction that the work is done in:
 * when the program dies the lock goes with it, and the next worker finds a RUNNING job without a lock and does it
 * again. Work and outcome are one commit.
 */
export function startWorkers(options: {
  database: Database;
  handlers: Readonly<Record<JobKind, JobHandler>>;
  workers: number;
  now: () => Date;
  log: Log;
  metrics: Metrics;
  /** Described texts of a failure, for the job's message. */
  describe: (error: unknown) => string;
}): Workers {
  const stopping = new AbortController();
  let wakeUp: () => void = () => {};
  let woken = new Promise<void>((resolve) => {
    wakeUp = resolve;
  });
  const wake = () => {
    const ring = wakeUp;
    woken = new Promise<void>((resolve) => {
      wakeUp = resolve;
    });
    ring();
  };
  const loop = async () => {
    while (!stopping.signal.aborted) {
      const nextRing = woken;
      const worked = await runNextJob(options, stopping.signal).catch((error) => {
        options.log.error({ err: error }, 'job worker');
        return false;
      });
      if (!worked && !stopping.signal.aborted) {
        await Promise.race([nextRing, sleep(TURN_MS, undefined, { signal: stopping.signal }).catch(() => {})]);
      }
    }
  };
  const loops = Array.from({ length: options.workers }, loop);
  return {
    wake,
    async stop(graceMs) {
      stopping.abort();
      wake();
      await Promise.race([Promise.all(loops), sleep(graceMs, undefined, { ref: false })]);
    },
  };
}

async function runNextJob(options: Parameters<typeof startWorkers>[0], stopping: AbortSignal): Promise<boolean> {
  const { database, handlers } = options;
  const everything = database.under(EVERYTHING);
  const candidate = await markNextJob(everything, Object.keys(handlers));
  if (!candidate) return false;
  const began = performance.now();
  let status: 'DONE' | 'ERROR' = 'DONE';
  try {
    await database.transaction(EVERYTHING, async (sql) => {
      const job = await lockJob(sql, candidate);
      if (!job) return;
      if (candidate.attempts > MOST_ATTEMPTS) throw new Error(`job ${job.id} was begun ${MOST_ATTEMPTS} times`);
      const result = await handlers[job.kind]!(job, {
        database,
        sql,
        now: options.now,
        log: options.log,
        report: (progress) => saveProgress(everything, job, progress),
      });
      await finishJob(sql, job, 'DONE', result);
    });
  } catch (error) {
    if (stopping.aborted && !(error instanceof Refusal) && candidate.attempts < MOST_ATTEMPTS) {
      // The program ends and took the job's means away: the next one does it again.
      await putBack(everything, candidate).catch(() => {});
      return false;
    }
    status = 'ERROR';
    options.log.warn({ err: error, job: candidate.id }, 'job failed');
    await finishJob(everything, candidate, 'ERROR', undefined, options.describe(error));
  }
  options.metrics.jobs.observe({ kind: candidate.kind, status }, (performance.now() - began) / 1000);
  return true;
}

type JobKey = Pick<JobRow, 'companyId' | 'id' | 'kind'>;

/** One that ends the program whenever it is begun must not do so for ever. */
const MOST_ATTEMPTS = 10;

/** For what a crash may forget: the statement does not wait for the disk. */
const UNHURRIED = `unhurried AS (SELECT set_config('synchronous_commit', 'off', true))`;

/** Takes the oldest job that nobody holds and says so to readers; RUNNING ones without a holder are left-overs. */
function markNextJob(sql: Sql, kinds: readonly string[]): Promise<(JobKey & { attempts: number }) | undefined> {
  return sql.maybe({
    name: 'job-next',
    text: `WITH ${UNHURRIED}
           UPDATE job SET status = 'RUNNING', started_at = now(), attempts = job.attempts + 1
             FROM unhurried
            WHERE (job.company_id, job.id) IN (
                    SELECT waiting.company_id, waiting.id FROM job AS waiting
                     WHERE waiting.status IN ('PENDING', 'RUNNING') AND waiting.kind = ANY ($1)
                     ORDER BY waiting.id LIMIT 1 FOR UPDATE SKIP LOCKED)
        RETURNING job.company_id AS "companyId", job.id, job.kind, job.attempts`,
    values: [[...kinds]],
  });
}

/** The lock that says "somebody works on this"; nothing when another worker was faster or the job has ended. */
function lockJob(sql: Sql, key: JobKey): Promise<JobRow | undefined> {
  return sql.maybe<JobRow>({
    text: `SELECT ${JOB_COLUMNS} FROM job
            WHERE job.company_id = $1 AND job.id = $2 AND job.status = 'RUNNING'
              FOR UPDATE SKIP LOCKED`,
    values: [key.companyId, key.id],
  });
}

async function putBack(sql: Sql, key: JobKey): Promise<void> {
  await sql.run({
    text: `UPDATE job SET status = 'PENDING', started_at = NULL
            WHERE job.company_id = $1 AND job.id = $2 AND job.status = 'RUNNING'`,
    values: [key.companyId, key.id],
  });
}

async function finishJob(
  sql: Sql,
  key: JobKey,
  status: 'DONE' | 'ERROR',
  result: unknown,
  message: string | null = null,
): Promise<void> {
  await sql.run({
    text: `UPDATE job SET status = $3, result = $4, message = coalesce($5, job.message), finished_at = now()
            WHERE job.company_id = $1 AND job.id = $2`,
    values: [key.companyId, key.id, status, result === undefined ? null : JSON.stringify(result), message],
  });
}

async function saveProgress(sql: Sql, key: JobKey, progress: Record<string, unknown>): Promise<void> {
  await sql.run({
    name: 'job-progress',
    text: `WITH ${UNHURRIED}
           INSERT INTO job_progress (company_id, job_id, progress) SELECT $1::bigint, $2::bigint, $3::jsonb FROM unhurried
           ON CONFLICT (company_id, job_id) DO UPDATE SET progress = excluded.progress`,
    values: [key.companyId, key.id, JSON.stringify(progress)],
  });
}
