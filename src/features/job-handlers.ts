import { complianceJob } from './compliance/compliance-job.ts';
import { COMPLIANCE_RUN } from './compliance/queue-autorun.ts';
import { CONSOLIDATION } from './consolidation/consolidation.read.sql.ts';
import { consolidationJob } from './consolidation/consolidation-job.ts';
import type { House } from './house.ts';
import type { JobKind } from './jobs.sql.ts';
import type { JobHandler } from './jobs.ts';
import { reportCacheOf } from './reports/report-cache.ts';
import { REPORT } from './reports/report-job.read.sql.ts';
import { reportJob } from './reports/report-job.ts';

/** What each kind of job does. */
export function jobHandlers({ printer, config, disk }: House): Readonly<Record<JobKind, JobHandler>> {
  return {
    [CONSOLIDATION]: consolidationJob,
    [COMPLIANCE_RUN]: complianceJob,
    [REPORT]: reportJob(printer, reportCacheOf(config), disk),
  };
}
