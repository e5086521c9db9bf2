import { CONSOLIDATION } from './features/closing/month-close/month-close.read.sql.ts';
import { monthCloseJob } from './features/closing/month-close/month-close-job.ts';
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
    [CONSOLIDATION]: monthCloseJob,
    [COMPLIANCE_RUN]: complianceJob,
    [REPORT]: reportJob(printer, reportCacheOf(config), disk),
  };
}
