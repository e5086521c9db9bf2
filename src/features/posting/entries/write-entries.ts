import type { Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { postedEvents, recordEvents } from '../../operations/events/record-events.sql.ts';
import { type DecidedEntry, placeOf } from './decide-entry.ts';
import type { EntryRow } from './entries.read.sql.ts';
import { insertEntries } from './entries.sql.ts';

/** Writes the entries, tells them by document, and ends the transaction, in one write; answers the first line of each. */
export function writeEntries(sql: Transaction, tenant: Tenant, entries: readonly DecidedEntry[]): Promise<EntryRow[]> {
  const byDocument = [...Map.groupBy(entries, ({ documentId }) => documentId).values()];
  const events = byDocument.flatMap((ofDocument) => {
    const named = ofDocument.map(({ number, day }) => ({ entry: number, day }));
    return postedEvents(tenant, { source: 'ENTRY', ...placeOf(ofDocument[0]!.place) }, named);
  });
  recordEvents(sql, events);
  return sql.commitWith((last) => insertEntries(last, tenant, entries));
}
