import { pause } from './retries.ts';

/** A job as the platform shows it: a month close, a report, a run of rules. */
export interface Job {
  readonly status: 'PENDING' | 'RUNNING' | 'DONE' | 'ERROR';
}

export interface WaitOptions<State> {
  /** Called with each state that was read, the last one included. */
  readonly onProgress?: (state: State) => void;
  /** Milliseconds between two looks; half a second where nothing is said. */
  readonly interval?: number;
  readonly signal?: AbortSignal;
}

/** The job when it has ended, done or not: `status` says which. */
export async function waitForJob<State extends Job>(
  read: () => Promise<State>,
  { onProgress, interval = 500, signal }: WaitOptions<State> = {},
): Promise<State> {
  for (;;) {
    const state = await read();
    onProgress?.(state);
    if (state.status === 'DONE' || state.status === 'ERROR') return state;
    await pause(interval, signal);
  }
}
