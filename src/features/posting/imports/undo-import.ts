import { brazilianDate } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { recordEvents } from '../../operations/events/record-events.sql.ts';
import { selectBatch } from '../batches/batches.read.sql.ts';
import { lockDocuments } from '../batches/batches.sql.ts';
import { recordImportDeletion } from '../batches/deletion-trail.sql.ts';
import { lockMonthShared, requireOpen } from '../months/months.sql.ts';
import { selectImportRecord } from './import-records.read.sql.ts';
import type { ImportRecordRow } from './import-records.sql.ts';
import { deleteImported, lockImportRecord, markUndone, selectImportState } from './undo-import.sql.ts';

/**
 * Removes exactly the lines that the import wrote, and the documents that it made and that are empty then; a batch that
 * it made goes when nothing is left in it. Rejects a closed month or day, and lines changed, deleted or reversed since.
 * An import that is undone already is answered as it stands.
 */
export function undoImport(context: Context, tenant: Tenant, id: number): Promise<ImportRecordRow> {
  return context.transaction(async (sql) => {
    const absent = recordRef('Import', id);
    const status = (await lockImportRecord(sql, tenant.companyId, id)) ?? reject('NOT_FOUND', absent, 'id');
    if (status !== 'UNDONE') await undo(sql, context, tenant, (await selectImportRecord(sql, tenant, id))!);
    return (await selectImportRecord(sql, tenant, id))!;
  });
}

async function undo(sql: Transaction, context: Context, tenant: Tenant, record: ImportRecordRow): Promise<void> {
  const { id, month, batchId, lines } = record;
  if (record.status !== 'DONE' || record.dryRun || batchId === null) reject('IMPORT_SAVED_NOTHING', { import: id });
  if (month === null || lines === null) reject('IMPORT_NOT_MARKED', { import: id });
  requireOpen(await lockMonthShared(sql, { ...tenant, month }), month);
  const { companyId } = tenant;
  const documentIds = await lockDocuments(sql, companyId, 'batch', [batchId]);
  const state = await selectImportState(sql, companyId, id, documentIds);
  if (state.closedDay !== null) reject('DAY_CLOSED', { day: brazilianDate(state.closedDay) });
  const { lines: left, changed, reversed } = state;
  if (left < lines || changed > 0 || reversed > 0) {
    reject('IMPORT_CHANGED_SINCE', { import: id, changed, deleted: lines - left, reversed });
  }
  await recordAudit(sql, context, { action: 'DELETE', entity: 'import', entityId: id, ...tenant, before: record });
  await recordImportDeletion(sql, context, { importId: id, documentIds });
  const { number: batch } = (await selectBatch(sql, companyId, batchId))!;
  const data = { month, batchId, batch, importId: id, lines };
  recordEvents(sql, [{ type: 'document.deleted', ...tenant, data }]);
  await deleteImported(sql, companyId, record, documentIds);
  await markUndone(sql, companyId, id, context.caller.username);
}
