import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { BusinessError } from '../../accounting/problem.ts';
import { CURSOR, cursorOf, LATEST } from '../../features/operations/events/event-cursor.ts';
import { EVENT_TYPES, type EventType } from '../../features/operations/events/event-data.ts';
import type { EventStream } from '../../features/operations/events/events.read.sql.ts';
import { publishedEvent } from '../../features/operations/events/published-event.ts';
import { findCursor, readEvents } from '../../features/operations/events/read-events.ts';
import { awaitEvents } from '../../features/operations/events/watch-events.ts';
import { branchCode, companyCode, wholeText } from '../../http/fields.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { type AnswerOf, type Request, route, streamResponse } from '../../http/route.ts';
import { eventAnswer, eventId } from './event-answer.ts';

const CURSOR_EXPECTED = {
  en: `must be the id of an event, next of an answer, or ${LATEST}`,
  pt: `deve ser o id de um evento, o next de uma resposta ou ${LATEST}`,
};

const cursor = z
  .string()
  .refine((text) => text === LATEST || CURSOR.test(text), `${CURSOR_EXPECTED.en} | ${CURSOR_EXPECTED.pt}`)
  .meta({ example: '5f0c9a1e-4711' });

const types = z
  .string()
  .transform((text) => text.split(','))
  .refine(
    (names) => names.every((name) => EVENT_TYPES.includes(name as EventType)),
    `must be of ${EVENT_TYPES.join(', ')} | deve ser de ${EVENT_TYPES.join(', ')}`,
  )
  .transform((names) => names as EventType[])
  .meta({ example: 'entry.posted,month.closed' });

const MAX_EVENTS = 500;
const MAX_WAIT_SECONDS = 30;

const query = z.strictObject({
  after: cursor.optional(),
  limit: wholeText(1, MAX_EVENTS).default(100).meta({ type: 'integer', example: 100 }),
  wait: wholeText(0, MAX_WAIT_SECONDS).default(0).meta({ type: 'integer', example: 20 }),
  company: companyCode.optional(),
  branch: branchCode.optional(),
  types: types.optional(),
});

const answer = z.object({ events: z.array(eventAnswer), next: eventId });
type Asked = Request<undefined, typeof query, undefined>;

export const getEventsRoute = route({
  operationId: 'getEvents',
  method: 'GET',
  path: '/events',
  // A client that waits keeps only its connection.
  cost: ({ wait }, raw) => (Number(wait) > 0 || acceptsStream(raw) ? 'events' : 'ordinary'),
  summary:
    'What happened in the books, in order, after the event `after` (the oldest that is kept without one, `latest` for the end); `wait` seconds for the next one, or as server-sent events with Accept: text/event-stream and Last-Event-ID',
  tag: 'Events',
  addition: true,
  access: { to: 'tenant', of: ({ company, branch }) => (company === undefined ? [] : { company, branch }) },
  query,
  answer,
  files: ['text/event-stream'],
  reads: ['LastEventId'],
  handle: async (request) => {
    const { query, raw, context, clientDisconnected: gone } = request;
    if (query.branch !== undefined && query.company === undefined) {
      rejectRequest('INVALID_FIELD', { reason: { en: 'branch needs company', pt: 'branch exige company' } }, 'branch');
    }
    const isStream = acceptsStream(raw);
    const { stream, after } = await findCursor(context, (isStream ? lastEventId(raw) : undefined) ?? query.after);
    if (!isStream) return poll(request, stream, after, gone);
    return streamResponse(Readable.from(follow(request, stream, after, gone)), 'text/event-stream', {
      'cache-control': 'no-store',
    });
  },
});

function acceptsStream({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/event-stream') ?? false;
}

function lastEventId({ headers }: FastifyRequest): string | undefined {
  const given = headers['last-event-id'];
  if (given === undefined || given === '') return undefined;
  if (typeof given === 'string' && CURSOR.test(given)) return given;
  return rejectRequest('INVALID_HEADER', { reason: CURSOR_EXPECTED }, 'Last-Event-ID');
}

/** Answers at once where there are events, else when the first one comes or the time is over. */
async function poll(
  request: Asked,
  stream: EventStream,
  after: number,
  gone: AbortSignal,
): Promise<AnswerOf<typeof answer>> {
  const { wait, limit } = request.query;
  const until = performance.now() + wait * 1_000;
  let place = after;
  for (let current = request; ; current = await request.renewed()) {
    const { events, next } = await readEvents(current.context, filterOf(current), { after: place, limit });
    place = next;
    const ms = until - performance.now();
    if (events.length > 0 || ms <= 0 || !goesOn(request, gone)) return answerOf(stream, events, next);
    await awaitEvents(request.context, place, { ms, gone, goesOn: () => goesOn(request, gone) });
  }
}

function answerOf(
  stream: EventStream,
  rows: Awaited<ReturnType<typeof readEvents>>['events'],
  next: number,
): AnswerOf<typeof answer> {
  const events = rows.map((row) => publishedEvent(stream, row));
  return { events: events as AnswerOf<typeof answer>['events'], next: cursorOf(stream, next) };
}

const HEARTBEAT_MS = 15_000;
/** How soon a client that lost the stream should come back. */
const RETRY_MS = 2_000;

/**
 * Events as they come, until the client has gone, its token or rights have ended, or the service stops. A heartbeat
 * moves the client's place on without an event.
 */
async function* follow(request: Asked, stream: EventStream, after: number, gone: AbortSignal): AsyncGenerator<string> {
  yield `retry: ${RETRY_MS}\nid: ${cursorOf(stream, after)}\n\n`;
  let place = after;
  let spokeAt = performance.now();
  while (goesOn(request, gone)) {
    const current = await renewedOrEnded(request);
    if (current === undefined) return;
    const { limit } = request.query;
    const { events, next } = await readEvents(current.context, filterOf(current), { after: place, limit });
    place = next;
    for (const row of events) {
      const event = publishedEvent(stream, row);
      yield `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
    }
    const isSilent = performance.now() - spokeAt >= HEARTBEAT_MS;
    if (events.length === 0 && isSilent) yield `id: ${cursorOf(stream, place)}\n\n`;
    if (events.length > 0 || isSilent) spokeAt = performance.now();
    if (events.length > 0) continue;
    const ms = Math.max(0, HEARTBEAT_MS - (performance.now() - spokeAt));
    await awaitEvents(request.context, place, { ms, gone, goesOn: () => goesOn(request, gone) });
  }
}

/** Undefined when the token or the rights have ended. */
async function renewedOrEnded(request: Asked): Promise<Asked | undefined> {
  try {
    return await request.renewed();
  } catch (error) {
    if (error instanceof BusinessError) return undefined;
    throw error;
  }
}

function filterOf({ query, tenants: [tenant] }: Asked) {
  return { companyId: tenant?.companyId, branchId: tenant?.branchId, types: query.types };
}

function goesOn({ raw }: Asked, gone: AbortSignal): boolean {
  return raw.server.server.listening && !gone.aborted;
}
