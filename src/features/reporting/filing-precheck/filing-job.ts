import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { firstDay, lastDay } from '../../../accounting/period.ts';
import type { Scope } from '../../../platform/database/scope.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { DiskSpace } from '../../../platform/disk-space.ts';
import { writeToFile } from '../../../platform/write-to-file.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import type { JobHandler, JobWork } from '../../operations/jobs/jobs.ts';
import { insertDelivery, lockDeliveries } from '../filings/deliveries/deliveries.sql.ts';
import type { NewDelivery } from '../filings/deliveries/delivery.ts';
import type { EcdRequest } from '../filings/ecd/ecd-file.ts';
import { type FilingOrder, type FilingResult, filingOrder } from '../filings/filing-order.ts';
import { orderNumberOf } from '../filings/order-number.ts';
import { printTemporary } from '../print/print-now.ts';
import { keepReport } from '../print/report-job.ts';
import { type CheckedBook, writeCheckedBooks } from './write-checked-books.ts';
import { writeCheckedCosif } from './write-checked-cosif.ts';

type Work = Pick<JobWork<'FILING'>, 'database' | 'sql' | 'report'>;
/** What a file is besides what was found in it. */
interface Written extends Omit<FilingResult, 'isKept' | 'deliveryId' | 'milliseconds' | 'books'> {
  readonly isWritten: boolean;
  readonly books: readonly CheckedBook[];
}

/**
 * Writes a file of a regulator, checks it as it is written, and keeps it with its delivery in the transaction that ends the
 * job. One with errors is not kept, unless it was asked for with them.
 */
export function filingJob(disk: DiskSpace): JobHandler<'FILING'> {
  const run: JobHandler<'FILING'>['run'] = async ({ payload: order, ...job }, work) => {
    await disk.requireSpace();
    const began = performance.now();
    const { sql: ending, now } = work;
    const { companyId } = job;
    await lockDeliveries(ending, companyId);
    const { printed: written, file } = await printTemporary((path) => write(order, path, work));
    try {
      const { isWritten, ...result } = written;
      const isKept = isWritten && (result.errors === 0 || order.withErrors);
      const made = { generatedAt: now(), generatedBy: job.requestedBy };
      const ids: number[] = [];
      for (const delivery of isKept ? deliveriesOf(order, result, job.id) : [])
        ids.push(await insertDelivery(ending, companyId, delivery, made));
      const [deliveryId] = ids;
      if (isKept) await keepReport(ending, job, file);
      const { findings: _, counts: __, ...facts } = result;
      const caller = { id: 0, username: job.requestedBy, admin: false };
      await recordAudit(
        ending,
        { caller, address: 'job' },
        {
          ...{ action: 'GENERATE', entity: 'regulatory_delivery', entityId: deliveryId, companyId },
          after: { ...order, ...facts, isKept },
        },
      );
      const milliseconds = Math.round(performance.now() - began);
      return { ...result, isKept, deliveryId, milliseconds };
    } finally {
      await file.remove();
    }
  };
  return { payload: filingOrder, run };
}

function write(order: FilingOrder, path: string, work: Work): Promise<Written> {
  return 'ecd' in order ? writeBooks(order, path, work) : writeDocument(order, path, work);
}

async function writeBooks(
  { ecd: asked, largestFile }: Extract<FilingOrder, { ecd: unknown }>,
  path: string,
  { database, sql, report }: Work,
): Promise<Written> {
  const request = { ...asked, orderNumber: await orderNumberOf(sql, asked) };
  const { written, ...result } = await database.snapshot(scopeOf(asked), (reads) =>
    writeCheckedBooks(reads, request, (work) => writeToFile(path, work), {
      largestFile,
      onProgress: (lines) => report({ lines }),
    }),
  );
  return { ...result, isWritten: written };
}

async function writeDocument(
  { cosif, sign }: Extract<FilingOrder, { cosif: unknown }>,
  path: string,
  { database }: Work,
): Promise<Written> {
  const { text, lines, found, remittance, replacesId } = await database.snapshot(scopeOf(cosif), (sql: Transaction) =>
    writeCheckedCosif(sql, cosif, sign),
  );
  const bytes = Buffer.from(text ?? '');
  await writeFile(path, bytes, { mode: 0o600 });
  const sha256 = text === undefined ? '' : createHash('sha256').update(bytes).digest('hex');
  const isWritten = text !== undefined;
  return { ...found, ...{ isWritten, lines, bytes: bytes.length, sha256, books: [], remittance, replacesId, sign } };
}

/** Each book is a delivery of its own, a document is one. */
function deliveriesOf(order: FilingOrder, result: Omit<Written, 'isWritten'>, jobId: number): NewDelivery[] {
  if ('ecd' in order) {
    const { replacesId } = order;
    return result.books.map((book) => ({ ...book, kind: 'ECD', jobId, replacesId }));
  }
  const { document, month } = order.cosif;
  const { sha256, bytes, lines, errors, warnings, remittance, replacesId } = result;
  const facts = { sha256, bytes, lines, errors, warnings, remittance, replacesId, jobId };
  return [{ ...facts, kind: document, from: firstDay(month), to: lastDay(month) }];
}

/** All of the company, and nothing else. */
function scopeOf({ companyId }: Pick<EcdRequest, 'companyId'>): Scope {
  return { companies: [companyId], wholeCompanies: [companyId], branches: [] };
}
