import { dayIn, slashOf } from '../../../accounting/period.ts';
import { reject, throwIfAny } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tenant } from '../../access/access.ts';
import { narrationProblems } from '../entries/posting-facts.ts';
import { lockMonthShared, requireOpen } from '../months/months.sql.ts';
import { type DocumentRow, selectBatch } from './batches.read.sql.ts';
import { insertDocument, lockBatch, selectNextDocumentNumber } from './batches.sql.ts';
import { rejectLongNumber, retryOnNumberConflict } from './retry-on-number-conflict.ts';

export interface DocumentInput {
  readonly batchId: number;
  readonly number: string | undefined;
  readonly referenceDay: number | undefined;
  readonly text: string | undefined;
  readonly standardNarration: string | undefined;
}

/** A document in a batch of an open month; its number is unique in the batch. */
export async function createDocument(context: Context, tenant: Tenant, facts: DocumentInput): Promise<DocumentRow> {
  const throwNotFound = () => reject('NOT_FOUND', recordRef('Batch', facts.batchId), 'document.batch');
  const batch = (await selectBatch(context.sql, tenant.companyId, facts.batchId)) ?? throwNotFound();
  if (facts.referenceDay !== undefined && dayIn(batch.month, facts.referenceDay) === undefined) {
    reject('DAY_NOT_IN_MONTH', { day: facts.referenceDay, month: slashOf(batch.month) }, 'document.day');
  }
  const { number } = facts;
  return retryOnNumberConflict({ record: 'Document', number, path: 'document.number' }, () =>
    context.transaction(async (sql) => {
      requireOpen(await lockMonthShared(sql, { ...tenant, month: batch.month }), batch.month, 'document.batch');
      const place = { companyId: tenant.companyId, batchId: facts.batchId };
      if (!(await lockBatch(sql, place, number === undefined ? 'NO KEY UPDATE' : 'KEY SHARE'))) throwNotFound();
      throwIfAny(
        await narrationProblems(sql, tenant, [{ code: facts.standardNarration, path: 'document.narrationCode' }]),
      );
      const next = number ?? (await selectNextDocumentNumber(sql, place));
      rejectLongNumber(next, 20, 'document.number');
      return insertDocument(sql, { ...facts, ...place, number: next, by: context.caller.username });
    }),
  );
}
