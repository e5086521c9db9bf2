import { BusinessError, type Problem, reject } from '../../../accounting/problem.ts';
import type { Pooler } from '../../../platform/database/poolers.ts';
import type { ReplicaSettings } from '../../../platform/database/replica-health.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import type { TimeLimitSeconds } from '../../../platform/database/time-limits.ts';
import type { Format } from '../../../platform/render/render-table.ts';
import type { ReportedTenant } from '../../access/access.ts';
import type { BoundAnnex, BoundVolume } from '../books/issued-book.ts';
import type { ReportRequest } from './report-request.ts';

/** A report on the books of one branch, or of the institution. */
export interface ReportToPrint {
  readonly tenant: ReportedTenant;
  readonly request: ReportRequest;
}

/** What is printed into one file; plain data, for it crosses into a worker thread. */
export interface PrintTask {
  /** Printed in this order, each from a snapshot of its own. */
  readonly reports: readonly ReportToPrint[];
  /** Each is under its title, as one of several. */
  readonly titled: boolean;
  readonly scope: Scope;
  readonly format: Format;
  /** A CSV begins with a line that says what it is. */
  readonly head?: boolean | undefined;
  readonly now: Date;
  /** Where the file goes. */
  readonly path: string;
  /** The file is rejected when it grows beyond it; so is each report that does so by itself. */
  readonly byteLimit?: number | undefined;
}

export interface PrintedReport {
  readonly title: string;
  readonly pages: number;
  readonly rows: number;
  readonly missingCharacters: readonly string[];
  /** What is wrong with the installation's own template; the built-in one was used. */
  readonly templateFault?: string;
  /** Of a book with terms. */
  readonly volumes?: readonly BoundVolume[];
  readonly annexes?: readonly BoundAnnex[];
  /** Warnings about the figures. */
  readonly warnings?: readonly string[];
}

/** What became of one of the reports. */
export type ReportOutcome = { readonly report: PrintedReport } | { readonly problems: readonly Problem[] };

export interface PrintedFile {
  /** 0 where every report was rejected: there is no file then. */
  readonly bytes: number;
  /** In the order of the task's reports. */
  readonly outcomes: readonly ReportOutcome[];
}

/** What comes back from the worker: errors lose their class between threads, so rejections are data. */
export type PrintAnswer =
  | PrintedFile
  | { readonly problems: readonly Problem[] }
  | { readonly later: 'BUSY' | 'DISK_FULL' };

/** What a worker thread starts with. */
export interface PrinterSettings {
  /** The address of the reader login; undefined where nothing is printed. */
  readonly connectionString: string | undefined;
  /** Folder of the installation's own templates. */
  readonly templates: string | undefined;
  readonly limits: TimeLimitSeconds;
  readonly pooler: Pooler;
  readonly replica: ReplicaSettings | undefined;
}

const MEBIBYTE = 1_048_576;

/** Rejects a file that has grown beyond its limit. */
export function assertWithinSize(byteLimit: number | undefined, bytes: number): void {
  if (byteLimit === undefined || bytes <= byteLimit) return;
  reject('REPORT_TOO_LARGE', { limit: Math.round(byteLimit / MEBIBYTE) });
}

/** The reports that were printed. Throws their problems when all were rejected. */
export function printedReports(outcomes: readonly ReportOutcome[]): PrintedReport[] {
  const reports = outcomes.flatMap((outcome) => ('report' in outcome ? [outcome.report] : []));
  if (reports.length > 0) return reports;
  throw new BusinessError(outcomes.flatMap((outcome) => ('problems' in outcome ? outcome.problems : [])));
}
