import type { Readable } from 'node:stream';
import type { CompanyId } from '../../../accounting/ids.ts';
import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import { openCompressed, storeCompressed } from '../../../platform/compressed-pieces.ts';
import type { Context } from '../../../platform/context.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import type { Sql, Transaction } from '../../../platform/database/sql.ts';
import type { DiskSpace } from '../../../platform/disk-space.ts';
import type { ReportedTenant } from '../../access/access.ts';
import { recordEvents } from '../../operations/events/record-events.sql.ts';
import type { JobKey, JobRow } from '../../operations/jobs/jobs.sql.ts';
import type { JobHandler } from '../../operations/jobs/jobs.ts';
import { type JobLimits, queueJob } from '../../operations/jobs/queue-job.ts';
import { insertPiece, type PiecedFile, readPieces } from '../../pieces.sql.ts';
import { bookToIssue, requireMayIssue } from './issue-book.ts';
import { printParts } from './print-combined.ts';
import { type PrintSettings, printOne, printTemporary, type ReportFile } from './print-now.ts';
import { type PrintedFile, type PrintedReport, printedReports, type ReportToPrint } from './print-task.ts';
import { recordPrint } from './printed-reports.sql.ts';
import { selectReportJob } from './report-job.read.sql.ts';
import { type PrintedJob, type ReportOrder, reportOrder } from './report-order.ts';

export type ReportJob = JobRow<'REPORT'>;

/**
 * Queues the report, for books too large for one response. `mayIssue`: whether the caller is granted the routine
 * LEGAL_BOOKS.
 */
export async function requestReport(
  context: Context,
  order: ReportOrder,
  { limits, mayIssue }: { readonly limits: JobLimits; readonly mayIssue: boolean },
): Promise<ReportJob> {
  const { companyId, branchId } = order.tenant;
  const book = 'request' in order ? bookToIssue(order, order.format) : undefined;
  if (book) await requireMayIssue(context.sql, book, mayIssue);
  return queueJob(context, { companyId, branchId, kind: 'REPORT', payload: order }, limits);
}

export async function readReportJob(context: Context, companyId: CompanyId, id: number): Promise<ReportJob> {
  return (await selectReportJob(context.sql, companyId, id)) ?? reject('NOT_FOUND', recordRef('Report', id), 'id');
}

/** The file of a finished job. */
export async function openReport(sql: Sql, job: JobKey & Pick<ReportJob, 'status'>): Promise<Readable> {
  if (job.status !== 'DONE') reject('REPORT_NOT_READY', { state: job.status }, 'id');
  const pieces = readPieces(sql, piecesOf(job));
  // Before the answer begins.
  const first = await pieces.next();
  if (first.done) reject('REPORT_GONE', {}, 'id');
  return openCompressed(startingWith(first.value, pieces));
}

/**
 * The work of such a job: prints the file and keeps it in the transaction that ends the job, until the cleanup removes
 * both (REPORT_RETENTION_HOURS).
 */
export function reportJob(settings: PrintSettings, disk: DiskSpace): JobHandler<'REPORT'> {
  const run: JobHandler<'REPORT'>['run'] = async (
    { payload: order, ...job },
    { database, sql: ending, now, report },
  ) => {
    await disk.requireSpace();
    const scope = scopeOf(order.tenant);
    const sql = database.under(scope);
    const watching = { onProgress: report };
    const isCombined = 'parts' in order;
    const caller = { id: 0, username: job.requestedBy, admin: false };
    const transaction: Context['transaction'] = (write) => database.transaction(scope, write);
    const printing = { scope, sql, transaction, now, caller, address: 'job' };
    const { printed, file } = await printTemporary((path) =>
      isCombined
        ? printParts(printing, settings, order, path, watching)
        : printOne(printing, settings, order, path, watching),
    );
    const result = isCombined ? wholeOf(printed) : onlyReportOf(printed);
    try {
      await keepReport(ending, job, file);
    } finally {
      await file.remove();
    }
    for (const report of reportsOf(order, printed)) await recordPrint(ending, { caller }, report);
    const { companyId, branchId } = order.tenant;
    const data = { jobId: job.id, title: result.title, bytes: result.bytes };
    recordEvents(ending, [{ type: 'report.ready', companyId, branchId, data }]);
    return result;
  };
  return { payload: reportOrder, run };
}

/** Keeps a file in the transaction that ends its job. */
export async function keepReport(ending: Transaction, job: JobKey, file: ReportFile): Promise<void> {
  const kept = piecesOf(job);
  await storeCompressed(file.open(), (content, piece) => insertPiece(ending, kept, piece, content));
}

function piecesOf({ companyId, id }: JobKey): PiecedFile {
  return { table: 'report_file_piece', companyId, id };
}

async function* startingWith(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

/** The reports of the order that were printed. */
function reportsOf(order: ReportOrder, { outcomes }: PrintedFile): ReportToPrint[] {
  if ('request' in order) return [order];
  return order.parts.filter((part, at) => 'request' in part && 'report' in outcomes[at]!) as ReportToPrint[];
}

/** Only what is printed: one branch, or all of the company. */
function scopeOf({ companyId, branchId }: ReportedTenant): Scope {
  return branchId === undefined
    ? { companies: [companyId], wholeCompanies: [companyId], branches: [] }
    : { companies: [companyId], wholeCompanies: [], branches: [branchId] };
}

function onlyReportOf({ bytes, outcomes }: PrintedFile): PrintedJob {
  const [report] = printedReports(outcomes) as [PrintedReport];
  return { ...report, bytes };
}

function wholeOf({ bytes, outcomes }: PrintedFile): PrintedJob {
  const reports = printedReports(outcomes);
  const sum = (count: (report: PrintedReport) => number) => reports.reduce((total, each) => total + count(each), 0);
  return {
    title: reports.map(({ title }) => title).join(', '),
    pages: sum(({ pages }) => pages),
    rows: sum(({ rows }) => rows),
    bytes,
    missingCharacters: [...new Set(reports.flatMap(({ missingCharacters }) => missingCharacters))],
    outcomes,
  };
}
