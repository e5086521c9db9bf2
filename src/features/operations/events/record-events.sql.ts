import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { EventData, EventType, NamedEntry } from './event-data.ts';

export type NewEvent = {
  [Type in EventType]: {
    readonly type: Type;
    readonly companyId: CompanyId;
    /** Absent: an event of the company as a whole. */
    readonly branchId?: BranchId | undefined;
    readonly data: EventData[Type];
  };
}[EventType];

/**
 * Tells other systems what the transaction does: events and effects are one commit. The events of a call are one
 * statement, sent with the COMMIT, in their order; they cost no round trip (domain: events).
 */
export function recordEvents(sql: Pick<Transaction, 'atCommit'>, events: readonly NewEvent[]): void {
  if (events.length === 0) return;
  sql.atCommit.push(SQL.named('record-events')`
    INSERT INTO event_outbox (company_id, branch_id, type, data)
    SELECT event.company_id, event.branch_id, event.type, event.data
      FROM unnest(${events.map((event) => event.companyId)}::bigint[],
        ${events.map((event) => event.branchId ?? null)}::bigint[], ${events.map((event) => event.type)}::text[],
        ${events.map((event) => JSON.stringify(event.data))}::json[]) AS event (company_id, branch_id, type, data)`);
}

/** Longest list of entries in one event: a receiver reads some tens of kilobytes at once. */
const ENTRIES_OF_EVENT = 500;

/** The entries posted together into one document as events, one for each ENTRIES_OF_EVENT of them. */
export function postedEvents(
  { companyId, branchId }: Required<Pick<NewEvent, 'companyId'>> & { readonly branchId: BranchId },
  data: Omit<Extract<EventData['entry.posted'], { readonly entries: unknown }>, 'entries'>,
  entries: readonly NamedEntry[],
): NewEvent[] {
  const events: NewEvent[] = [];
  for (let at = 0; at < entries.length; at += ENTRIES_OF_EVENT) {
    const named = entries.slice(at, at + ENTRIES_OF_EVENT);
    events.push({ type: 'entry.posted', companyId, branchId, data: { ...data, entries: named } });
  }
  return events;
}
