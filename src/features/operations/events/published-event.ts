import { cursorOf } from './event-cursor.ts';
import type { EventType } from './event-data.ts';
import type { EventRow, EventStream } from './events.read.sql.ts';

/** An event as other systems get it, by whatever way. */
export interface PublishedEvent {
  /** The same whenever it is given, and a cursor: events after it are read with it. */
  readonly id: string;
  readonly type: EventType;
  readonly at: string;
  readonly company: string;
  readonly branch: string | null;
  readonly data: unknown;
}

export function publishedEvent(stream: Pick<EventStream, 'tag'>, row: EventRow): PublishedEvent {
  const { position, type, at, company, branch, data } = row;
  return { id: cursorOf(stream, position), type, at: at.toISOString(), company, branch, data };
}
