import type { Sql } from '../../platform/database/sql.ts';
import { SQL } from '../../platform/database/statement.ts';

export interface Totp {
  /** Base64. */
  readonly secret: string;
  readonly confirmedAt: Date | null;
}

export function selectTotp(sql: Sql, userId: number): Promise<Totp | undefined> {
  return sql.maybe<Totp>(SQL`
    SELECT user_totp.secret, user_totp.confirmed_at AS "confirmedAt"
      FROM user_totp WHERE user_totp.user_id = ${userId}`);
}

/** Replaces an unconfirmed enrolment; false when there is a confirmed one. */
export async function saveTotp(
  sql: Sql,
  userId: number,
  secret: string,
  recoveryHashes: readonly string[],
): Promise<boolean> {
  const saved = await sql.run(SQL`
    INSERT INTO user_totp (user_id, secret, recovery_hashes) VALUES (${userId}, ${secret}, ${recoveryHashes})
    ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, recovery_hashes = excluded.recovery_hashes
     WHERE user_totp.confirmed_at IS NULL`);
  return saved === 1;
}

/** Whether no code of this step or a later one was accepted before; the first one confirms the enrolment. */
export async function takeStep(
  sql: Sql,
  userId: number,
  { secret, step, at }: { secret: string; step: number; at: Date },
): Promise<boolean> {
  const taken = await sql.run(SQL`
    UPDATE user_totp SET last_step = ${step}, confirmed_at = coalesce(user_totp.confirmed_at, ${at})
     WHERE user_totp.user_id = ${userId} AND user_totp.secret = ${secret} AND user_totp.last_step < ${step}`);
  return taken === 1;
}

/** Whether the recovery code was left. */
export async function takeRecoveryCode(sql: Sql, userId: number, hash: string): Promise<boolean> {
  const taken = await sql.run(SQL`
    UPDATE user_totp SET recovery_hashes = array_remove(user_totp.recovery_hashes, ${hash})
     WHERE user_totp.user_id = ${userId} AND user_totp.confirmed_at IS NOT NULL
       AND ${hash} = ANY (user_totp.recovery_hashes)`);
  return taken === 1;
}

export async function deleteTotp(sql: Sql, userId: number): Promise<boolean> {
  return (await sql.run(SQL`DELETE FROM user_totp WHERE user_totp.user_id = ${userId}`)) === 1;
}
