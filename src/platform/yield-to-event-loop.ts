import { setImmediate } from 'node:timers/promises';

/** Longest computation, in milliseconds, before waiting requests get their turn. */
const TURN_MS = 10;

/** Await it between small steps of a computation: it yields to the event loop when the time slice is over. */
export function yieldToEventLoop(): () => Promise<void> {
  let began = performance.now();
  return async () => {
    if (performance.now() - began < TURN_MS) return;
    await setImmediate();
    began = performance.now();
  };
}
