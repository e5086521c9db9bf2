import { CONSOLIDATION } from './features/closing/consolidation/consolidation.read.sql.ts';
import { consolidationJob } from './features/closing/consolidation/consolidation-job.ts';
import { complianceJob } from './features/compliance/compliance-job.ts';
import { COMPLIANCE_RUN } from './features/compliance/queue-autorun.ts';
import type { JobKind } from './features/operations/jobs/jobs.sql.ts';
import type { JobHandler } from './features/operations/jobs/jobs.ts';
import { reportCacheOf } from './features/reporting/print/report-cache.ts';
import { REPORT } from './features/reporting/print/report-job.read.sql.ts';
import { reportJob } from './features/reporting/print/report-job.ts';
import type { App } from './http/app.ts';

/** What each kind of job does. */
export function jobHandlers({ printer, config, disk }: App): Readonly<Record<JobKind, JobHandler>> {
  return {
    [CONSOLIDATION]: consolidationJob,
    [COMPLIANCE_RUN]: complianceJob,
    [REPORT]: reportJob(printer, reportCacheOf(config), disk),
  };
}
