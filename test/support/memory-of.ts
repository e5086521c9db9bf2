import { readFileSync } from 'node:fs';

/** Resident memory of a process, in megabytes (Linux). */
export function megabytesOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Samples something while work is done. */
export async function sampledDuring<T>(everyMs: number, sample: () => number, work: () => Promise<T>) {
  const samples: number[] = [];
  const timer = setInterval(() => samples.push(sample()), everyMs);
  try {
    return { result: await work(), samples };
  } finally {
    clearInterval(timer);
  }
}
