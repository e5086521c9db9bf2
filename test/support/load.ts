import { type ChildProcess, fork } from 'node:child_process';
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
  /** Arrivals a second, however long answers take; or clients that send the next request when they have the answer. */
  readonly pace: { readonly rate: number } | { readonly clients: number };
  readonly milliseconds: number;
  /** An answer that comes later is of no use to whoever waits for it; any by default. */
  readonly goodWithinMs?: number;
  /** How long unanswered requests are waited for at the end. */
  readonly patienceMs: number;
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
  /** From the first request to the last answer. */
  milliseconds: number;
  /** Bodies of all other answers. */
  readonly others: string[];
  /** Of what succeeded, in milliseconds since it was due. */
  readonly latencies: number[];
}

/** Sends requests from a process of its own, in turn, over connections that it keeps from one order to the next. */
export class LoadGenerator {
  private readonly child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.child = child;
  }

  static async open(requests: readonly LoadRequest[], connections: number): Promise<LoadGenerator> {
    // A group of its own: where the system shares its processors by group, it does not take from the program's.
    const child = fork(fileURLToPath(new URL('load-generator.worker.ts', import.meta.url)), { detached: true });
    const generator = new LoadGenerator(child);
    await generator.told({ requests, connections });
    return generator;
  }

  async load(order: LoadOrder): Promise<LoadReport> {
    return (await this.told(order)) as LoadReport;
  }

  close(): void {
    this.child.kill();
  }

  private told(message: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const onEnd = () => reject(new Error('the generator ended'));
      this.child.once('exit', onEnd).once('message', (answer) => {
        this.child.off('exit', onEnd);
        resolve(answer);
      });
      this.child.send(message);
    });
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
