import { type Month, slashOf } from '../../../accounting/period.ts';
import { BusinessError, reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { recordEvents } from '../../operations/events/record-events.sql.ts';
import { lockDocumentRows } from '../bulk/bulk.sql.ts';
import type { BulkEntry } from '../bulk/bulk-entry.ts';
import { type CheckedEntry, checkEntry } from '../bulk/check-entry.ts';
import { selectSourcesOfEntries } from '../bulk/entry-sources.read.sql.ts';
import { readBulkFacts } from '../bulk/read-bulk-facts.ts';
import { lockEntryLines, replaceEntryLines } from './change-entries.sql.ts';
import { rejectUnchangeable } from './change-entry.ts';
import { placeOf } from './decide-entry.ts';
import type { EntryRow } from './entries.read.sql.ts';
import { lockPostingPlace } from './entries.sql.ts';
import type { WholeEntryInput } from './post-whole-entry.ts';
import { type EntryKey, selectWholeEntry, type WholeEntry } from './whole-entries.read.sql.ts';

/** The entry as it is to be, and when what the caller saw of it had been written; absent: the caller does not say. */
export interface WholeEntryChange extends WholeEntryInput {
  readonly seenAt: Date | undefined;
}

/**
 * Replaces an entry with all its lines in an open month, under the rules of any posting; document and number stay, and
 * lines that stay keep their ids. Throws ENTRY_CHANGED_SINCE where somebody changed it after the caller read it. A
 * reversed or reversing entry cannot change. The trail records it before and after.
 */
export function replaceWholeEntry(
  context: Context,
  tenant: Tenant,
  key: EntryKey,
  change: WholeEntryChange,
): Promise<WholeEntry> {
  return context.transaction(async (sql) => {
    const { companyId } = tenant;
    const { documentId } = key;
    const throwNotFound = () => reject('NOT_FOUND', recordRef('Entry', key.number), 'number');
    const place = (await lockPostingPlace(sql, companyId, documentId)) ?? throwNotFound();
    const { month } = place;
    if (place.state !== 'OPEN') reject('MONTH_CONSOLIDATED', { month: slashOf(month) });
    // Who changes the same entry waits here, and reads it again afterwards.
    await lockDocumentRows(sql, [{ companyId, documentId }], true);
    const before = await lockEntryLines(sql, companyId, documentId, key.number);
    const [first = throwNotFound()] = before;
    if (change.number !== undefined && change.number !== first.number) reject('ID_MISMATCH', {}, 'number');
    rejectChangedSince(first, change.seenAt);
    await rejectUnchangeable(sql, tenant, first);
    const checked = await checkChange(sql, { ...change, tenant, month, documentId, number: first.number });
    const after = await replaceEntryLines(sql, tenant, before, {
      ...checked,
      narrationCode: change.narrationCode,
      factDay: change.factDay ?? null,
      by: context.caller.username,
    });
    await recordAudit(sql, context, {
      action: 'UPDATE',
      entity: 'entry',
      entityId: first.id,
      ...tenant,
      before,
      after,
    });
    const sourceOf = await selectSourcesOfEntries(sql, companyId, [first]);
    const source = sourceOf(documentId, first.number);
    const data = { ...placeOf(place), entry: first.number, day: checked.day, ...source, change: 'UPDATED' } as const;
    recordEvents(sql, [{ type: 'entry.changed', ...tenant, data }]);
    return (await selectWholeEntry(sql, companyId, { documentId, number: first.number }))!;
  });
}

function rejectChangedSince({ number, updatedAt, updatedBy }: EntryRow, seenAt: Date | undefined): void {
  if (seenAt === undefined || updatedAt.getTime() === seenAt.getTime()) return;
  reject('ENTRY_CHANGED_SINCE', { entry: number, user: updatedBy ?? '?' }, 'seenAt');
}

async function checkChange(
  sql: Transaction,
  { documentId, ...change }: Omit<BulkEntry, 'place' | 'source'> & { documentId: number; month: Month },
): Promise<CheckedEntry> {
  const entry: BulkEntry = { ...change, place: { documentId }, source: undefined };
  const factsOf = await readBulkFacts(sql, [entry]);
  const checked = checkEntry(entry, factsOf(entry), 0);
  if ('day' in checked) return checked;
  throw new BusinessError(checked);
}
