import type { BranchId } from '../../../accounting/ids.ts';
import type { Day } from '../../../accounting/period.ts';
import type { Approved } from '../../../platform/context.ts';
import type { MonthCloseProgress, MonthCloseSummary } from '../../closing/month-close/month-close-summary.ts';
import type { QuotaRunResult } from '../../closing/quotas/quota-run-result.ts';
import type { RunPayload, RunSummary } from '../../compliance/run-payload.ts';
import type { EcdImportOptions, EcdImportProgress, EcdImportResult } from '../../posting/imports/ecd/ecd-import.ts';
import type { FilingOrder, FilingResult } from '../../reporting/filings/filing-order.ts';
import type { PrintedJob, ReportOrder } from '../../reporting/print/report-order.ts';

/** Payload, progress and result of each kind of job. */
export interface Jobs {
  /** Closes one branch's month. */
  readonly CONSOLIDATION: {
    readonly payload: { readonly approved?: Approved | undefined };
    readonly progress: MonthCloseProgress;
    readonly result: MonthCloseSummary;
  };
  /** The record over the jobs of all branches; no worker takes it, its state is that of its parts. */
  readonly CONSOLIDATION_OF_ALL: {
    /** Jobs that were queued before it and count as its parts. */
    readonly payload: { readonly joined?: readonly number[] };
    readonly progress: Readonly<Record<never, never>>;
    readonly result: null;
  };
  /** A run of rules in the background. */
  readonly COMPLIANCE_RUN: {
    readonly payload: RunPayload;
    readonly progress: { readonly percent: number };
    readonly result: RunSummary;
  };
  /** A report in the background. */
  readonly REPORT: {
    readonly payload: ReportOrder;
    readonly progress: { readonly rows: number };
    readonly result: PrintedJob;
  };
  /** A file for a regulator. */
  readonly FILING: {
    readonly payload: FilingOrder;
    readonly progress: { readonly lines: number };
    readonly result: FilingResult;
  };
  /** The quotas of a day of all funds of a company. */
  readonly QUOTAS: {
    readonly payload: { readonly day: Day; readonly confirmed: boolean; readonly branchIds: readonly BranchId[] };
    readonly progress: { readonly done: number; readonly funds: number; readonly failed: number };
    readonly result: QuotaRunResult;
  };
  /** The import of a bookkeeping file into a branch. */
  readonly ECD_IMPORT: {
    readonly payload: {
      readonly importId: number;
      /** Who asked for it, and whether the whole company is theirs. */
      readonly caller: {
        readonly id: number;
        readonly username: string;
        readonly admin: boolean;
        readonly wholeCompany: boolean;
      };
      readonly options: EcdImportOptions;
    };
    readonly progress: EcdImportProgress;
    readonly result: EcdImportResult;
  };
}

/** As the table keeps them. */
export type JobKind = keyof Jobs;

/** Kinds that workers take. */
export const WORK_KINDS = [
  'CONSOLIDATION',
  'COMPLIANCE_RUN',
  'REPORT',
  'FILING',
  'QUOTAS',
  'ECD_IMPORT',
] as const satisfies readonly JobKind[];
export type WorkKind = (typeof WORK_KINDS)[number];
