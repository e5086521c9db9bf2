import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { EventType } from './event-data.ts';

export interface EventRow {
  readonly position: number;
  readonly type: EventType;
  readonly at: Date;
  readonly company: string;
  readonly branch: string | null;
  readonly data: unknown;
}

/** Where the order of events stands. */
export interface EventStream {
  /** Part of every cursor of this installation. */
  readonly tag: string;
  readonly last: number;
  /** Events up to this one have been removed. */
  readonly removed: number;
}

export function selectEventStream(sql: Sql): Promise<EventStream> {
  return sql.one<EventStream>(SQL.named('event-stream')`
    SELECT event_stream.tag, event_stream.last_position AS last, event_stream.removed_position AS removed
      FROM event_stream`);
}

/** Which events somebody wants; what is absent is all that the caller's scope reaches. */
export interface EventFilter {
  readonly companyId?: CompanyId | undefined;
  readonly branchId?: BranchId | undefined;
  readonly types?: readonly EventType[] | undefined;
}

/**
 * The first events of a span of the order that the filter and the connection's scope let through. An event of a company
 * as a whole is for those who see the whole company.
 */
export function selectEvents(
  sql: Sql,
  { companyId, branchId, types }: EventFilter,
  span: { readonly after: number; readonly upTo: number; readonly limit: number },
): Promise<EventRow[]> {
  const filters = [
    SQL`event.position > ${span.after}`,
    SQL`event.position <= ${span.upTo}`,
    SQL`can_access(event.company_id, coalesce(event.branch_id, 0))`,
    ...(companyId === undefined ? [] : [SQL`event.company_id = ${companyId}`]),
    ...(branchId === undefined ? [] : [SQL`event.branch_id = ${branchId}`]),
    ...(types === undefined ? [] : [SQL`event.type = ANY (${types})`]),
  ];
  return sql.rows<EventRow>(SQL`
    SELECT event.position, event.type, event.at, event.company, event.branch, event.data
      FROM event
     WHERE ${SQL.join(filters, ' AND ')}
     ORDER BY event.position LIMIT ${span.limit}`);
}
