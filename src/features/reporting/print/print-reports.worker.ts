import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { workerData } from 'piscina';
import { BusinessError, type Problem } from '../../../accounting/problem.ts';
import { type Database, openDatabase } from '../../../platform/database/database.ts';
import { StatementCancelled, TransactionBusy } from '../../../platform/database/errors.ts';
import { openReplicaHealth } from '../../../platform/database/replica-health.ts';
import type { Work } from '../../../platform/database/time-limits.ts';
import { isDiskFull } from '../../../platform/disk-space.ts';
import { interpolate } from '../../../platform/render/layout.ts';
import { openDocument } from '../../../platform/render/render-table.ts';
import type { Rows } from '../../../platform/render/rows.ts';
import { readReportedBooks } from '../../master-data/companies/institution.ts';
import { makeAnnexes } from './annexes.ts';
import {
  assertWithinSize,
  type PrintAnswer,
  type PrintedFile,
  type PrintedReport,
  type PrinterSettings,
  type PrintTask,
  type ReportToPrint,
} from './print-task.ts';
import { readTemplate } from './report-template.ts';
import { makeReport } from './reports.ts';

const settings = workerData as PrinterSettings;
// A report is read on one connection; idle ones close, so that an idle printer keeps none.
const database = openDatabase(settings.connectionString!, {
  max: 1,
  name: 'partidas-printer',
  limits: settings.limits,
  pooler: settings.pooler,
  replica: settings.replica && {
    address: settings.replica.address,
    // What is wrong is reported once, by the process.
    health: openReplicaHealth(settings.replica, () => {}),
  },
});

interface PrintOrder {
  readonly task: PrintTask;
  readonly port: MessagePort;
  readonly work: Work;
}

interface Printing extends PrintOrder {
  /** Where its books are read. */
  database: Database;
}

/**
 * Runs in a worker thread: reads a snapshot of the books for each report and prints it into the task's file. Reports
 * its progress through the port, first that it has begun; any message received through it cancels the task.
 */
export async function printReports(order: PrintOrder): Promise<PrintAnswer> {
  const { port } = order;
  port.postMessage({ rows: 0 });
  try {
    return await printFile(order);
  } catch (error) {
    if (error instanceof BusinessError) return { problems: error.problems };
    if (error instanceof StatementCancelled || error instanceof TransactionBusy) return { later: 'BUSY' };
    if (isDiskFull(error)) return { later: 'DISK_FULL' };
    throw error;
  } finally {
    port.close();
  }
}

/** A report that is rejected when pages of it are out already is left out of a file that is begun anew. */
async function printFile(order: PrintOrder): Promise<PrintedFile> {
  const { reports } = order.task;
  const rejected = new Map<number, readonly Problem[]>();
  const printing = { ...order, database };
  for (;;) {
    const printed = rejected.size < reports.length ? await printAccepted(printing, rejected) : NOTHING;
    if (printed === undefined) continue;
    const outcomes = reports.map((_, at) => {
      const report = printed.reports.get(at);
      return report === undefined ? { problems: rejected.get(at)! } : { report };
    });
    return { bytes: printed.bytes, outcomes };
  }
}

/** A read broke off and begins anew when pages of it are out already. */
class ReadAgain extends Error {}

interface Accepted {
  readonly bytes: number;
  /** By their places among the task's reports. */
  readonly reports: ReadonlyMap<number, PrintedReport>;
}

const NOTHING: Accepted = { bytes: 0, reports: new Map() };

/** Prints those that are not rejected, and notes which are. undefined: the file is broken, by the last one noted or by its read. */
async function printAccepted(
  order: Printing,
  rejected: Map<number, readonly Problem[]>,
): Promise<Accepted | undefined> {
  const { path, byteLimit } = order.task;
  const output = createWriteStream(path, { mode: 0o600 });
  // Without a listener a full disk would end the thread; the printing finds the error on the stream.
  output.on('error', () => {});
  const reports = new Map<number, PrintedReport>();
  let isWhole = false;
  try {
    const file = openFile(order, output);
    for (const [at, report] of order.task.reports.entries()) {
      if (rejected.has(at)) continue;
      try {
        reports.set(at, await file.print(report));
      } catch (error) {
        if (error instanceof ReadAgain) {
          order.database = database.primary;
          return undefined;
        }
        if (!(error instanceof BusinessError)) throw error;
        rejected.set(at, error.problems);
        if (file.isSpoilt()) return undefined;
      }
      assertWithinSize(byteLimit, bytesOf(output));
    }
    if (reports.size === 0) return NOTHING;
    await file.end();
    assertWithinSize(byteLimit, output.bytesWritten);
    isWhole = true;
    return { bytes: output.bytesWritten, reports };
  } finally {
    if (!isWhole) await discard(output, path);
  }
}

/** Bytes written to the stream, including those not on disk yet. */
function bytesOf(output: WriteStream): number {
  return output.bytesWritten + output.writableLength;
}

async function discard(output: WriteStream, path: string): Promise<void> {
  output.destroy();
  // A file whose opening is still under way would come into being after its removal.
  if (!output.closed) await once(output, 'close').catch(() => {});
  await rm(path, { force: true });
}

/** The document that goes into the stream. */
function openFile({ task, port, work, database }: Printing, output: WriteStream) {
  let isSpoilt = false;
  let rows = 0;
  let bytesBefore = 0;
  /** `bytes` are the report's own. */
  const watch = (bytes: number) => {
    if (receiveMessageOnPort(port) !== undefined) throw new Error('nobody waits for the report');
    assertWithinSize(task.byteLimit, bytes);
  };
  const document = openDocument(task.format, output, { titled: task.titled, head: task.head, watch });
  async function* counted(source: Rows): Rows {
    for await (const chunk of source) {
      rows += chunk.length;
      if (output.errored) throw output.errored;
      watch(bytesOf(output) - bytesBefore);
      port.postMessage({ rows });
      yield chunk;
    }
  }
  return {
    /** Has a report been rejected of which something is printed? */
    isSpoilt: () => isSpoilt,
    end: () => document.end(),
    /** Throws what its books reject. */
    async print({ request, tenant }: ReportToPrint): Promise<PrintedReport> {
      const { layout, fault } = await readTemplate(request.kind, settings.templates);
      const rowsBefore = rows;
      bytesBefore = bytesOf(output);
      watch(0);
      const { content, annexes, printed } = await database.doing(work).snapshot(task.scope, async (sql) => {
        if (isSpoilt) throw new ReadAgain();
        const books = await readReportedBooks(sql, tenant);
        const source = { sql, tenant: books, now: task.now, templates: settings.templates, watch };
        const content = await makeReport(source, request);
        const annexes = makeAnnexes(source, request, counted);
        isSpoilt = true;
        const rows = counted(content.rows);
        const printed = await document.add(layout, { ...content, rows, annexes: annexes.reports });
        watch(bytesOf(output) - bytesBefore);
        isSpoilt = false;
        return { content, annexes, printed };
      });
      const faults = [fault, content.templateFault, ...annexes.faults].filter((each) => each !== undefined);
      const { bound = [] } = content;
      const { annexes: folhas = [], ...whole } = printed;
      const warnings = [...(content.warnings ?? []), ...annexes.warnings];
      return {
        title: interpolate(layout.title, content.values),
        ...whole,
        rows: rows - rowsBefore,
        ...(faults.length === 0 ? {} : { templateFault: faults.join('; ') }),
        ...(bound.length === 0 ? {} : { volumes: bound }),
        ...(folhas.length === 0 ? {} : { annexes: annexes.kinds.map((kind, at) => ({ kind, folhas: folhas[at]! })) }),
        ...(warnings.length === 0 ? {} : { warnings }),
      };
    },
  };
}
