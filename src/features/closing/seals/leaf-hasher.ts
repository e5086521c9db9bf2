import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Pooler } from '../../../platform/database/poolers.ts';
import type { TimeLimitSeconds } from '../../../platform/database/time-limits.ts';
import type { MonthRoots, UncommittedLeaves } from './month-roots.ts';
import type { SealedMonth } from './seal-leaves.read.sql.ts';

/** Hashes the leaves of months in threads of its own, while their closes compute balances. */
export interface LeafHasher {
  /** Begins with the lines that are committed; the month must be locked already. */
  begin(month: SealedMonth): MonthHashing;
  close(): Promise<void>;
}

export interface MonthHashing {
  /** The roots of those lines and of what the close has written. */
  finish(written: UncommittedLeaves): Promise<MonthRoots>;
  /** Nobody needs it any more; harmless after `finish`. */
  abandon(): void;
}

export interface LeafHasherSettings {
  /** Of the login that closes months: another could ask a server that lags behind. */
  readonly connectionString: string | undefined;
  readonly limits: TimeLimitSeconds;
  readonly pooler: Pooler;
}

/** Crosses from the worker: a buffer would arrive as plain bytes. */
export interface RootsAnswer extends Omit<MonthRoots, 'linesRoot' | 'balancesRoot'> {
  readonly linesRoot: string;
  readonly balancesRoot: string;
}

/** Starts without threads; they come with the first close and go when idle. */
export function openLeafHasher(settings: LeafHasherSettings, threads: number): LeafHasher {
  let pool: Piscina | undefined;
  return {
    begin(month) {
      pool ??= new Piscina({
        filename: new URL('./hash-leaves.worker.ts', import.meta.url).href,
        name: 'hashLeaves',
        minThreads: 0,
        maxThreads: threads,
        idleTimeout: 120_000,
        workerData: settings,
        resourceLimits: WORKER_HEAP,
        // Only what a connection needs: the environment holds passwords of other things.
        env: Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(PG|NODE_|TZ$)/.test(name))),
      });
      const { port1, port2 } = new MessageChannel();
      const answer: Promise<RootsAnswer | undefined> = pool.run({ month, port: port2 }, { transferList: [port2] });
      // Its failure is that of `finish`, if anybody comes to that.
      answer.catch(() => {}).finally(() => port1.close());
      return {
        async finish(written) {
          port1.postMessage(written);
          const roots = await answer;
          if (roots === undefined) throw new Error('the hashing of the month was abandoned');
          const { linesRoot, balancesRoot, ...counts } = roots;
          return {
            ...counts,
            linesRoot: Buffer.from(linesRoot, 'hex'),
            balancesRoot: Buffer.from(balancesRoot, 'hex'),
          };
        },
        abandon: () => port1.postMessage(undefined),
      };
    },
    async close() {
      await pool?.destroy();
    },
  };
}

/** Hashes lie outside of it: 32 bytes a line. */
const WORKER_HEAP = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };
