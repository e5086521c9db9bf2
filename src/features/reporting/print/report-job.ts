import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, rename } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { DiskSpace } from '../../../platform/disk-space.ts';
import type { JobHandler } from '../../operations/jobs/jobs.ts';
import { type JobLimits, queueJob } from '../../operations/jobs/queue-job.ts';
import { type PrintingFor, printCombined } from './print-combined.ts';
import type { AnswerSettings } from './print-now.ts';
import type { PrintedReport } from './print-task.ts';
import type { Printer } from './printer.ts';
import { printOrReuse, type ReportCache } from './report-cache.ts';
import { reportFolder, reportPath } from './report-files.ts';
import { REPORT, type ReportJob, type ReportOrder, selectReportJob } from './report-job.read.sql.ts';

/** Queues the report: for books too large for one answer. */
export async function requestReport(context: Context, order: ReportOrder, limits: JobLimits): Promise<ReportJob> {
  const { companyId, branchId } = order.tenant;
  const job = await queueJob(context, { companyId, branchId, kind: REPORT, payload: { ...order } }, limits);
  return job as unknown as ReportJob;
}

export async function readReportJob(context: Context, companyId: number, id: number): Promise<ReportJob> {
  return (await selectReportJob(context.sql, companyId, id)) ?? reject('NOT_FOUND', recordRef('Report', id), 'id');
}

const NOT_READY = {
  PENDING: { status: 'it waits for its turn', statusPt: 'está na fila' },
  RUNNING: { status: 'it is being printed', statusPt: 'está em emissão' },
  ERROR: { status: 'it failed; ask for it again', statusPt: 'a emissão falhou; solicite-o novamente' },
} as const;

/** The file of a finished job. */
export async function openReport(job: ReportJob, dataDir: string): Promise<Readable> {
  if (job.status !== 'DONE') reject('REPORT_NOT_READY', NOT_READY[job.status], 'id');
  const path = reportPath(dataDir, job.companyId, job.id);
  await access(path).catch(() => reject('REPORT_GONE', {}, 'id'));
  return createReadStream(path);
}

/** The work of such a job: prints the file and keeps it until the cleanup takes it (REPORT_RETENTION_HOURS). */
export function reportJob(printer: Printer, cache: ReportCache, disk: DiskSpace): JobHandler {
  const { dataDir } = cache;
  return async (job, { database, now, report }) => {
    await disk.requireSpace();
    const order = job.payload as unknown as ReportOrder;
    const { companyId, branchId } = order.tenant;
    const scope = { companies: [companyId], wholeCompanies: [], branches: [branchId] };
    const sql = database.under(scope);
    await mkdir(reportFolder(dataDir), { recursive: true, mode: 0o700 });
    const path = reportPath(dataDir, job.companyId, job.id);
    const part = `${path}.part`;
    const printed =
      'parts' in order
        ? await printParts({ scope, sql, now }, { printer, cache, byteLimit: Number.POSITIVE_INFINITY }, order, part)
        : await printOrReuse(
            printer,
            { ...order, scope, now: now(), path: part },
            { sql, cache },
            { onProgress: report },
          );
    await rename(part, path);
    return printed;
  };
}

async function printParts(
  printing: PrintingFor,
  settings: AnswerSettings,
  { parts, format }: Extract<ReportOrder, { parts: unknown }>,
  path: string,
): Promise<ReportJob['result']> {
  const { outcomes, file } = await printCombined(printing, settings, parts, format);
  try {
    await pipeline(file.open(), createWriteStream(path, { mode: 0o600 }));
  } finally {
    await file.remove();
  }
  const reports = outcomes.flatMap((outcome) => ('report' in outcome ? [outcome.report] : []));
  const sum = (count: (report: PrintedReport) => number) => reports.reduce((total, each) => total + count(each), 0);
  return {
    title: reports.map(({ title }) => title).join(', '),
    pages: sum(({ pages }) => pages),
    rows: sum(({ rows }) => rows),
    bytes: file.bytes,
    missingCharacters: [...new Set(reports.flatMap(({ missingCharacters }) => missingCharacters))],
    outcomes,
  };
}
