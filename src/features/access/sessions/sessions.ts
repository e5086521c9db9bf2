import { LRUCache } from 'lru-cache';
import type { Database } from '../../../platform/database/database.ts';
import { systemSql } from '../../../platform/database/system-scope.ts';
import { signAccessToken, type TokenSettings } from '../../../platform/token.ts';
import type { Authorizer } from '../authorize.ts';
import type { UserState } from '../permissions.read.sql.ts';
import { signingKey } from '../signing-keys.ts';
import { heldSessions } from './held-sessions.ts';
import { hashOf } from './open-session.ts';
import { type HeldSession, selectSession, touchSession } from './sessions.sql.ts';

const MINUTE_MS = 60_000;
/** How far the clocks of two processes may be apart. */
const CLOCKS_APART_MS = MINUTE_MS;
/** No session is longer, however busy. */
export const LONGEST_SESSION_MS = 12 * 60 * MINUTE_MS;
/** A use is written down when the last one written is older than this part of the idle time. */
const TOUCHES_OF_IDLE_TIME = 30;
/** Life of a token that the console makes for a service, and how long it makes no other. */
const TOKEN_SECONDS = 300;
const TOKEN_KEPT_MS = MINUTE_MS;

export interface OpenSession {
  readonly id: number;
  /** The user with the rights of now. */
  readonly user: UserState;
  readonly createdAt: Date;
  /** When it ends at the latest. */
  readonly endsAt: Date;
}

/** The sessions of the console, of all its processes. */
export interface Sessions {
  /**
   * The session of a cookie. None for one that has ended: by sign-out, idleness or age, or because its user was
   * deactivated, has expired or has other credentials. `isUse`: somebody did something; else it grows idle.
   */
  find(cookie: string, isUse: boolean): Promise<OpenSession | undefined>;
  /** A token of five minutes for the services. It never leaves the server. */
  tokenOf(session: OpenSession): Promise<string>;
}

export interface SessionSettings {
  readonly idleMinutes: number;
  readonly token: TokenSettings;
  readonly now: () => Date;
}

export function createSessions(
  database: Database,
  authorizer: Authorizer,
  { idleMinutes, token, now }: SessionSettings,
): Sessions {
  const everything = systemSql(database);
  const held = heldSessions({ databaseIdentity: database.pool });
  const tokens = new LRUCache<string, string>({ max: 10_000, ttl: TOKEN_KEPT_MS });
  const idleMs = idleMinutes * MINUTE_MS;

  const read = async (cookie: string): Promise<HeldSession | undefined> => {
    const hash = hashOf(cookie);
    const key = hash.toString('base64');
    return held.get(key) ?? held.read(key, () => selectSession(everything, hash));
  };

  return {
    async find(cookie, isUse) {
      const row = COOKIE.test(cookie) ? await read(cookie) : undefined;
      if (row === undefined) return undefined;
      const at = now();
      const idle = at.getTime() - row.usedAt.getTime();
      const endsAt = new Date(row.createdAt.getTime() + LONGEST_SESSION_MS);
      // Of the future: the clock was set back.
      const isAhead = row.createdAt.getTime() > at.getTime() + CLOCKS_APART_MS;
      if (isAhead || idle > idleMs || at >= endsAt) return undefined;
      const user = await authorizer.userState(row.userId, row.credentialVersion);
      if (user === undefined) return undefined;
      if (isUse && idle > idleMs / TOUCHES_OF_IDLE_TIME) {
        row.usedAt = at;
        await touchSession(everything, row.id, at);
      }
      return { id: row.id, user, createdAt: row.createdAt, endsAt };
    },
    async tokenOf({ id, user }) {
      const key = `${id} ${user.credentialVersion}`;
      const known = tokens.get(key);
      if (known !== undefined) return known;
      const lifetimeSeconds = Math.min(TOKEN_SECONDS, token.lifetimeSeconds);
      const made = await signAccessToken(await signingKey(everything), user, { ...token, lifetimeSeconds, now: now() });
      // One that lives shorter than it would be kept here is made each time.
      if (lifetimeSeconds >= TOKEN_SECONDS) tokens.set(key, made);
      return made;
    },
  };
}

/** 256 bits as base64url. */
const COOKIE = /^[\w-]{43}$/;
