import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../platform/database/database.ts';
import { SYSTEM_SCOPE } from '../../../platform/database/system-scope.ts';
import type { Log } from '../../../platform/log.ts';
import type { SealKeys } from '../../../platform/seal-keys/seal-keys.ts';
import { startTurns, type Turns } from '../../../platform/turns.ts';
import { readOutside } from './read-outside.ts';
import { type VerifiedPart, verify } from './verify.ts';
import {
  endVerifyRun,
  keepResult,
  lockVerifyRun,
  markPartDone,
  takeVerifyRun,
  type VerifyRun,
} from './verify-results.sql.ts';

const EVERY_MS = 60_000;
/** After a failure: a part that cannot be verified is not tried all the time. */
const FAILED_MS = 60 * 60_000;
/** After each part it rests as long as the part took, but not longer. */
const REST_MS = 10_000;

export interface NightlyVerify {
  readonly database: Database;
  /** Connections for the run alone: those of requests are not held for the time that a large month takes. */
  readonly openConnections: () => Database;
  /** VERIFY_AT: 'HH:MM' in São Paulo. */
  readonly at: string;
  readonly keys: Pick<SealKeys, 'published'>;
  readonly dataDir: string;
  readonly now: () => Date;
  readonly log: Pick<Log, 'error'>;
}

/**
 * Verifies all books once a night and keeps what came out for the checklist and the metrics (docs/decisions/0047). A night
 * that was missed is made up for at the next start.
 */
export function startNightlyVerify(options: NightlyVerify): Turns {
  return startTurns(async (stopping) => {
    try {
      await verifyIfDue(options, stopping);
      return EVERY_MS;
    } catch (error) {
      if (!stopping.aborted) options.log.error({ err: error }, 'verify could not go on');
      return FAILED_MS;
    }
  });
}

/** One turn: a run that is due or was interrupted, to its end; nothing where another process is at it. */
export async function verifyIfDue(options: NightlyVerify, stopping: AbortSignal): Promise<void> {
  const { database, openConnections, at, now } = options;
  const run = await database.transaction(SYSTEM_SCOPE, (sql) => takeVerifyRun(sql, at, now()));
  if (run === undefined) return;
  const own = openConnections();
  // What is cut off in the middle is verified again when the run goes on.
  const cutOff = () => own.cancel().catch(() => {});
  stopping.addEventListener('abort', cutOff);
  try {
    await goOn(own, run, options, stopping);
  } finally {
    stopping.removeEventListener('abort', cutOff);
    await own.close();
  }
}

async function goOn(own: Database, run: VerifyRun, options: NightlyVerify, stopping: AbortSignal): Promise<void> {
  const { keys, dataDir, log } = options;
  const parts = verify(own, await readOutside(keys, dataDir), {}, run.donePart ?? undefined);
  let donePart = run.donePart;
  while (!stopping.aborted) {
    const began = performance.now();
    const part = await nextPart(own, parts, { ...run, donePart });
    if (part === undefined) return;
    for (const difference of part.differences) log.error({ difference }, 'verify: the books differ');
    donePart = part.key;
    await sleep(Math.min(performance.now() - began, REST_MS), undefined, { signal: stopping }).catch(() => {});
  }
}

/**
 * Verifies a part and keeps its result, with the run locked meanwhile: the lock of a process that dies is free at once.
 * Undefined: the run is at its end, or another process has gone on with it.
 */
async function nextPart(
  own: Database,
  parts: AsyncGenerator<VerifiedPart>,
  expected: VerifyRun,
): Promise<VerifiedPart | undefined> {
  // A transaction may be repeated, the parts may not.
  let next: Promise<IteratorResult<VerifiedPart>> | undefined;
  return own.transaction(SYSTEM_SCOPE, async (sql) => {
    const run = await lockVerifyRun(sql);
    if (run?.donePart !== expected.donePart || run.beganAt.getTime() !== expected.beganAt.getTime()) return undefined;
    next ??= parts.next();
    const { value: part, done } = await next;
    if (done) {
      await endVerifyRun(sql);
      return undefined;
    }
    await keepResult(sql, part);
    await markPartDone(sql, part);
    return part;
  });
}
