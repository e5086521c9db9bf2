import type { Sql } from '../../platform/database/sql.ts';
import { SQL } from '../../platform/database/statement.ts';

export interface StoredResponse {
  readonly bodyHash: string;
  readonly status: number;
  /** JSON text with the digits of the first response. */
  readonly answer: string;
}

/**
 * Claims the key, or returns the response stored under it for 24 hours. A second request with the same key waits here
 * for the first one's transaction.
 */
export async function claimKey(
  sql: Sql,
  userId: number,
  operation: string,
  key: string,
  bodyHash: string,
): Promise<StoredResponse | undefined> {
  await sql.run(SQL`
    DELETE FROM idempotency_key
     WHERE idempotency_key.user_id = ${userId} AND idempotency_key.operation = ${operation}
       AND idempotency_key.key = ${key}
       AND idempotency_key.created_at < now() - interval '24 hours'`);
  const taken = await sql.run(SQL`
    INSERT INTO idempotency_key (user_id, operation, key, body_hash, status, answer)
    VALUES (${userId}, ${operation}, ${key}, ${bodyHash}, 0, 'null') ON CONFLICT DO NOTHING`);
  if (taken === 1) return undefined;
  return sql.one<StoredResponse>(SQL`
    SELECT idempotency_key.body_hash AS "bodyHash", idempotency_key.status, idempotency_key.answer::text
      FROM idempotency_key
     WHERE idempotency_key.user_id = ${userId} AND idempotency_key.operation = ${operation}
       AND idempotency_key.key = ${key}`);
}

export async function storeResponse(
  sql: Sql,
  userId: number,
  operation: string,
  key: string,
  status: number,
  answer: unknown,
): Promise<void> {
  await sql.run(SQL`
    UPDATE idempotency_key SET status = ${status}, answer = ${JSON.stringify(answer ?? null)}
     WHERE idempotency_key.user_id = ${userId} AND idempotency_key.operation = ${operation}
       AND idempotency_key.key = ${key}`);
}
