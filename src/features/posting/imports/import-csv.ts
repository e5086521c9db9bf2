import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tenant } from '../../access/access.ts';
import { selectBatch } from '../batches/batches.read.sql.ts';
import type { ControlTotals } from './control-totals.ts';
import { type ImportOutcome, importMovements } from './import-movements.ts';
import { COLUMNS, readMovementsCsv } from './read-movements-csv.ts';
import type { SpooledFile } from './spool.ts';
import { lockBatch } from './staging.sql.ts';

/** Imports a CSV file into an existing batch; documents that the batch lacks are created. */
export async function importCsv(
  context: Context,
  tenant: Tenant,
  batchId: number,
  upload: {
    name: string;
    file: SpooledFile;
    dryRun: boolean;
    force: boolean;
    maxRows: number;
    control?: ControlTotals;
  },
): Promise<ImportOutcome> {
  const absent = recordRef('Batch', batchId);
  const batch = (await selectBatch(context.sql, tenant.companyId, batchId)) ?? reject('NOT_FOUND', absent);
  const { file } = upload;
  return importMovements(context, tenant, batch.month, {
    kind: 'CSV',
    name: upload.name,
    sha256: file.sha256,
    file,
    dryRun: upload.dryRun,
    force: upload.force,
    control: upload.control,
    batchId,
    read: (tools, counted) => readMovementsCsv(file, tools, { maxRows: upload.maxRows, counted }),
    placeOf: (_row, cell) => COLUMNS[cell],
    batch: async (sql) => {
      if (!(await lockBatch(sql, tenant.companyId, batchId))) reject('NOT_FOUND', absent);
      return batchId;
    },
  });
}
