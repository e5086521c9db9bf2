import { hash, verify } from '@node-rs/argon2';
import { problem } from '../../accounting/problem.ts';
import { RetryLater } from '../../platform/http.ts';

/** OWASP's second recommended argon2id setting: 19 MiB, two passes, one lane. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Hashing uses a whole core for tens of milliseconds: the rest of the program keeps the other one. */
const AT_ONCE = 2;
const MAX_WAITING = 50;

let running = 0;
const waiting: (() => void)[] = [];

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, ARGON2));
}

/** Takes as long for an absent user as for a wrong password. */
export async function passwordMatches(password: string, passwordHash: string | null): Promise<boolean> {
  const matches = await inTurn(async () => verify(passwordHash ?? (await absentHash()), password));
  return matches && passwordHash !== null;
}

/** Passwords that wait for their turn. */
export function waitingHashes(): number {
  return waiting.length;
}

let absent: Promise<string> | undefined;
function absentHash(): Promise<string> {
  absent ??= hash('the password of nobody', ARGON2);
  return absent;
}

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) {
    if (waiting.length >= MAX_WAITING) throw new RetryLater(problem('TOO_MANY_ATTEMPTS'), 5);
    await new Promise<void>((resolve) => waiting.push(resolve));
  }
  running++;
  try {
    return await work();
  } finally {
    running--;
    waiting.shift()?.();
  }
}
