import { setTimeout as sleep } from 'node:timers/promises';

/** Longest time, in milliseconds, until somebody who asks for health is answered. */
export const HEALTH_MS = 2_000;

/** Fails when the work is not done in time; it is not ended. */
export async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  if (!(await isDoneWithin(milliseconds, work))) throw new Error('no answer in time');
  return work;
}

export function isDoneWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  return Promise.race([work.then(() => true), sleep(milliseconds, false, { ref: false })]);
}
