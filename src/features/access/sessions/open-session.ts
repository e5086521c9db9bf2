import { createHash, randomBytes } from 'node:crypto';
import type { Context } from '../../../platform/context.ts';
import type { UserSigningIn } from '../credentials.sql.ts';
import { type Admission, rejectChangedCredentials } from '../sign-in.ts';
import { deleteSurplusSessions, insertSession } from './sessions.sql.ts';

const COOKIE_BYTES = 32;
/** Sessions that a user may have open; the longest unused one makes room for another. */
export const MAX_SESSIONS = 20;
/** Longest User-Agent that is kept. */
const MAX_AGENT = 300;

/** A session of the console; gives the text of its cookie, which is not kept anywhere. */
export const openSession =
  (agent: string): Admission<string> =>
  async (context: Context, user: UserSigningIn, how: string) => {
    const cookie = randomBytes(COOKIE_BYTES).toString('base64url');
    const opened = await context.transaction(async (sql) => {
      const isInserted = await insertSession(sql, {
        tokenHash: hashOf(cookie),
        userId: user.id,
        credentialVersion: user.credentialVersion,
        how,
        address: context.address,
        agent: agent.slice(0, MAX_AGENT),
        at: context.now(),
      });
      if (isInserted) await deleteSurplusSessions(sql, user.id, MAX_SESSIONS);
      return isInserted;
    });
    return opened ? cookie : rejectChangedCredentials(context, user);
  };

/** 256 random bits cannot be guessed, however cheap the hash. */
export function hashOf(cookie: string): Buffer {
  return createHash('sha256').update(cookie).digest();
}
