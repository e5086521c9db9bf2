import { problem, RetryLater } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import { DiskFull } from '../../../platform/disk-space.ts';
import { ELEVATION } from '../../access/elevation-reasons.ts';
import type { JobKind } from './job-kinds.ts';
import { insertJob, type JobRow, type NewJob } from './jobs.sql.ts';
import { type JobShares, selectJobShares } from './queue-job.sql.ts';

/** What a user and a company may have waiting or running, and how many bytes of reports kept, they and all together. */
export interface JobLimits {
  readonly perUser: number;
  readonly perCompany: number;
  readonly reportsPerUser: number;
  readonly bytesPerUser: number;
  readonly bytesPerCompany: number;
  readonly bytesInAll: number;
}

/** What they make is kept as a file. */
const FILED_KINDS: readonly JobKind[] = ['REPORT', 'FILING'];

/** Seconds until a rejected user may retry. */
const RETRY_SECONDS = 10;

/** Queues a requested job within the limits of its user and company. */
export async function queueJob<Kind extends JobKind>(
  context: Context,
  job: Omit<NewJob<Kind>, 'requestedBy'>,
  limits: JobLimits,
): Promise<JobRow<Kind>> {
  const { caller } = context;
  // The limits are checked here.
  const queued = await context.elevated(ELEVATION.jobShares, (system) =>
    system.transaction(async (sql) => {
      assertWithinSize(await selectJobShares(sql, caller, job.companyId), limits, FILED_KINDS.includes(job.kind));
      return insertJob(sql, { ...job, requestedBy: caller.username });
    }),
  );
  context.wakeJobs();
  return queued!;
}

const MEBIBYTE = 1_048_576;

function assertWithinSize(shares: JobShares, limits: JobLimits, isReport: boolean): void {
  const later = (...words: Parameters<typeof problem>) => new RetryLater(problem(...words), RETRY_SECONDS);
  if (isReport && shares.reportsOfUser >= limits.reportsPerUser) {
    throw later('TOO_MANY_REPORTS', { limit: limits.reportsPerUser });
  }
  if (shares.ofUser >= limits.perUser) throw later('TOO_MANY_JOBS', { limit: limits.perUser });
  if (shares.ofCompany >= limits.perCompany) throw later('TOO_MANY_JOBS_OF_COMPANY', { limit: limits.perCompany });
  if (!isReport) return;
  if (shares.bytesOfUser >= limits.bytesPerUser) {
    throw later('KEPT_REPORTS_FULL', { limit: limits.bytesPerUser / MEBIBYTE });
  }
  if (shares.bytesOfCompany >= limits.bytesPerCompany) {
    throw later('KEPT_REPORTS_OF_COMPANY_FULL', { limit: limits.bytesPerCompany / MEBIBYTE });
  }
  // They are on the disk of the books.
  if (shares.bytesInAll >= limits.bytesInAll) throw new DiskFull('the database keeps as many reports as it may');
}
