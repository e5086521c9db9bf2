import { LRUCache } from 'lru-cache';
import type { Context } from '../../platform/context.ts';
import type { Database } from '../../platform/database/database.ts';
import { perDatabase } from '../../platform/per-database.ts';
import { recordAudit } from './audit.sql.ts';
import { ELEVATION } from './elevation-reasons.ts';
import { senderOf } from './network.ts';

/** Why a sign-in failed; never shown to the caller. */
export type SignInFailure =
  | 'UNKNOWN_USER'
  | 'WRONG_PASSWORD'
  | 'WRONG_SECRET'
  | 'SECRET_EXPIRED'
  | 'NETWORK'
  | 'INACTIVE'
  | 'EXPIRED'
  | 'TOO_MANY_ATTEMPTS'
  | 'CREDENTIALS_CHANGED'
  | 'CODE_MISSING'
  | 'WRONG_CODE'
  | 'NOT_ENROLLED'
  | 'TOKEN_REFUSED'
  | 'TOKEN_USED'
  | 'NOT_LINKED';

/** The user or name that tried, as far as it is known. */
export interface SignInAttempt {
  readonly id?: number | undefined;
  readonly username: string;
}

/** Failures recorded per minute and process, so that a flood does not fill the trail. */
const MAX_OF_NAME = 5;
const MAX_OF_SENDER = 30;
const MAX_OF_ALL = 300;
const WINDOW_MS = 60_000;
const writtenOf = perDatabase(() => new LRUCache<string, number>({ max: 10_000, ttl: WINDOW_MS }));

const failuresOf = perDatabase(() => new Map<SignInFailure, number>());

/** How many sign-ins failed since the start of the process, by reason, recorded or not. */
export function signInFailures(database: Database): Readonly<Record<string, number>> {
  return Object.fromEntries(failuresOf({ databaseIdentity: database.pool }));
}

export async function recordSignIn(context: Context, user: Required<SignInAttempt>, how: string): Promise<void> {
  await record(context, user, 'SIGN_IN', { how });
}

export async function recordSignInFailure(
  context: Context,
  comer: SignInAttempt,
  reason: SignInFailure,
): Promise<void> {
  const failures = failuresOf(context);
  failures.set(reason, (failures.get(reason) ?? 0) + 1);
  const shares: [string, number][] = [
    [`name ${comer.username.toLowerCase()}`, MAX_OF_NAME],
    [`sender ${senderOf(context.address)}`, MAX_OF_SENDER],
    ['all', MAX_OF_ALL],
  ];
  const written = writtenOf(context);
  if (shares.some(([subject, most]) => (written.get(subject) ?? 0) >= most)) return;
  for (const [subject] of shares) written.set(subject, (written.get(subject) ?? 0) + 1, { noUpdateTTL: true });
  await record(context, comer, 'SIGN_IN_REFUSED', { reason });
}

async function record(
  context: Context,
  comer: SignInAttempt,
  action: string,
  after: Record<string, string>,
): Promise<void> {
  const caller = { id: comer.id ?? 0, username: comer.username, admin: false };
  const entry = { action, entity: 'session', entityId: comer.id, after };
  await context.elevated(ELEVATION.signInTrail, (system) => recordAudit(system, { ...context, caller }, entry));
}
