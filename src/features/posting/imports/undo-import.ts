import { brazilianDate, type Month, slashOf } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { lockBeforeFirstClose, replaceBaseBalances } from '../../master-data/companies/base-balances.sql.ts';
import { recordEvents } from '../../operations/events/record-events.sql.ts';
import { selectBatch } from '../batches/batches.read.sql.ts';
import { lockDocuments } from '../batches/batches.sql.ts';
import { recordImportDeletion } from '../batches/deletion-trail.sql.ts';
import { selectBranchMonths } from '../months/months.read.sql.ts';
import { lockMonthShared, requireOpen } from '../months/months.sql.ts';
import { selectImportRecord } from './import-records.read.sql.ts';
import type { ImportRecordRow } from './import-records.sql.ts';
import { deleteImported, lockImportRecord, markUndone, selectImported, selectImportState } from './undo-import.sql.ts';

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
  const { id, kind, month, lines } = record;
  if (record.status !== 'DONE' || record.dryRun || (record.batchId === null && kind !== 'ECD'))
    reject('IMPORT_SAVED_NOTHING', { import: id });
  if (month === null || lines === null) reject('IMPORT_NOT_MARKED', { import: id });
  const { companyId } = tenant;
  const made = await (kind === 'ECD' ? lockMade(sql, tenant, record, month) : lockBatchOf(sql, tenant, record, month));
  const { documentIds, batchIds } = made;
  const state = await selectImportState(sql, companyId, id, documentIds);
  if (state.closedDay !== null) reject('DAY_CLOSED', { day: brazilianDate(state.closedDay) });
  const { lines: left, changed, reversed } = state;
  if (left < lines || changed > 0 || reversed > 0) {
    reject('IMPORT_CHANGED_SINCE', { import: id, changed, deleted: lines - left, reversed });
  }
  await recordAudit(sql, context, { action: 'DELETE', entity: 'import', entityId: id, ...tenant, before: record });
  await recordImportDeletion(sql, context, { importId: id, documentIds });
  const { batchId } = record;
  if (batchId !== null) {
    const { number: batch } = (await selectBatch(sql, companyId, batchId))!;
    const data = { month, batchId, batch, importId: id, lines };
    recordEvents(sql, [{ type: 'document.deleted', ...tenant, data }]);
  }
  // A CSV file is imported into a batch that was there before.
  await deleteImported(sql, companyId, id, documentIds, kind === 'CSV' ? [] : batchIds);
  if (kind === 'ECD') await forgetOpening(sql, tenant, month);
  await markUndone(sql, companyId, id, context.caller.username);
}

interface Made {
  readonly documentIds: readonly number[];
  readonly batchIds: readonly number[];
}

async function lockBatchOf(
  sql: Transaction,
  tenant: Tenant,
  { batchId }: ImportRecordRow,
  month: Month,
): Promise<Made> {
  requireOpen(await lockMonthShared(sql, { ...tenant, month }), month);
  return { documentIds: await lockDocuments(sql, tenant.companyId, 'batch', [batchId!]), batchIds: [batchId!] };
}

/** Of a bookkeeping file, which has many months and batches. */
async function lockMade(sql: Transaction, tenant: Tenant, { id }: ImportRecordRow, first: Month): Promise<Made> {
  if (!(await lockBeforeFirstClose(sql, tenant.companyId, tenant.branchId))) {
    const { lastClosed } = await selectBranchMonths(sql, tenant.companyId, tenant.branchId);
    if (lastClosed! >= first) reject('MONTH_CONSOLIDATED', { month: slashOf(lastClosed!) });
  }
  const made = await selectImported(sql, tenant, id);
  for (const month of [...new Set(made.map((each) => each.month))].toSorted())
    requireOpen(await lockMonthShared(sql, { ...tenant, month }), month);
  const batchIds = [...new Set(made.map(({ batchId }) => batchId))];
  if (batchIds.length > 0) await lockDocuments(sql, tenant.companyId, 'batch', batchIds);
  return { documentIds: made.map(({ documentId }) => documentId), batchIds };
}

/** The opening balances of books that began with the file. */
async function forgetOpening(sql: Transaction, tenant: Tenant, first: Month): Promise<void> {
  const { companyId, branchId } = tenant;
  const { baseMonth } = await selectBranchMonths(sql, companyId, branchId);
  if (baseMonth === first) await replaceBaseBalances(sql, companyId, branchId, [], []);
}
