import type { Sql } from '../../platform/database/sql.ts';

export interface Totp {
  /** Base64. */
  readonly secret: string;
  readonly confirmedAt: Date | null;
}

export function selectTotp(sql: Sql, userId: number): Promise<Totp | undefined> {
  return sql.maybe<Totp>({
    text: `SELECT user_totp.secret, user_totp.confirmed_at AS "confirmedAt"
             FROM user_totp WHERE user_totp.user_id = $1`,
    values: [userId],
  });
}

/** Takes the place of an enrolment that nobody confirmed; false when there is a confirmed one. */
export async function saveTotp(
  sql: Sql,
  userId: number,
  secret: string,
  recoveryHashes: readonly string[],
): Promise<boolean> {
  const saved = await sql.run({
    text: `INSERT INTO user_totp (user_id, secret, recovery_hashes) VALUES ($1, $2, $3)
           ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, recovery_hashes = excluded.recovery_hashes
            WHERE user_totp.confirmed_at IS NULL`,
    values: [userId, secret, [...recoveryHashes]],
  });
  return saved === 1;
}

/** Whether no code of this step or a later one was taken before; the first one confirms the enrolment. */
export async function takeStep(
  sql: Sql,
  userId: number,
  { secret, step, at }: { secret: string; step: number; at: Date },
): Promise<boolean> {
  const taken = await sql.run({
    text: `UPDATE user_totp SET last_step = $3, confirmed_at = coalesce(user_totp.confirmed_at, $4)
            WHERE user_totp.user_id = $1 AND user_totp.secret = $2 AND user_totp.last_step < $3`,
    values: [userId, secret, step, at],
  });
  return taken === 1;
}

/** Whether the recovery code was left. */
export async function takeRecoveryCode(sql: Sql, userId: number, hash: string): Promise<boolean> {
  const taken = await sql.run({
    text: `UPDATE user_totp SET recovery_hashes = array_remove(user_totp.recovery_hashes, $2)
            WHERE user_totp.user_id = $1 AND user_totp.confirmed_at IS NOT NULL
              AND $2 = ANY (user_totp.recovery_hashes)`,
    values: [userId, hash],
  });
  return taken === 1;
}

export async function deleteTotp(sql: Sql, userId: number): Promise<boolean> {
  return (await sql.run({ text: 'DELETE FROM user_totp WHERE user_totp.user_id = $1', values: [userId] })) === 1;
}
