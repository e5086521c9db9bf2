/**
 * Milliseconds of processor that the work takes in this thread, the least of five runs, for the first also pays for the
 * engine's warming up: a bound in milliseconds then says the same on a busy machine.
 */
export function leastProcessorMs(work: () => unknown): number {
  return Math.min(...Array.from({ length: 5 }, () => processorMs(work)));
}

/** The same of work that is waited for; what else runs in this thread meanwhile counts too. */
export async function leastProcessorMsUntil(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < 5; turn++) {
    const before = spent();
    await work();
    least = Math.min(least, spent() - before);
  }
  return least;
}

export function processorMs(work: () => unknown): number {
  const before = spent();
  work();
  return spent() - before;
}

/** Where the runtime cannot tell, the clock must do. */
function spent(): number {
  if (process.threadCpuUsage === undefined) return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
