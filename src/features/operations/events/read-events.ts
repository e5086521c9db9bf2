import type { Context } from '../../../platform/context.ts';
import { positionOf } from './event-cursor.ts';
import {
  type EventFilter,
  type EventRow,
  type EventStream,
  selectEventStream,
  selectEvents,
} from './events.read.sql.ts';
import { publishNow } from './watch-events.ts';

/** Positions that one statement looks at, whoever's events they are. */
const SPAN = 50_000;
/** Spans of one answer: beyond them the client goes on from `next`. */
const MOST_SPANS = 20;

export interface ReadEvents {
  readonly events: readonly EventRow[];
  /** The place that was read up to, events of others included. */
  readonly next: number;
}

/** The place of a client's cursor in the order as it stands now, everything committed included. */
export async function findCursor(
  context: Context,
  cursor: string | undefined,
): Promise<{ stream: EventStream; after: number }> {
  await publishNow(context);
  const stream = await selectEventStream(context.sql);
  return { stream, after: positionOf(cursor, stream) };
}

/** Events after the place, in their order, as far as the caller's scope and the filter let them through. */
export async function readEvents(
  context: Context,
  filter: EventFilter,
  place: { readonly after: number; readonly limit: number },
): Promise<ReadEvents> {
  const { last } = await selectEventStream(context.sql);
  let { after } = place;
  for (let span = 0; span < MOST_SPANS && after < last; span++) {
    const upTo = Math.min(after + SPAN, last);
    const events = await selectEvents(context.sql, filter, { after, upTo, limit: place.limit });
    if (events.length === place.limit) return { events, next: events.at(-1)!.position };
    if (events.length > 0) return { events, next: upTo };
    after = upTo;
  }
  return { events: [], next: after };
}
