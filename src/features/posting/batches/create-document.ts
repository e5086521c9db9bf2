import { dayIn, slashOf } from '../../../accounting/period.ts';
import { refuse, refuseIfAny } from '../../../accounting/problem.ts';
import { named } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tenant } from '../../access/access.ts';
import { historyProblems } from '../entries/posting-facts.ts';
import { lockMonthShared, requireOpen } from '../months/months.sql.ts';
import { type DocumentRow, selectBatch } from './batches.read.sql.ts';
import { holdBatch, insertDocument } from './batches.sql.ts';
import { refuseLongNumber, underFreeNumber } from './under-free-number.ts';

export interface DocumentFacts {
  readonly batchId: number;
  readonly number: string | undefined;
  readonly referenceDay: number | undefined;
  readonly text: string | undefined;
  readonly standardHistory: string | undefined;
}

/** A document in a batch of an open month; its number is unique in the batch. */
export async function createDocument(context: Context, tenant: Tenant, facts: DocumentFacts): Promise<DocumentRow> {
  const refuseAbsent = () => refuse('NOT_FOUND', named('Batch', facts.batchId), 'batchId');
  const batch = (await selectBatch(context.sql, tenant.companyId, facts.batchId)) ?? refuseAbsent();
  if (facts.referenceDay !== undefined && dayIn(batch.month, facts.referenceDay) === undefined) {
    refuse('DAY_NOT_IN_MONTH', { day: facts.referenceDay, month: slashOf(batch.month) }, 'diaref');
  }
  const { number } = facts;
  return underFreeNumber({ record: 'Document', number, field: 'documento', index: 'document_' }, () =>
    context.transaction(async (sql) => {
      requireOpen(await lockMonthShared(sql, { ...tenant, month: batch.month }), batch.month, 'batchId');
      const document = { ...facts, companyId: tenant.companyId, by: context.caller.username };
      if (!(await holdBatch(sql, document))) refuseAbsent();
      refuseIfAny(await historyProblems(sql, tenant, [{ code: facts.standardHistory, field: 'cdpadronizado' }]));
      const created = await insertDocument(sql, document);
      refuseLongNumber(created.number, 20, 'documento');
      return created;
    }),
  );
}
