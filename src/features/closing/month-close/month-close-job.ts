import type { Month } from '../../../accounting/period.ts';
import { BusinessError } from '../../../accounting/problem.ts';
import { queueAutorun } from '../../compliance/queue-autorun.ts';
import { noteOnJob } from '../../operations/jobs/jobs.sql.ts';
import type { JobHandler } from '../../operations/jobs/jobs.ts';
import { closeMonth } from './close-month.ts';

/** Closes the job's month; balances, month and the job's end are one commit. */
export const monthCloseJob: JobHandler = async (job, work) => {
  const month: Month = (job.month ?? '').slice(0, 7);
  const caller = { id: 0, username: job.requestedBy, admin: false };
  const branch = { companyId: job.companyId, branchId: job.branchId! };
  const done = await closeMonth(work.sql, { caller, address: 'job' }, branch, month, (progress) =>
    work.report({ ...progress }),
  );
  if (done.warning) await noteOnJob(work.sql, job, work.describe(new BusinessError(done.warning)));
  await queueAutorun(work.sql, branch, month, job.requestedBy);
  return done;
};
