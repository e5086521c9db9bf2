import type { Installation } from './installation.ts';

/** One line of the table. */
export interface Measured {
  readonly name: string;
  readonly against: string;
  /** Both sides as they were measured, for people. */
  readonly detail: string;
  readonly value: number;
  readonly unit: 'ratio' | 's' | 'MB' | 'KB';
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** A file of this folder that measures something. */
export type Figure = (installation: Installation) => Promise<Measured[]>;

/** How often both sides are measured by turns: load on the machine then affects both. */
const ROUNDS = 3;

/** Runs both sides by turns; returns the median of ours, of the bare one, and of the quotients of each turn. */
export async function byTurns(
  ours: (round: number) => Promise<number>,
  bare: (round: number) => Promise<number>,
  rounds = ROUNDS,
): Promise<{ ours: number; bare: number; ratio: number }> {
  const turns: { ours: number; bare: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const bareRate = await bare(round);
    turns.push({ ours: await ours(round), bare: bareRate });
  }
  return {
    ours: median(turns.map((turn) => turn.ours)),
    bare: median(turns.map((turn) => turn.bare)),
    ratio: median(turns.map((turn) => turn.ours / turn.bare)),
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

export function percentile99(values: readonly number[]): number {
  return percentile(values, 0.99);
}

export function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)]!;
}

export function megabytes(bytes: number): number {
  return bytes / 1_048_576;
}

export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

/** The middle of some runs in seconds, after some that warm up. */
export async function warmSecondsOf(work: () => Promise<unknown>, rounds = 5): Promise<number> {
  for (let warmUp = 0; warmUp < 3; warmUp++) await work();
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round++) seconds.push(await secondsOf(work));
  return median(seconds);
}

/** Keeps `workers` loops busy for the time given; returns how often the work was done per second. */
export async function ratePerSecond(
  workers: number,
  milliseconds: number,
  work: (worker: number) => Promise<void>,
): Promise<number> {
  const began = performance.now();
  let done = 0;
  const loop = async (worker: number) => {
    while (performance.now() - began < milliseconds) {
      await work(worker);
      done++;
    }
  };
  await Promise.all(Array.from({ length: workers }, (_, worker) => loop(worker)));
  return done / ((performance.now() - began) / 1000);
}

export function isMet({ value, atLeast, atMost }: Measured): boolean {
  return (atLeast === undefined || value >= atLeast) && (atMost === undefined || value <= atMost);
}

export function perSecond(rate: number): string {
  return `${rate >= 1000 ? Math.round(rate).toLocaleString('en') : rate.toFixed(rate >= 10 ? 0 : 1)}/s`;
}
