import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { type WatchedJob, watchJob } from '../features/operations/jobs/watch-job.ts';
import type { Context } from '../platform/context.ts';
import { type RouteResponse, streamResponse } from './route.ts';

interface Watcher {
  readonly context: Context;
  readonly raw: FastifyRequest;
  readonly clientDisconnected: AbortSignal;
}

/**
 * A job as server-sent events of that name: each state once, until the job ends. When the service ends before it, the
 * client reconnects. Throws what reading the job throws.
 */
export async function jobEvents<State>(
  { context, raw, clientDisconnected }: Watcher,
  name: string,
  job: WatchedJob<State>,
  toWire: (state: State) => unknown,
): Promise<RouteResponse> {
  // A job that is not there is an answer of its own, not a stream that breaks.
  await job.read();
  const goesOn = () => raw.server.server.listening;
  const states = watchJob(context, job, { gone: clientDisconnected, goesOn });
  return streamResponse(Readable.from(eventsOf(name, states, toWire)), 'text/event-stream', {
    'cache-control': 'no-store',
  });
}

async function* eventsOf<State>(
  name: string,
  states: AsyncIterable<State>,
  toWire: (state: State) => unknown,
): AsyncGenerator<string> {
  let last = '';
  for await (const state of states) {
    const text = JSON.stringify(toWire(state));
    if (text !== last) yield `event: ${name}\ndata: ${text}\n\n`;
    last = text;
  }
}
