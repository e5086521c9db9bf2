import type { Month } from '../../../accounting/period.ts';
import { BusinessError, problem } from '../../../accounting/problem.ts';
import { sqlState } from '../../../platform/database/errors.ts';

/** Lines that a batch may not take without a second person. Amounts are decimal text. */
export interface BatchAboveLimit {
  readonly month: Month;
  readonly batch: string;
  readonly total: string;
  readonly limit: string;
}

/** What the database said of a batch that would be above its limit; undefined: it is another error. */
export function aboveLimit(error: unknown): BatchAboveLimit | undefined {
  return sqlState(error) === BATCH_ABOVE_LIMIT ? JSON.parse((error as { detail: string }).detail) : undefined;
}

/** Raised by refuse_batch_above_limit (migrations/0038-batch-limit.sql). */
const BATCH_ABOVE_LIMIT = 'PB003';

/** The same as an error of the books, where nothing is kept: the caller undoes its part and goes on. */
export function asBusinessError(error: unknown): unknown {
  const above = aboveLimit(error);
  return above === undefined ? error : new BusinessError(problem('BATCH_ABOVE_LIMIT', { batch: above.batch }));
}
