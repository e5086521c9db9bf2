import { monthCloseJob } from './features/closing/month-close/month-close-job.ts';
import { quotaRunJob } from './features/closing/quotas/quota-run-job.ts';
import { complianceJob } from './features/compliance/compliance-job.ts';
import type { JobHandlers } from './features/operations/jobs/jobs.ts';
import { ecdImportJob } from './features/posting/imports/ecd/ecd-import-job.ts';
import { filingJob } from './features/reporting/filing-precheck/filing-job.ts';
import { reportCacheOf } from './features/reporting/print/report-cache.ts';
import { reportJob } from './features/reporting/print/report-job.ts';
import type { App } from './http/app.ts';

/** What each kind of job does. */
export function jobHandlers({ printer, config, disk, sealKeys, leafHasher }: App): JobHandlers {
  return {
    CONSOLIDATION: monthCloseJob({ keys: sealKeys, hasher: leafHasher }),
    COMPLIANCE_RUN: complianceJob,
    ECD_IMPORT: ecdImportJob,
    QUOTAS: quotaRunJob,
    FILING: filingJob(disk),
    REPORT: reportJob({ printer, cache: reportCacheOf(config), bookSizeLimit: config.bookSizeLimit }, disk),
  };
}
