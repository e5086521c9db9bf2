import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../platform/context.ts';
import { perDatabase } from '../../../platform/per-database.ts';
import { ELEVATION } from '../../access/elevation-reasons.ts';
import { publishEvents } from './publish-events.sql.ts';

/** How soon a waiting client hears of an event. */
const TURN_MS = 200;
/** The database rests at least so many times as long as it works on a turn. */
const REST = 5;

interface Watch {
  listeners: number;
  reached: number;
  /** Resolves when an event has a place beyond `reached`, and at the end of the watch. */
  changed: Promise<void>;
  stop(): void;
}

const watchOf = perDatabase((): { watch: Watch | undefined } => ({ watch: undefined }));

/** Publishes what waits, and returns the last position. */
export function publishNow(context: Context): Promise<number> {
  return context.elevated(ELEVATION.events, publishEvents);
}

/**
 * Waits until there are events beyond the position, the time is over, or the client has gone. However many wait, one of
 * them asks the database.
 */
export async function awaitEvents(
  context: Context,
  beyond: number,
  { ms, gone, goesOn }: { readonly ms: number; readonly gone: AbortSignal; readonly goesOn: () => boolean },
): Promise<void> {
  const memory = watchOf(context);
  memory.watch ??= openWatch(context, beyond, goesOn, () => {
    memory.watch = undefined;
  });
  const { watch } = memory;
  watch.listeners++;
  const over = new AbortController();
  const end = () => over.abort();
  gone.addEventListener('abort', end);
  try {
    const time = sleep(ms, undefined, { signal: over.signal }).catch(() => {});
    let isOver = gone.aborted;
    void time.then(() => {
      isOver = true;
    });
    while (!isOver && goesOn() && watch.reached <= beyond) await Promise.race([watch.changed, time]);
  } finally {
    gone.removeEventListener('abort', end);
    over.abort();
    if (--watch.listeners === 0) watch.stop();
  }
}

function openWatch(context: Context, reached: number, goesOn: () => boolean, closed: () => void): Watch {
  const stopping = new AbortController();
  let news = Promise.withResolvers<void>();
  const watch: Watch = {
    listeners: 0,
    reached,
    changed: news.promise,
    stop() {
      stopping.abort();
      closed();
    },
  };
  const tell = () => {
    const previous = news;
    news = Promise.withResolvers<void>();
    watch.changed = news.promise;
    previous.resolve();
  };
  const turns = async () => {
    while (goesOn() && !stopping.signal.aborted) {
      const began = performance.now();
      const now = await publishNow(context).catch((error) => {
        context.log.warn({ err: error }, 'events');
        return watch.reached;
      });
      if (now > watch.reached) {
        watch.reached = now;
        tell();
      }
      const pause = Math.max(TURN_MS, REST * (performance.now() - began));
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => {});
    }
    tell();
  };
  void turns();
  return watch;
}
