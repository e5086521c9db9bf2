import { setTimeout as sleep } from 'node:timers/promises';
import { problem, RetryLater } from '../../accounting/problem.ts';
import type { Context } from '../../platform/context.ts';
import { ELEVATION } from './elevation-reasons.ts';
import { networkOf, senderOf } from './network.ts';
import { passwordMatches, runInTurn } from './passwords.ts';
import {
  type AttemptSource,
  deleteFailuresBefore,
  insertClientFailure,
  insertFailure,
  selectClientsUsedUpAt,
  selectFailures,
} from './sign-in-failures.sql.ts';

const WINDOW_MS = 15 * 60_000;
/** Failures within the window after which a user from one network, or an address, has to wait for its end. */
const FAILURES_OF_PAIR = 10;
const FAILURES_OF_ADDRESS = 100;
/**
 * A user whose password is tried from many networks is delayed but never locked out, or anybody could lock anybody out.
 * The first delay, doubled with every ten failures, until the longest.
 */
const FAILURES_BEFORE_DELAY = 10;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 4_000;
const DOUBLINGS = Math.log2(MAX_DELAY_MS / FIRST_DELAY_MS);
/** Delayed requests keep their connection. */
const MAX_DELAYED = 500;

let delayed = 0;

/**
 * Whether `password` lets the user in; `allowed` is false for users who may not sign in whatever they type. Failures
 * are counted whether the user exists or not. The limits are looked at again when the hash's turn has come, so a burst
 * passes them by one at most.
 */
export async function attemptPassword(
  context: Context,
  attempt: { username: string; password: string; passwordHash: string | null; allowed: boolean },
): Promise<boolean> {
  const source = sourceOf(context, attempt.username);
  await slowDown((await rejectTooMany(context, source)).ofUser);
  return runInTurn(async () => {
    await rejectTooMany(context, source);
    const matches = (await passwordMatches(attempt.password, attempt.passwordHash)) && attempt.allowed;
    if (!matches) await countFailure(context, attempt.username);
    return matches;
  });
}

function sourceOf({ address }: Context, username: string): AttemptSource {
  return { username, network: networkOf(address), address: senderOf(address) };
}

/** How far the clocks of two processes may be apart. */
const CLOCKS_APART_MS = 60_000;

async function rejectTooMany(context: Context, source: AttemptSource) {
  const now = context.now().getTime();
  const most = {
    pair: FAILURES_OF_PAIR,
    address: FAILURES_OF_ADDRESS,
    user: FAILURES_BEFORE_DELAY * (DOUBLINGS + 1),
  };
  const failures = await context.elevated(ELEVATION.signInTrail, (system) =>
    selectFailures(system, source, most, { since: new Date(now - WINDOW_MS), until: new Date(now + CLOCKS_APART_MS) }),
  );
  const usedUpAt = Math.max(failures.pairUsedUpAt?.getTime() ?? 0, failures.addressUsedUpAt?.getTime() ?? 0);
  if (usedUpAt > 0) {
    const seconds = Math.ceil((usedUpAt + WINDOW_MS - now) / 1000);
    throw new RetryLater(problem('TOO_MANY_ATTEMPTS'), Math.max(1, seconds));
  }
  return failures;
}

/** Of whatever a user signs in with. */
export async function countFailure(context: Context, username: string): Promise<void> {
  const now = context.now();
  await context.elevated(ELEVATION.signInTrail, async (system) => {
    await insertFailure(system, sourceOf(context, username), now);
    await deleteFailuresBefore(system, new Date(now.getTime() - WINDOW_MS));
  });
}

/**
 * Counts a wrong secret. There is no limit for an account: a secret of 256 random bits cannot be guessed, and whoever has
 * the right one is let in whatever others have tried. The limit of an address keeps the trail and the table small.
 */
export async function countClientFailure(context: Context): Promise<void> {
  const now = context.now();
  const since = new Date(now.getTime() - WINDOW_MS);
  const address = senderOf(context.address);
  await context.elevated(ELEVATION.signInTrail, async (system) => {
    const usedUpAt = await selectClientsUsedUpAt(system, address, FAILURES_OF_ADDRESS, since);
    if (usedUpAt) {
      const seconds = Math.ceil((usedUpAt.getTime() + WINDOW_MS - now.getTime()) / 1000);
      throw new RetryLater(problem('TOO_MANY_ATTEMPTS'), Math.max(1, seconds));
    }
    await insertClientFailure(system, address, now);
    await deleteFailuresBefore(system, since);
  });
}

async function slowDown(failures: number): Promise<void> {
  const delay = delayAfter(failures);
  if (delay === 0) return;
  if (delayed >= MAX_DELAYED) throw new RetryLater(problem('TOO_MANY_ATTEMPTS'), 5);
  delayed++;
  try {
    await sleep(delay);
  } finally {
    delayed--;
  }
}

/** Milliseconds that an attempt waits after so many failures of the user from everywhere. */
export function delayAfter(failures: number): number {
  if (failures < FAILURES_BEFORE_DELAY) return 0;
  const doublings = Math.floor((failures - FAILURES_BEFORE_DELAY) / FAILURES_BEFORE_DELAY);
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** doublings);
}
