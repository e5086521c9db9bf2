import type { Sql } from '../../platform/database/sql.ts';

export interface StoredResponse {
  readonly bodyHash: string;
  readonly status: number;
  /** JSON text with the digits of the first answer. */
  readonly answer: string;
}

/**
 * Takes the key, or gives the answer kept under it for 24 hours. Whoever comes second with the same key waits here
 * for the first one's transaction.
 */
export async function claimKey(
  sql: Sql,
  userId: number,
  operation: string,
  key: string,
  bodyHash: string,
): Promise<StoredResponse | undefined> {
  await sql.run({
    text: `DELETE FROM idempotency_key
            WHERE idempotency_key.user_id = $1 AND idempotency_key.operation = $2 AND idempotency_key.key = $3
              AND idempotency_key.created_at < now() - interval '24 hours'`,
    values: [userId, operation, key],
  });
  const taken = await sql.run({
    text: `INSERT INTO idempotency_key (user_id, operation, key, body_hash, status, answer)
           VALUES ($1, $2, $3, $4, 0, 'null') ON CONFLICT DO NOTHING`,
    values: [userId, operation, key, bodyHash],
  });
  if (taken === 1) return undefined;
  return sql.one<StoredResponse>({
    text: `SELECT idempotency_key.body_hash AS "bodyHash", idempotency_key.status, idempotency_key.answer::text
             FROM idempotency_key
            WHERE idempotency_key.user_id = $1 AND idempotency_key.operation = $2 AND idempotency_key.key = $3`,
    values: [userId, operation, key],
  });
}

export async function storeResponse(
  sql: Sql,
  userId: number,
  operation: string,
  key: string,
  status: number,
  answer: unknown,
): Promise<void> {
  await sql.run({
    text: `UPDATE idempotency_key SET status = $4, answer = $5
            WHERE idempotency_key.user_id = $1 AND idempotency_key.operation = $2 AND idempotency_key.key = $3`,
    values: [userId, operation, key, status, JSON.stringify(answer ?? null)],
  });
}
