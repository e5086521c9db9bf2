import { vi } from 'vitest';

const elapsed = performance.now.bind(performance);
let ahead = 0;

/**
 * Lets so many milliseconds pass for whatever measures how old something is (`performance.now`). It is never taken back:
 * time only runs ahead, and what began after it lasts as long as before. Timers wait in real time.
 */
export function letTimePass(milliseconds: number): void {
  ahead += milliseconds;
  performance.now = () => elapsed() + ahead;
}

/** Has every `AbortSignal.timeout` meanwhile end within `milliseconds`; returns the longest that was asked for. */
export async function withTimeoutsWithin(milliseconds: number, work: () => Promise<void>): Promise<number> {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const asked = vi.spyOn(AbortSignal, 'timeout').mockImplementation((each) => timeout(Math.min(each, milliseconds)));
  try {
    await work();
    return Math.max(...asked.mock.calls.map(([each]) => each));
  } finally {
    asked.mockRestore();
  }
}
