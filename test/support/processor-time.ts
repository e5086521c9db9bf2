/**
 * Milliseconds of processor that the work takes in this thread: a bound in milliseconds then says the same on a busy
 * machine. Where the runtime cannot tell, the clock must do.
 */
export function processorMs(work: () => unknown): number {
  const before = spent();
  work();
  return spent() - before;
}

/** Of three runs: the first also pays for the engine's warming up. */
export function leastProcessorMs(work: () => unknown): number {
  return Math.min(...Array.from({ length: 3 }, () => processorMs(work)));
}

function spent(): number {
  if (process.threadCpuUsage === undefined) return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
