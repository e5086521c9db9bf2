import { setTimeout as sleep } from 'node:timers/promises';

/** What is done again and again while the program serves. */
export interface Turns {
  /** Resolves when no turn is active. */
  stop(): Promise<void>;
}

/**
 * Takes a turn now, and each next one when the milliseconds have passed that the last one answered; a turn tells its
 * failures itself. The signal asks a long turn to end.
 */
export function startTurns(turn: (stopping: AbortSignal, count: number) => Promise<number>): Turns {
  const stopping = new AbortController();
  const { signal } = stopping;
  const turns = async () => {
    for (let count = 0; !signal.aborted; count++) {
      const pause = await turn(signal, count);
      await sleep(pause, undefined, { signal }).catch(() => {});
    }
  };
  const ended = turns();
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}
