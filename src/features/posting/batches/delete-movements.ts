import type { CompanyId } from '../../../accounting/ids.ts';
import { brazilianDate } from '../../../accounting/period.ts';
import { problem, reject, throwIfAny } from '../../../accounting/problem.ts';
import { type RecordName, recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import { type NewEvent, recordEvents } from '../../operations/events/record-events.sql.ts';
import { selectSourcesOfEntries } from '../bulk/entry-sources.read.sql.ts';
import { deleteEntryRows, type HeldEntry, lockEntries } from '../entries/entries.sql.ts';
import { lockMonthShared, requireOpen } from '../months/months.sql.ts';
import {
  deleteBatchRows,
  deleteDocuments,
  lockDocuments,
  selectClosedDay,
  selectMonthsOf,
  selectPlacesOfDocuments,
  selectPresent,
} from './batches.sql.ts';
import { recordBatchDeletion, recordDocumentDeletion, recordEntryDeletion } from './deletion-trail.sql.ts';

/** Removes batches with their documents and lines: all of them, or none. */
export function deleteBatches(context: Context, ids: readonly number[]): Promise<void> {
  return context.transaction(async (sql) => {
    const held = await holdDocuments(sql, 'batch', ids);
    throwNotFound('Batch', ids, await selectPresent(sql, 'batch', ids));
    await recordBatchDeletion(sql, context, ids);
    await removeDocuments(sql, held);
    for (const { companyId } of held) await deleteBatchRows(sql, companyId, ids);
  });
}

/** Removes documents with their lines. */
export function deleteDocumentsById(context: Context, ids: readonly number[]): Promise<void> {
  return context.transaction(async (sql) => {
    const held = await holdDocuments(sql, 'document', ids);
    throwNotFound('Document', ids, await selectPresent(sql, 'document', ids));
    await recordDocumentDeletion(sql, context, ids);
    await removeDocuments(sql, held);
  });
}

/** Removes the logical entries that the lines belong to, so that no document is left unbalanced. */
export function deleteEntries(context: Context, ids: readonly number[]): Promise<void> {
  return context.transaction(async (sql) => {
    const held: CompanyEntries[] = [];
    for (const companyId of await lockMonths(sql, 'entry_line', ids))
      held.push({ companyId, entries: await lockEntries(sql, companyId, ids) });
    const entries = held.flatMap((ofCompany) => ofCompany.entries);
    const closed = entries.find((entry) => entry.dayClosed);
    if (closed) reject('DAY_CLOSED', { day: brazilianDate(closed.day) });
    if (entries.some((entry) => entry.closing)) reject('CLOSING_IS_AUTOMATIC');
    await recordEntryDeletion(sql, context, entries);
    await tellEntriesDeleted(sql, entries);
    const gone: { readonly id: number }[] = [];
    for (const ofCompany of held) gone.push(...(await deleteEntryRows(sql, ofCompany.companyId, ofCompany.entries)));
    throwNotFound('Entry', ids, gone);
  });
}

interface CompanyEntries {
  readonly companyId: CompanyId;
  readonly entries: readonly HeldEntry[];
}

interface CompanyDocuments {
  readonly companyId: CompanyId;
  readonly documentIds: readonly number[];
}

/** The documents, locked, with their months open; none of them has a line on a closed day. */
async function holdDocuments(
  sql: Transaction,
  table: 'batch' | 'document',
  ids: readonly number[],
): Promise<CompanyDocuments[]> {
  const held: CompanyDocuments[] = [];
  for (const companyId of await lockMonths(sql, table, ids))
    held.push({ companyId, documentIds: await lockDocuments(sql, companyId, table, ids) });
  for (const { companyId, documentIds } of held) {
    const closed = await selectClosedDay(sql, companyId, documentIds);
    if (closed) reject('DAY_CLOSED', { day: brazilianDate(closed.day) });
  }
  return held;
}

async function removeDocuments(sql: Transaction, held: readonly CompanyDocuments[]): Promise<void> {
  await tellDeleted(
    sql,
    held.flatMap(({ documentIds }) => documentIds),
  );
  for (const { companyId, documentIds } of held) await deleteDocuments(sql, companyId, documentIds);
}

async function tellDeleted(sql: Transaction, documentIds: readonly number[]): Promise<void> {
  const places = await selectPlacesOfDocuments(sql, documentIds);
  recordEvents(
    sql,
    places.map(({ companyId, branchId, ...place }): NewEvent => {
      return { type: 'document.deleted', companyId, branchId, data: { ...place, importId: null } };
    }),
  );
}

async function tellEntriesDeleted(sql: Transaction, entries: readonly HeldEntry[]): Promise<void> {
  const documents = await selectPlacesOfDocuments(sql, [...new Set(entries.map(({ documentId }) => documentId))]);
  for (const { companyId, branchId, ...place } of documents) {
    const ofDocument = entries.filter(({ documentId }) => documentId === place.documentId);
    const sourceOf = await selectSourcesOfEntries(sql, companyId, ofDocument);
    recordEvents(
      sql,
      ofDocument.map(({ number, day }): NewEvent => {
        const source = sourceOf(place.documentId, number);
        const data = { ...place, entry: number, day, ...source, change: 'DELETED' } as const;
        return { type: 'entry.changed', companyId, branchId, data };
      }),
    );
  }
}

/** The companies of the records, whose months are open and stay so. */
async function lockMonths(
  sql: Transaction,
  table: 'batch' | 'document' | 'entry_line',
  ids: readonly number[],
): Promise<CompanyId[]> {
  const months = await selectMonthsOf(sql, table, ids);
  for (const key of months) requireOpen(await lockMonthShared(sql, key), key.month);
  return [...new Set(months.map(({ companyId }) => companyId))];
}

/** Between the check of access and the locks, another request may have deleted or archived some of them. */
function throwNotFound(record: RecordName, ids: readonly number[], found: readonly { readonly id: number }[]): void {
  const present = new Set(found.map(({ id }) => id));
  const absent = ids.filter((id) => !present.has(id));
  throwIfAny(absent.map((id) => problem('NOT_FOUND', recordRef(record, id), 'id')));
}
