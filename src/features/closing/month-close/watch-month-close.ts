import { setTimeout as sleep } from 'node:timers/promises';
import type { CompanyId } from '../../../accounting/ids.ts';
import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import { perDatabase } from '../../../platform/per-database.ts';
import { type MonthCloseState, selectMonthClose } from './month-close.read.sql.ts';

const POLL_MS = 250;
/** Four hours; then the client reconnects. */
const MAX_POLLS = 4 * 60 * 60 * 4;

export async function readMonthClose(context: Context, companyId: CompanyId, id: number): Promise<MonthCloseState> {
  return (await selectMonthClose(context.sql, companyId, id)) ?? reject('NOT_FOUND', recordRef('Month close', id));
}

/**
 * The states of a month close until it ends, each once. However many watch it under one scope, one of them polls the
 * database; the polling ends with the last of them, at once. `goesOn` says whether the service still runs.
 */
export async function* watchMonthClose(
  context: Context,
  companyId: CompanyId,
  id: number,
  { gone, goesOn }: { readonly gone: AbortSignal; readonly goesOn: () => boolean },
): AsyncGenerator<MonthCloseState> {
  const watched = watchersOf(context);
  const key = JSON.stringify([companyId, id, context.scope]);
  let poller = watched.get(key);
  if (poller === undefined) {
    poller = openPoller(
      () => readMonthClose(context, companyId, id),
      goesOn,
      () => watched.delete(key),
    );
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

interface Poller {
  listeners: number;
  latest: MonthCloseState | undefined;
  /** How many different states there have been. */
  version: number;
  hasEnded: boolean;
  /** Resolves at the next state or the end, and fails where reading does. */
  changed: Promise<void>;
  stop(): void;
}

const watchersOf = perDatabase(() => new Map<string, Poller>());

function openPoller(read: () => Promise<MonthCloseState>, goesOn: () => boolean, closed: () => void): Poller {
  const stopping = new AbortController();
  let news = Promise.withResolvers<void>();
  const poller: Poller = {
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
      if (state.job.status === 'DONE' || state.job.status === 'ERROR') return;
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
