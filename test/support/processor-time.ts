/**
 * Milliseconds of processor that the work takes in this thread: of the first run that stays below `limit`, else the least
 * of five, for the first also pays for the engine's warming up. A bound then says the same on a busy machine.
 */
export function leastProcessorMs(work: () => unknown, limit: number): number {
  let least = processorMs(work);
  for (let turn = 1; turn < TURNS && least >= limit; turn++) least = Math.min(least, processorMs(work));
  return least;
}

/** The same of work that is waited for; what else runs in this thread meanwhile counts too. */
export async function leastProcessorMsUntil(work: () => Promise<unknown>, limit: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let turn = 0; turn < TURNS && least >= limit; turn++) {
    const before = spent();
    await work();
    least = Math.min(least, spent() - before);
  }
  return least;
}

const TURNS = 5;

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

/** The longest that the work keeps the event loop in one turn, in milliseconds of processor: the least of five runs. */
export async function leastLongestTurnMs(work: () => Promise<unknown>, limit: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < TURNS && least >= limit; run++) least = Math.min(least, await longestTurnMs(work));
  return least;
}

async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let isOver = false;
  let longest = 0;
  const done = work().finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const before = spent();
    await new Promise(setImmediate);
    longest = Math.max(longest, spent() - before);
  }
  await done;
  return longest;
}
