import { setTimeout as sleep } from 'node:timers/promises';

/** Who answered a read that could be the replica's: it, or, for one of these reasons, the primary. */
export const READ_OUTCOMES = ['replica', 'behind', 'busy', 'lost', 'away', 'conflict', 'unsuitable'] as const;
export type ReadOutcome = (typeof READ_OUTCOMES)[number];

/** The replica as the whole process sees it: its databases and its threads count together. */
export interface ReplicaSettings {
  /** Where it is; who asks it is the login of the database. */
  readonly address: string;
  /** One number for each of READ_OUTCOMES. */
  readonly counts: BigInt64Array;
}

/** Whether the replica may answer again; undefined: who would have asked it has gone. */
export type Returns = () => Promise<boolean | undefined>;

export interface ReplicaHealth {
  readonly isAway: boolean;
  count(outcome: ReadOutcome): void;
  /** It answered a read, and was as far as the primary. */
  isWell(): void;
  /** It is not as far as the primary: away when that lasts. */
  isBehind(returns: Returns): void;
  /** Reads no longer go to it until `returns` says that they may. */
  goesAway(reason: string, returns: Returns): void;
  figures(): { readonly isAway: boolean; readonly reads: Readonly<Record<ReadOutcome, number>> };
}

export function openReplicaHealth({ counts }: ReplicaSettings, report: (line: string) => void): ReplicaHealth {
  let isAway = false;
  let behindSince: number | undefined;

  const untilReturned = async (returns: Returns) => {
    for (let well = 0; well < WELL_TIMES; ) {
      await sleep(ASK_EVERY_MS, undefined, { ref: false });
      const isWell = await returns().catch(() => false);
      if (isWell === undefined) return;
      well = isWell ? well + 1 : 0;
    }
    isAway = false;
    behindSince = undefined;
    report('the replica answers reads again');
  };
  const goesAway = (reason: string, returns: Returns) => {
    if (isAway) return;
    isAway = true;
    report(`reads go to the primary: the replica ${reason}`);
    void untilReturned(returns);
  };
  return {
    get isAway() {
      return isAway;
    },
    count: (outcome) => {
      Atomics.add(counts, READ_OUTCOMES.indexOf(outcome), 1n);
    },
    isWell: () => {
      behindSince = undefined;
    },
    isBehind: (returns) => {
      behindSince ??= performance.now();
      if (performance.now() - behindSince >= BEHIND_MS) goesAway('is behind', returns);
    },
    goesAway,
    figures: () => {
      const reads = READ_OUTCOMES.map((outcome, at) => [outcome, Number(Atomics.load(counts, at))]);
      return { isAway, reads: Object.fromEntries(reads) };
    },
  };
}

/** So long each read waits for a replica that is behind; then none does until it is well. */
const BEHIND_MS = 1_000;
/** How often a replica that is away is asked, and how often in a row it must be well. */
const ASK_EVERY_MS = 500;
const WELL_TIMES = 2;
