import type { Sql } from '../../../platform/database/sql.ts';
import type { Format } from '../../../platform/render/render-table.ts';
import type { Tenant } from '../../access/access.ts';
import { JOB_COLUMNS, type JobRow } from '../../operations/jobs/jobs.sql.ts';
import type { CombinedPart } from './print-combined.ts';
import type { PrintedReport, ReportOutcome } from './print-task.ts';
import type { ReportRequest } from './report-request.ts';

export const REPORT = 'REPORT';

/** What a report job was asked for: one report, or several of one branch in one file. */
export type ReportOrder = {
  readonly tenant: Tenant;
  readonly format: Format;
} & (
  | { readonly request: ReportRequest }
  /** `labels`: how whoever asked names the parts. */
  | { readonly parts: readonly CombinedPart[]; readonly labels: readonly string[] }
);

export interface PrintedJob extends PrintedReport {
  readonly bytes: number;
  /** What became of each part of a combined report. */
  readonly outcomes?: readonly ReportOutcome[];
}

export type ReportJob = Omit<JobRow, 'payload' | 'result' | 'progress'> & {
  readonly payload: ReportOrder;
  readonly progress: { readonly rows?: number };
  readonly result: PrintedJob | null;
};

export function selectReportJob(sql: Sql, companyId: number, id: number): Promise<ReportJob | undefined> {
  return sql.maybe<ReportJob>({
    text: `SELECT ${JOB_COLUMNS} FROM job WHERE job.company_id = $1 AND job.id = $2 AND job.kind = $3`,
    values: [companyId, id, REPORT],
  });
}
