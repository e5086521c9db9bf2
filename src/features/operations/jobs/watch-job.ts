import { setTimeout as sleep } from 'node:timers/promises';
import type { CompanyId } from '../../../accounting/ids.ts';
import type { Context } from '../../../platform/context.ts';
import { perDatabase } from '../../../platform/per-database.ts';
import type { JobRow } from './jobs.sql.ts';

const POLL_MS = 250;
/** Four hours; then the client reconnects. */
const MAX_POLLS = 4 * 60 * 60 * 4;

/** A job, and how it is read: every kind says more than its row does. */
export interface WatchedJob<State> {
  readonly companyId: CompanyId;
  readonly id: number;
  /** Throws when there is no such job. */
  read(): Promise<State>;
  status(state: State): JobRow['status'];
}

/**
 * The states of a job until it ends, each once. However many watch it under one scope, one of them polls the database;
 * the polling ends with the last of them, at once. `goesOn` says whether the service still runs.
 */
export async function* watchJob<State>(
  context: Context,
  job: WatchedJob<State>,
  { gone, goesOn }: { readonly gone: AbortSignal; readonly goesOn: () => boolean },
): AsyncGenerator<State> {
  const watched = watchersOf(context);
  const key = JSON.stringify([job.companyId, job.id, context.scope]);
  // An id has one kind, and each kind one reader: whoever watches the same job reads the same state.
  let poller = watched.get(key) as Poller<State> | undefined;
  if (poller === undefined) {
    poller = openPoller(job, goesOn, () => watched.delete(key));
    watched.set(key, poller);
  }
  const left = new Promise<void>((resolve) => gone.addEventListener('abort', () => resolve(), { once: true }));
  poller.listeners++;
  try {
    for (let seen = 0; !gone.aborted; ) {
      const news = poller.changed;
      if (poller.version > seen) {
        seen = poller.version;
        yield poller.latest!;
        continue;
      }
      if (poller.hasEnded) return;
      await Promise.race([news, left]);
    }
  } finally {
    if (--poller.listeners === 0) poller.stop();
  }
}

interface Poller<State> {
  listeners: number;
  latest: State | undefined;
  /** How many different states there have been. */
  version: number;
  hasEnded: boolean;
  /** Resolves at the next state or the end, and fails where reading does. */
  changed: Promise<void>;
  stop(): void;
}

const watchersOf = perDatabase(() => new Map<string, Poller<unknown>>());

function openPoller<State>(
  { read, status }: WatchedJob<State>,
  goesOn: () => boolean,
  closed: () => void,
): Poller<State> {
  const stopping = new AbortController();
  let news = Promise.withResolvers<void>();
  const poller: Poller<State> = {
    listeners: 0,
    latest: undefined,
    version: 0,
    hasEnded: false,
    changed: news.promise,
    stop() {
      stopping.abort();
      closed();
    },
  };
  const poll = async () => {
    let last = '';
    for (let turn = 0; turn < MAX_POLLS && goesOn() && !stopping.signal.aborted; turn++) {
      const state = await read();
      const text = JSON.stringify(state);
      if (text !== last) {
        poller.latest = state;
        poller.version++;
        const previous = news;
        news = Promise.withResolvers<void>();
        poller.changed = news.promise;
        previous.resolve();
      }
      last = text;
      if (status(state) === 'DONE' || status(state) === 'ERROR') return;
      await sleep(POLL_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
  };
  void poll().then(
    () => end(() => news.resolve()),
    (error) => end(() => news.reject(error)),
  );
  // Without a listener the failure is ignored.
  const end = (tell: () => void) => {
    poller.hasEnded = true;
    closed();
    news.promise.catch(() => {});
    tell();
  };
  return poller;
}
