import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { workerData } from 'piscina';
import { BusinessError } from '../../../accounting/problem.ts';
import { openDatabase } from '../../../platform/database/database.ts';
import { StatementCancelled, TransactionBusy } from '../../../platform/database/errors.ts';
import type { Work } from '../../../platform/database/time-limits.ts';
import { isDiskFull } from '../../../platform/disk-space.ts';
import { renderTable } from '../../../platform/render/render-table.ts';
import type { Rows } from '../../../platform/render/rows.ts';
import {
  assertWithinSize,
  type PrintedReport,
  type PrinterSettings,
  type PrintOutcome,
  type PrintTask,
} from './print-task.ts';
import { readTemplate } from './report-template.ts';
import { makeReport } from './reports.ts';

const settings = workerData as PrinterSettings;
// A report is read on one connection; idle ones close, so that a quiet printer holds none.
const database = openDatabase(settings.connectionString!, {
  max: 1,
  name: 'partidas-printer',
  limits: settings.limits,
});

interface PrintOrder {
  readonly task: PrintTask;
  readonly port: MessagePort;
  readonly work: Work;
}

/**
 * Runs in a worker thread: reads one snapshot of the books and prints it into the task's file. Tells its progress
 * through the port, first that it has begun; whatever comes back through it says that nobody waits any more.
 */
export async function printReport({ task, port, work }: PrintOrder): Promise<PrintOutcome> {
  port.postMessage({ rows: 0 });
  const output = createWriteStream(task.path, { mode: 0o600 });
  // Unheard, a full disk would end the thread; the printing finds the error on the stream.
  output.on('error', () => {});
  try {
    return await print({ task, port, work }, output);
  } catch (error) {
    output.destroy();
    // A file whose opening is still under way would come into being behind its removal.
    if (!output.closed) await once(output, 'close').catch(() => {});
    await rm(task.path, { force: true });
    if (error instanceof BusinessError) return { problems: error.problems };
    if (error instanceof StatementCancelled || error instanceof TransactionBusy) return { later: 'BUSY' };
    if (isDiskFull(error)) return { later: 'DISK_FULL' };
    throw error;
  } finally {
    port.close();
  }
}

async function print({ task, port, work }: PrintOrder, output: WriteStream): Promise<PrintedReport> {
  const { layout, fault: layoutFault } = await readTemplate(task.request.kind, settings.templates);
  const faults = layoutFault === undefined ? [] : [layoutFault];
  let warnings: readonly string[] = [];
  let rows = 0;
  const watch = (bytes: number) => {
    if (receiveMessageOnPort(port) !== undefined) throw new Error('nobody waits for the report');
    assertWithinSize(task.byteLimit, bytes);
  };
  async function* counted(source: Rows): Rows {
    for await (const chunk of source) {
      rows += chunk.length;
      if (output.errored) throw output.errored;
      watch(output.bytesWritten);
      port.postMessage({ rows });
      yield chunk;
    }
  }
  const printed = await database.doing(work).snapshot(task.scope, async (sql) => {
    const source = { sql, tenant: task.tenant, now: task.now, templates: settings.templates, watch };
    const content = await makeReport(source, task.request);
    if (content.templateFault !== undefined) faults.push(content.templateFault);
    warnings = content.warnings ?? [];
    return renderTable(task.format, layout, { ...content, rows: counted(content.rows) }, output, watch);
  });
  watch(output.bytesWritten);
  return {
    title: layout.title,
    pages: printed.pages,
    rows,
    bytes: output.bytesWritten,
    missingCharacters: printed.missingCharacters,
    ...(faults.length === 0 ? {} : { templateFault: faults.join('; ') }),
    ...(warnings.length === 0 ? {} : { warnings }),
  };
}
