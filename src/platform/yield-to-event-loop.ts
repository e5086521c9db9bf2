import { setImmediate } from 'node:timers/promises';

/** Longest time that one computes before requests that wait get their turn. */
const TURN_MS = 10;

/** To be awaited between small pieces of computing: lets others have their turn when this one's is over. */
export function yieldToEventLoop(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < TURN_MS) return;
    await setImmediate();
    began = performance.now();
  };
}
