import { brazilianDate } from '../../accounting/period.ts';
import { problem, refuse, refuseIfAny } from '../../accounting/problem.ts';
import { named, type RecordName } from '../../accounting/record-name.ts';
import type { Context } from '../../platform/context.ts';
import type { Transaction } from '../../platform/sql.ts';
import type { CompanyTenant } from '../access/access.ts';
import { recordAudit } from '../access/audit.sql.ts';
import { deleteEntryRows, lockEntries } from '../entries/entries.sql.ts';
import { lockMonthShared, requireOpen } from '../months/months.sql.ts';
import {
  deleteBatchRows,
  deleteDocuments,
  lockDocuments,
  selectClosedDay,
  selectImages,
  selectMonthsOf,
} from './batches.sql.ts';

/** Removes batches with their documents and lines: all of them, or none with the reason. */
export function deleteBatches(
  context: Context,
  tenants: readonly CompanyTenant[],
  ids: readonly number[],
): Promise<void> {
  return context.transaction(async (sql) => {
    await holdMonths(sql, 'batch', ids);
    const documents = await lockDocuments(sql, 'batch', ids);
    await refuseClosedDays(sql, documents);
    const before = await selectImages(sql, 'batch', ids);
    refuseAbsent('Batch', ids, before);
    await deleteDocuments(sql, documents);
    await deleteBatchRows(sql, ids);
    await auditDeletion(sql, context, tenants, 'batch', ids, before);
  });
}

/** Removes documents with their lines. */
export function deleteDocumentsById(
  context: Context,
  tenants: readonly CompanyTenant[],
  ids: readonly number[],
): Promise<void> {
  return context.transaction(async (sql) => {
    await holdMonths(sql, 'document', ids);
    const documents = await lockDocuments(sql, 'document', ids);
    await refuseClosedDays(sql, documents);
    const before = await selectImages(sql, 'document', ids);
    refuseAbsent('Document', ids, before);
    await deleteDocuments(sql, documents);
    await auditDeletion(sql, context, tenants, 'document', ids, before);
  });
}

/** Removes the logical entries that the lines belong to, so that no document is left unbalanced. */
export function deleteEntries(
  context: Context,
  tenants: readonly CompanyTenant[],
  ids: readonly number[],
): Promise<void> {
  return context.transaction(async (sql) => {
    await holdMonths(sql, 'entry_line', ids);
    const entries = await lockEntries(sql, ids);
    const closed = entries.find((entry) => entry.dayClosed);
    if (closed) refuse('DAY_CLOSED', { day: brazilianDate(closed.day) });
    if (entries.some((entry) => entry.closing)) refuse('CLOSING_IS_AUTOMATIC');
    const lines = await deleteEntryRows(sql, entries);
    refuseAbsent('Entry', ids, lines);
    await auditDeletion(sql, context, tenants, 'entry', ids, lines);
  });
}

async function holdMonths(sql: Transaction, table: 'batch' | 'document' | 'entry_line', ids: readonly number[]) {
  for (const key of await selectMonthsOf(sql, table, ids)) requireOpen(await lockMonthShared(sql, key), key.month);
}

/** Between the check of access and the locks, another request may have deleted or purged some of them. */
function refuseAbsent(record: RecordName, ids: readonly number[], found: readonly { readonly id: number }[]): void {
  const present = new Set(found.map(({ id }) => id));
  const absent = ids.filter((id) => !present.has(id));
  refuseIfAny(absent.map((id) => problem('NOT_FOUND', named(record, id), 'id')));
}

async function refuseClosedDays(sql: Transaction, documentIds: readonly number[]): Promise<void> {
  const closed = await selectClosedDay(sql, documentIds);
  if (closed) refuse('DAY_CLOSED', { day: brazilianDate(closed.day) });
}

async function auditDeletion(
  sql: Transaction,
  context: Context,
  tenants: readonly CompanyTenant[],
  entity: string,
  ids: readonly number[],
  before: readonly object[],
): Promise<void> {
  for (const tenant of tenants) {
    await recordAudit(sql, context, {
      action: 'DELETE',
      entity,
      entityId: ids.length === 1 ? ids[0] : undefined,
      companyId: tenant.companyId,
      branchId: tenant.branchId,
      before,
    });
  }
}
