import { setTimeout as sleep } from 'node:timers/promises';

/** Whoever reads metrics waits no longer. */
const PROMPT_MS = 1_000;

/**
 * A reading that comes within a second or not at all: undefined where it fails or is late. Whoever asks while one is under
 * way waits for that one, so a database that hangs is asked once.
 */
export function promptly<Found>(read: () => Promise<Found>): () => Promise<Found | undefined> {
  let pending: Promise<Found | undefined> | undefined;
  return () => {
    pending ??= read()
      .catch(() => undefined)
      .finally(() => {
        pending = undefined;
      });
    return Promise.race([pending, sleep(PROMPT_MS, undefined, { ref: false })]);
  };
}
