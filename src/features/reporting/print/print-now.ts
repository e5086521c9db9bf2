import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Context } from '../../../platform/context.ts';
import type { Format } from '../../../platform/render/render-table.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { bookToIssue, issueBook, requireMayIssue } from './issue-book.ts';
import {
  type PrintedFile,
  type PrintedReport,
  type PrintTask,
  printedReports,
  type ReportToPrint,
} from './print-task.ts';
import { recordPrint } from './printed-reports.sql.ts';
import type { Printer, Watching } from './printer.ts';
import { printOrReuse, type ReportCache } from './report-cache.ts';

/** A printed file that is answered once and then removed. */
export interface ReportFile {
  readonly bytes: number;
  open(): Readable;
  /** Must always be called after the response. */
  remove(): Promise<void>;
}

/** Read in pieces whose size divides by three, so that each one but the last is base64 without padding. */
const PIECE = 3 * 65_536;

/** What a file is printed with, for an answer or in the background, where there is no limit of an answer. */
export type PrintSettings = Omit<AnswerSettings, 'byteLimit' | 'signal'> & Partial<Pick<AnswerSettings, 'byteLimit'>>;

/** What answers with reports have in common. */
export interface AnswerSettings {
  readonly printer: Printer;
  /** A larger file is rejected. */
  readonly byteLimit: number;
  readonly cache: ReportCache;
  /** Of a book that is issued, in bytes. */
  readonly bookSizeLimit: number;
  /** Aborted when the client disconnects: the printing then stops. */
  readonly signal?: AbortSignal | undefined;
}

interface PrintOrder extends ReportToPrint, Pick<PrintTask, 'head'> {
  readonly format: Format;
}

interface PrintNowOrder extends PrintOrder {
  /** Whether the caller is granted the routine LEGAL_BOOKS. */
  readonly mayIssue: boolean;
}

/** Prints a report for a response to the request under way. */
export async function printNow(
  context: Context,
  settings: AnswerSettings,
  { mayIssue, ...order }: PrintNowOrder,
): Promise<{ report: PrintedReport; file: ReportFile }> {
  const book = bookToIssue(order, order.format);
  if (book) await requireMayIssue(context.sql, book, mayIssue);
  const { printed, file } = await printTemporary(async (path) => {
    const printed = await printOne(context, settings, order, path, { signal: settings.signal });
    const [report] = printedReports(printed.outcomes) as [PrintedReport];
    await recordPrinting(context, order);
    return { report, bytes: printed.bytes };
  });
  return { report: printed.report, file };
}

/** Prints a report into the file. A book is issued, or comes as it was issued. */
export function printOne(
  context: Pick<Context, 'sql' | 'scope' | 'transaction' | 'now' | 'caller' | 'address'>,
  { printer, cache, bookSizeLimit, byteLimit }: PrintSettings,
  { tenant, request, format, head }: PrintOrder,
  path: string,
  watching: Watching,
): Promise<PrintedFile> {
  const { sql, scope, transaction, caller, address, now } = context;
  const book = bookToIssue({ tenant, request }, format);
  if (book) {
    const issuing = { sql, scope, transaction, now, caller, address, printer, bookSizeLimit, byteLimit };
    return issueBook(issuing, book, path, watching);
  }
  const task = { reports: [{ tenant, request }], titled: false, format, head, scope, now: now(), path, byteLimit };
  return printOrReuse(printer, task, { sql, cache }, watching);
}

/** Before its first byte is sent a report goes into the trail, and among what was printed of its months. */
export async function recordPrinting(context: Context, { tenant, request, format }: PrintOrder): Promise<void> {
  const { kind, ...asked } = request;
  const { companyId, branchId } = tenant;
  await context.transaction(async (sql) => {
    await recordAudit(sql, context, {
      action: 'PRINT',
      entity: kind,
      companyId,
      branchId,
      after: { format, ...asked },
    });
    await recordPrint(sql, context, { tenant, request });
  });
}

/** Prints into a file for one answer, which is removed when the printing fails. */
export async function printTemporary<Printed extends { readonly bytes: number }>(
  print: (path: string) => Promise<Printed>,
): Promise<{ printed: Printed; file: ReportFile }> {
  const path = join(tmpdir(), `partidas-report-${process.pid}-${randomUUID()}`);
  const remove = () => rm(path, { force: true });
  try {
    const printed = await print(path);
    const open = () => createReadStream(path, { highWaterMark: PIECE });
    return { printed, file: { bytes: printed.bytes, open, remove } };
  } catch (error) {
    await remove();
    throw error;
  }
}
