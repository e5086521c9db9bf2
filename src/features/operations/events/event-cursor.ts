import { reject } from '../../../accounting/problem.ts';
import type { EventStream } from './events.read.sql.ts';

/** A place in the order as clients carry it: opaque to them. */
export function cursorOf({ tag }: Pick<EventStream, 'tag'>, position: number): string {
  return `${tag}-${position}`;
}

/** Rather than an event: the end of the order as it stands. */
export const LATEST = 'latest';

/** The form of every cursor, whatever installation made it. */
export const CURSOR = /^[0-9a-f]{8}-\d{1,15}$/;

/**
 * The place that a client has read up to; without a cursor, before the oldest event that is kept. Throws where the
 * client must compare its records with the books: events after the cursor were removed, or it is of other books.
 */
export function positionOf(cursor: string | undefined, stream: EventStream): number {
  if (cursor === undefined) return stream.removed;
  if (cursor === LATEST) return stream.last;
  const [tag, position] = cursor.split('-');
  if (tag !== stream.tag || Number(position) > stream.last) reject('CURSOR_UNKNOWN', {}, 'after');
  if (Number(position) < stream.removed) reject('CURSOR_EXPIRED', {}, 'after');
  return Number(position);
}
