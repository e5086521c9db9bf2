import { isIPv6 } from 'node:net';
import { problem } from '../../accounting/problem.ts';
import type { Context } from '../../platform/context.ts';
import { RetryLater } from '../../platform/retry-later.ts';
import { EVERYTHING } from '../../platform/sql.ts';
import { inTurn, passwordMatches } from './passwords.ts';
import { deleteFailuresBefore, insertFailures, selectNthNewestFailure } from './sign-in-failures.sql.ts';

/** Failed attempts within the window after which a user, or a network address, has to wait. */
const WINDOW_MS = 15 * 60_000;
const FAILURES_OF_USER = 10;
const FAILURES_OF_ADDRESS = 100;

/**
 * Whether `password` lets the user in; `allowed` is false for users who may not sign in whatever they type. A failure
 * is counted for the user name, known or not, and for the caller's address; too many of either, and the answer is to
 * come later. The limit is looked at again when the hash's turn has come, so a burst passes it by one at most.
 */
export async function attemptPassword(
  context: Context,
  attempt: { username: string; password: string; passwordHash: string | null; allowed: boolean },
): Promise<boolean> {
  const sql = context.database.under(EVERYTHING);
  const limits = [
    { subject: `user:${attempt.username.toLowerCase()}`, most: FAILURES_OF_USER },
    { subject: `address:${networkOf(context.address)}`, most: FAILURES_OF_ADDRESS },
  ];
  const refuseTooMany = async () => {
    const now = context.now().getTime();
    for (const { subject, most } of limits) {
      const decisive = await selectNthNewestFailure(sql, subject, most, new Date(now - WINDOW_MS));
      if (decisive) {
        const seconds = Math.ceil((decisive.failedAt.getTime() + WINDOW_MS - now) / 1000);
        throw new RetryLater(problem('TOO_MANY_ATTEMPTS'), Math.max(1, seconds));
      }
    }
  };
  await refuseTooMany();
  return inTurn(async () => {
    await refuseTooMany();
    const matches = (await passwordMatches(attempt.password, attempt.passwordHash)) && attempt.allowed;
    if (!matches) {
      const now = context.now();
      await insertFailures(
        sql,
        limits.map((each) => each.subject),
        now,
      );
      await deleteFailuresBefore(sql, new Date(now.getTime() - WINDOW_MS));
    }
    return matches;
  });
}

/** A host's IPv6 network (its first 64 bits) counts as one address: whoever has one has all of them. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = tail === undefined ? first : [...first, ...Array(8 - first.length - last.length).fill('0'), ...last];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
