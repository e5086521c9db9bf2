import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { BusinessError, reject } from '../../../accounting/problem.ts';
import type { Database } from '../../../platform/database/database.ts';
import { DatabaseLost } from '../../../platform/database/errors.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import { SYSTEM_SCOPE } from '../../../platform/database/system-scope.ts';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import type { Jobs, WorkKind } from './job-kinds.ts';
import { failJob, finishJob, lockJob, markNextJob, requeue, saveProgress, type UnreadJob } from './jobs.sql.ts';

export interface JobWork<Kind extends WorkKind> {
  readonly database: Database;
  /** The job's own transaction: what is written through it is committed together with the job's end. */
  readonly sql: Transaction;
  readonly now: () => Date;
  readonly log: Log;
  /** The text of a failure, for the job's message. */
  readonly describe: (error: unknown) => string;
  /** Shows progress to readers, outside of the job's transaction; what is outdated within REPORT_AFTER_MS is never written. */
  readonly report: (progress: Jobs[Kind]['progress']) => void;
}

/** Workers and the kinds of job that they take. */
export interface Lane {
  readonly kinds: readonly WorkKind[];
  readonly workers: number;
}

/** What a kind of job does. */
export interface JobHandler<Kind extends WorkKind> {
  /** Parses the payload; a job with an invalid payload ends as ERROR. */
  readonly payload: z.ZodType<Jobs[Kind]['payload']>;
  /** The returned value is stored as the job's result; a thrown error ends the job as ERROR with its text. */
  readonly run: (job: Task<Kind>, work: JobWork<Kind>) => Promise<Jobs[Kind]['result']>;
}

/** A job with its payload. */
type Task<Kind extends WorkKind> = Omit<UnreadJob, 'payload'> & { readonly payload: Jobs[Kind]['payload'] };

export type JobHandlers = { readonly [Kind in WorkKind]: JobHandler<Kind> };

export interface Workers {
  /** Looks for work now instead of at the next turn. */
  wake(): void;
  /** Takes no more jobs; resolves when the running ones have ended. */
  stop(): Promise<void>;
}

/** How long a job of another process may wait when nobody wakes this one. */
const TURN_MS = 1_000;
/** Limit of attempts for a job that crashes the program. */
const MAX_ATTEMPTS = 10;

/**
 * Runs jobs. A worker marks the job RUNNING, then keeps its row lock in the transaction of the work: when the program
 * dies the lock is released, and the next worker finds a RUNNING job without a lock and repeats it. Work and outcome
 * are one commit.
 */
export function startWorkers(options: {
  database: Database;
  handlers: JobHandlers;
  /** Each group has its own workers. */
  lanes: readonly Lane[];
  now: () => Date;
  log: Log;
  metrics: Metrics;
  describe: JobWork<WorkKind>['describe'];
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
  const loop = async (kinds: readonly WorkKind[]) => {
    while (!stopping.signal.aborted) {
      const nextRing = woken;
      const worked = await runNextJob(options, kinds, stopping.signal).catch((error) => {
        options.log.error({ err: error }, 'job worker');
        return false;
      });
      if (!worked && !stopping.signal.aborted) {
        await Promise.race([nextRing, sleep(TURN_MS, undefined, { signal: stopping.signal }).catch(() => {})]);
      }
    }
  };
  const loops = options.lanes.flatMap(({ kinds, workers }) => Array.from({ length: workers }, () => loop(kinds)));
  return {
    wake,
    async stop() {
      stopping.abort();
      wake();
      await Promise.all(loops);
    },
  };
}

async function runNextJob(
  options: Parameters<typeof startWorkers>[0],
  kinds: readonly WorkKind[],
  stopping: AbortSignal,
): Promise<boolean> {
  const { database, handlers } = options;
  const everything = database.under(SYSTEM_SCOPE);
  const aside = database.outOfBand(SYSTEM_SCOPE);
  const candidate = await markNextJob(everything, kinds);
  if (!candidate) return false;
  const began = performance.now();
  let status: 'DONE' | 'ERROR' | undefined;
  let { attempts } = candidate;
  const teller = reporterOf((progress: Jobs[WorkKind]['progress']) => saveProgress(aside, candidate, progress));
  try {
    await database.transaction(SYSTEM_SCOPE, async (sql) => {
      const job = await lockJob(sql, candidate);
      if (!job) return;
      // Others may have marked it before it was locked.
      ({ attempts } = job);
      if (candidate.attempts > MAX_ATTEMPTS) throw new Error(`job ${job.id} was begun ${MAX_ATTEMPTS} times`);
      const { now, log, describe } = options;
      const work = { database, sql, now, log, describe, report: teller.tell };
      const result = await perform(handlers, candidate.kind, job, work);
      await finishJob(sql, job, result);
      status = 'DONE';
    });
  } catch (error) {
    const meansAreGone = stopping.aborted || error instanceof DatabaseLost;
    if (meansAreGone && !(error instanceof BusinessError) && candidate.attempts < MAX_ATTEMPTS) {
      // The program or the database is stopping: the job is requeued.
      await requeue(everything, candidate).catch(() => {});
      return false;
    }
    status = 'ERROR';
    options.log.warn({ err: error, job: candidate.id }, 'job failed');
    await failJob(everything, { ...candidate, attempts }, options.describe(error));
  } finally {
    teller.stop();
  }
  if (status !== undefined)
    options.metrics.jobs.observe({ kind: candidate.kind, status }, (performance.now() - began) / 1000);
  return true;
}

async function perform<Kind extends WorkKind>(
  handlers: JobHandlers,
  kind: Kind,
  job: UnreadJob,
  work: JobWork<Kind>,
): Promise<Jobs[Kind]['result']> {
  const handler: JobHandler<Kind> = handlers[kind];
  const { data, error } = handler.payload.safeParse(job.payload);
  if (error) reject('JOB_UNREADABLE', { field: error.issues[0]!.path.join('.') || 'payload' });
  return handler.run({ ...job, payload: data }, work);
}

/** Short jobs, of which there are hundreds, then write no progress at all: it cost five statements each. */
const REPORT_AFTER_MS = 150;

function reporterOf<Progress>(save: (progress: Progress) => Promise<void>) {
  let latest: Progress;
  let timer: NodeJS.Timeout | undefined;
  return {
    tell(progress: Progress) {
      latest = progress;
      timer ??= setTimeout(() => {
        timer = undefined;
        void save(latest).catch(() => {});
      }, REPORT_AFTER_MS);
    },
    stop: () => clearTimeout(timer),
  };
}
