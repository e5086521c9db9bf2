import { hash, verify } from '@node-rs/argon2';
import { problem, RetryLater } from '../../accounting/problem.ts';

/** OWASP's second recommended argon2id setting: 19 MiB, two passes, one lane. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** A hash keeps a core busy for tens of milliseconds: hashes queue here and not in the thread pool. */
const AT_ONCE = 2;
const MAX_WAITING = 50;

/** Hash of a discarded random password, so that an absent user takes as long as any other. */
const DUMMY_HASH = '$argon2id$v=19$m=19456,t=2,p=1$5QSJydbgb8qdA1J+I016VQ$wHXNcg/FG/J69UAziuonud63/SOdkwPBYSgrqq4kKxA';

let running = 0;
const waiting: (() => void)[] = [];

export function hashPassword(password: string): Promise<string> {
  return runInTurn(() => hash(password, ARGON2));
}

/** Takes as long for an absent user (null) as for a wrong password. Call it in turn. */
export async function passwordMatches(password: string, passwordHash: string | null): Promise<boolean> {
  const matches = await verify(passwordHash ?? DUMMY_HASH, password);
  return matches && passwordHash !== null;
}

/** Passwords that wait for their turn. */
export function waitingHashes(): number {
  return waiting.length;
}

/** Runs work that hashes, at most AT_ONCE at a time; with MAX_WAITING queued, throws a 503 with Retry-After. */
export async function runInTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running < AT_ONCE) running++;
  else if (waiting.length >= MAX_WAITING) throw new RetryLater(problem('TOO_MANY_ATTEMPTS'), 5);
  // The slot is handed to the next in the queue, so that a newcomer cannot take it.
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}
