import { monthOf } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tenant } from '../../access/access.ts';
import { lockMonthShared, requireOpen } from '../months/months.sql.ts';
import type { BatchRow } from './batches.read.sql.ts';
import { insertBatch, lockNextBatchNumber } from './batches.sql.ts';
import { rejectLongNumber, retryOnNumberConflict } from './retry-on-number-conflict.ts';

export interface BatchInput {
  readonly year: number;
  readonly month: number;
  readonly number: string | undefined;
  readonly description: string | undefined;
}

/** A batch of an open month; its number is unique in the branch's month (domain: posting, 6). */
export async function createBatch(context: Context, tenant: Tenant, facts: BatchInput): Promise<BatchRow> {
  const month = monthOf(facts.year, facts.month) ?? reject('INVALID_FIELD', { reason: 'NO_SUCH_MONTH' }, 'batch.month');
  const { number } = facts;
  return retryOnNumberConflict({ record: 'Batch', number, path: 'batch.number' }, () =>
    context.transaction(async (sql) => {
      requireOpen(await lockMonthShared(sql, { ...tenant, month }), month, 'batch.month');
      const next = number ?? (await lockNextBatchNumber(sql, { ...tenant, month }));
      rejectLongNumber(next, 10, 'batch.number');
      return insertBatch(sql, { ...tenant, ...facts, month, number: next, by: context.caller.username });
    }),
  );
}
