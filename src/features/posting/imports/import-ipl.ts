import { monthNumberOf, yearOf } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { type Context, withTransaction } from '../../../platform/context.ts';
import type { Tenant } from '../../access/access.ts';
import { createBatch } from '../batches/create-batch.ts';
import type { ControlTotals } from './control-totals.ts';
import { type ImportOutcome, importMovements } from './import-movements.ts';
import { checkTrailer, type IplEnvelope, iplPlace, PLACES, readIpl } from './read-ipl.ts';
import type { SpooledFile } from './spool.ts';
import { describeDocuments } from './staging.sql.ts';

/** Imports a fixed-width file as one new batch; the same name and content a second time is rejected. */
export async function importIpl(
  context: Context,
  tenant: Tenant,
  upload: {
    name: string;
    file: SpooledFile;
    dryRun: boolean;
    force: boolean;
    maxRows: number;
    control?: ControlTotals;
  },
): Promise<{ outcome: ImportOutcome; batchId: number | undefined }> {
  const { file } = upload;
  const place =
    (await iplPlace(file)) ??
    reject(
      'FILE_UNREADABLE',
      {
        reason: 'NO_IPL_FILE',
      },
      'file',
    );
  let envelope: IplEnvelope;
  let batchId: number | undefined;
  const outcome = await importMovements(context, tenant, place.month, {
    kind: 'IPL',
    name: upload.name,
    sha256: file.sha256,
    file,
    dryRun: upload.dryRun,
    force: upload.force,
    control: upload.control,
    read: (tools, counted) => {
      envelope = { description: undefined, documents: new Map(), trailer: undefined, typeTwoLines: 0 };
      return readIpl(file, tools, { ...tenant, batch: place.batch, maxRows: upload.maxRows }, envelope, counted);
    },
    placeOf: (_row, cell) => PLACES[cell],
    checkTotals: (totals, problems) => checkTrailer(envelope, totals, problems),
    batch: async (sql) => {
      const batch = await createBatch(withTransaction(context, sql), tenant, {
        year: yearOf(place.month),
        month: monthNumberOf(place.month),
        number: place.batch,
        description: envelope.description,
      });
      batchId = batch.id;
      return batch.id;
    },
    finish: (sql, id, mark) =>
      describeDocuments(
        sql,
        tenant.companyId,
        id,
        [...envelope.documents].map(([number, document]) => ({ number, ...document })),
        mark,
      ),
  });
  return { outcome, batchId };
}
