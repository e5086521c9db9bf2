import { z } from 'zod';
import { BusinessError } from '../../../accounting/problem.ts';
import type { SealKeys } from '../../../platform/seal-keys/seal-keys.ts';
import { queueAutorun } from '../../compliance/queue-autorun.ts';
import { monthOfJob, noteOnJob } from '../../operations/jobs/jobs.sql.ts';
import type { JobHandler } from '../../operations/jobs/jobs.ts';
import type { LeafHasher } from '../seals/leaf-hasher.ts';
import { closeMonth } from './close-month.ts';

/** Closes and seals the job's month; balances, month, seal and the job's end are one commit. */
export const monthCloseJob = (seals: {
  readonly keys: SealKeys;
  readonly hasher: LeafHasher;
}): JobHandler<'CONSOLIDATION'> => ({
  payload: z.object({
    approved: z.object({ id: z.number(), requestedBy: z.string(), approvedBy: z.string() }).optional(),
  }),
  async run(job, work) {
    const month = monthOfJob(job);
    const caller = { id: 0, username: job.requestedBy, admin: false };
    const branch = { companyId: job.companyId, branchId: job.branchId! };
    const sealing = { ...seals, sealedBy: job.requestedBy, sealedAt: work.now() };
    const done = await closeMonth(
      work.sql,
      { caller, address: 'job', approved: job.payload.approved },
      branch,
      month,
      sealing,
      work.report,
    );
    if (done.warning) await noteOnJob(work.sql, job, work.describe(new BusinessError(done.warning)));
    await queueAutorun(work.sql, branch, month, job.requestedBy);
    return done;
  },
});
