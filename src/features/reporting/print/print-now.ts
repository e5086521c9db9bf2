import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Context } from '../../../platform/context.ts';
import type { Format } from '../../../platform/render/render-table.ts';
import type { Tenant } from '../../access/access.ts';
import { auditReading } from '../../access/audit-reading.ts';
import type { PrintedReport } from './print-task.ts';
import type { Printer } from './printer.ts';
import { printOrReuse, type ReportCache } from './report-cache.ts';
import type { ReportRequest } from './report-request.ts';

/** A printed file that is answered once and then removed. */
export interface ReportFile {
  readonly bytes: number;
  open(): Readable;
  /** To be called whatever became of the answer. */
  remove(): Promise<void>;
}

/** Read in pieces whose size divides by three, so that each one but the last is base64 without padding. */
const PIECE = 3 * 65_536;

/** What answers with reports have in common. */
export interface AnswerSettings {
  readonly printer: Printer;
  /** A file beyond it is refused. */
  readonly byteLimit: number;
  readonly cache: ReportCache;
  /** Aborted when the client has gone: what is printed for it then stops. */
  readonly signal?: AbortSignal | undefined;
}

interface PrintOrder {
  readonly tenant: Tenant;
  readonly request: ReportRequest;
  readonly format: Format;
}

/** Prints a report for an answer to the request under way. */
export async function printNow(
  context: Context,
  { printer, byteLimit, cache, signal }: AnswerSettings,
  order: PrintOrder,
): Promise<{ report: PrintedReport; file: ReportFile }> {
  const path = temporaryPath();
  const task = { ...order, scope: context.scope, now: context.now(), path, byteLimit };
  try {
    const report = await printOrReuse(printer, task, { sql: context.sql, cache }, { signal });
    await auditReading(context, printOf(order));
    return { report, file: temporaryFile(path, report.bytes) };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** What the trail says of a report. */
export function printOf({ tenant, request, format }: PrintOrder) {
  const { kind, ...asked } = request;
  return { action: 'PRINT', entity: kind, tenant, asked: { format, ...asked } } as const;
}

export function temporaryPath(): string {
  return join(tmpdir(), `partidas-report-${process.pid}-${randomUUID()}`);
}

export function temporaryFile(path: string, bytes: number): ReportFile {
  return {
    bytes,
    open: () => createReadStream(path, { highWaterMark: PIECE }),
    remove: () => rm(path, { force: true }),
  };
}
