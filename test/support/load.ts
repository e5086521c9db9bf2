import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface LoadRequest {
  readonly port: number;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly token: string;
  /** ASCII; @ becomes a number that no other request has. */
  readonly body?: string;
}

export interface LoadOrder {
  /** Sent in turn. */
  readonly requests: readonly LoadRequest[];
  /** Arrivals a second, however long answers take; or clients that send the next request when they have the answer. */
  readonly pace: { readonly rate: number } | { readonly clients: number };
  readonly milliseconds: number;
  /** An answer that comes later is of no use to whoever waits for it. */
  readonly goodWithinMs: number;
  /** How long unanswered requests are waited for at the end. */
  readonly patienceMs: number;
  readonly connections: number;
}

export interface LoadReport {
  sent: number;
  /** 200 or 201 in time. */
  good: number;
  late: number;
  /** 429 or 503. */
  refused: number;
  withoutRetryAfter: number;
  /** Reset, ended or never answered. */
  broken: number;
  milliseconds: number;
  /** Bodies of all other answers. */
  readonly others: string[];
  /** Of what succeeded, in milliseconds. */
  readonly latencies: number[];
  readonly perSecond: number[];
}

/** What a generator in a process of its own measured; the process ends with it. */
export async function underLoad(order: LoadOrder): Promise<LoadReport> {
  const child: ChildProcess = fork(
    fileURLToPath(new URL('load-generator.worker.ts', import.meta.url)),
    // Infinity is a number there.
    { serialization: 'advanced' },
  );
  try {
    child.send(order);
    const [report] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`the load generator ended with ${code}`))),
    ]);
    return report as LoadReport;
  } finally {
    child.kill();
  }
}

/** Answers a second that were of use. */
export function goodput({ good, milliseconds }: LoadReport): number {
  return (good * 1_000) / milliseconds;
}

/** The latency that so many of a hundred successes keep within, in milliseconds. */
export function latencyOf({ latencies }: LoadReport, percent: number): number {
  const sorted = [...latencies].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.POSITIVE_INFINITY;
}
