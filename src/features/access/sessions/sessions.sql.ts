import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';

/** How somebody signed in: with a password, with a password and a code, or by the identity provider of the name. */
export type SignInWay = 'PASSWORD' | 'PASSWORD_AND_CODE' | (string & {});

export interface NewSession {
  readonly tokenHash: Buffer;
  readonly userId: number;
  readonly credentialVersion: number;
  readonly how: SignInWay;
  readonly address: string;
  readonly agent: string;
  readonly at: Date;
}

/** False when the user's credentials are no longer those that signed in. */
export async function insertSession(sql: Sql, session: NewSession): Promise<boolean> {
  const inserted = await sql.run(SQL`
    INSERT INTO console_session (token_hash, user_id, credential_version, how, address, agent, created_at, used_at)
    SELECT ${session.tokenHash}, app_user.id, app_user.credential_version, ${session.how}, ${session.address},
           ${session.agent}, ${session.at}::timestamptz, ${session.at}::timestamptz
      FROM app_user
     WHERE app_user.id = ${session.userId} AND app_user.credential_version = ${session.credentialVersion}`);
  return inserted === 1;
}

/** Sessions of the user beyond the newest `kept`, the longest unused first. */
export function deleteSurplusSessions(sql: Sql, userId: number, kept: number): Promise<number> {
  return sql.run(SQL`
    DELETE FROM console_session
     WHERE console_session.id IN (SELECT each.id FROM console_session AS each WHERE each.user_id = ${userId}
                                   ORDER BY each.used_at DESC, each.id DESC OFFSET ${kept})`);
}

export interface HeldSession {
  readonly id: number;
  readonly userId: number;
  readonly credentialVersion: number;
  readonly createdAt: Date;
  /** Moved on by whoever writes a later use. */
  usedAt: Date;
}

export function selectSession(sql: Sql, tokenHash: Buffer): Promise<HeldSession | undefined> {
  return sql.maybe<HeldSession>(SQL.named('console-session')`
    SELECT console_session.id, console_session.user_id AS "userId",
           console_session.credential_version AS "credentialVersion", console_session.created_at AS "createdAt",
           console_session.used_at AS "usedAt"
      FROM console_session WHERE console_session.token_hash = ${tokenHash}`);
}

export async function touchSession(sql: Sql, id: number, at: Date): Promise<void> {
  await sql.run(SQL`
    UPDATE console_session SET used_at = greatest(console_session.used_at, ${at}::timestamptz)
     WHERE console_session.id = ${id}`);
}

/** The ended session's user; undefined when there is none, or, with `userId`, none of this user. */
export function deleteSession(
  sql: Sql,
  id: number,
  userId?: number,
): Promise<{ userId: number; username: string } | undefined> {
  return sql.maybe<{ userId: number; username: string }>(SQL`
    DELETE FROM console_session USING app_user
     WHERE console_session.id = ${id} AND app_user.id = console_session.user_id
       AND (${userId ?? null}::bigint IS NULL OR console_session.user_id = ${userId ?? null})
    RETURNING app_user.id AS "userId", app_user.username`);
}

export function deleteOtherSessions(sql: Sql, userId: number, kept: number): Promise<number> {
  return sql.run(SQL`
    DELETE FROM console_session WHERE console_session.user_id = ${userId} AND console_session.id <> ${kept}`);
}
