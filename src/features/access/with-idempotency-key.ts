import { reject } from '../../accounting/problem.ts';
import { type Context, withTransaction } from '../../platform/context.ts';
import { parseExactly } from '../../platform/json.ts';
import { claimKey, storeResponse } from './idempotency.sql.ts';

/** A request that its client may repeat under the same key. */
export interface RepeatableRequest {
  readonly operation: string;
  readonly key: string;
  readonly bodyHash: string;
}

interface Outcome {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Does the work and stores its outcome under the key, or returns the stored outcome. Key, effect and answer are one
 * transaction: a repeated request finds all of them or none.
 */
export function withIdempotencyKey<Done extends Outcome>(
  context: Context,
  { operation, key, bodyHash }: RepeatableRequest,
  work: (context: Context) => Promise<Done>,
): Promise<{ done: Done } | { kept: Outcome }> {
  return context.transaction(async (sql) => {
    const earlier = await claimKey(sql, context.caller.id, operation, key, bodyHash);
    if (earlier) {
      if (earlier.bodyHash !== bodyHash) reject('IDEMPOTENCY_KEY_REUSED', {}, 'idempotencyKey');
      return { kept: { status: earlier.status, body: parseExactly(earlier.answer) } };
    }
    const done = await work(withTransaction(context, sql));
    await storeResponse(sql, context.caller.id, operation, key, done.status, done.body);
    return { done };
  });
}
