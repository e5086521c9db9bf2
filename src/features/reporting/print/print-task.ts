import { type Problem, reject } from '../../../accounting/problem.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import type { TimeLimitSeconds } from '../../../platform/database/time-limits.ts';
import type { Format } from '../../../platform/render/render-table.ts';
import type { Tenant } from '../../access/access.ts';
import type { ReportRequest } from './report-request.ts';

/** One report to print; plain data, for it crosses into a worker thread. */
export interface PrintTask {
  readonly request: ReportRequest;
  readonly tenant: Tenant;
  readonly scope: Scope;
  readonly format: Format;
  readonly now: Date;
  /** Where the file goes. */
  readonly path: string;
  /** Printing stops when the file grows beyond it. */
  readonly byteLimit?: number;
}

export interface PrintedReport {
  readonly title: string;
  readonly pages: number;
  readonly rows: number;
  readonly bytes: number;
  readonly missingCharacters: readonly string[];
  /** What is wrong with the installation's own template; the built-in one was used. */
  readonly templateFault?: string;
  /** What the reader must know of the figures. */
  readonly warnings?: readonly string[];
}

/** What comes back from the worker: errors lose their class on the way, so refusals travel as data. */
export type PrintOutcome =
  | PrintedReport
  | { readonly problems: readonly Problem[] }
  | { readonly later: 'BUSY' | 'DISK_FULL' };

/** What a worker thread starts with. */
export interface PrinterSettings {
  /** Of the login that reads; undefined where nothing is printed. */
  readonly connectionString: string | undefined;
  /** Folder of the installation's own templates. */
  readonly templates: string | undefined;
  readonly limits: TimeLimitSeconds;
}

const MEBIBYTE = 1_048_576;

/** Refuses a file that has grown beyond its limit. */
export function assertWithinSize(byteLimit: number | undefined, bytes: number): void {
  if (byteLimit === undefined || bytes <= byteLimit) return;
  reject('REPORT_TOO_LARGE', { limit: Math.round(byteLimit / MEBIBYTE) });
}
