import type { LogicalEntry } from '../../../accounting/entry.ts';
import { type Day, dayNumberOf, monthNumberOf, monthOfDay, yearOf } from '../../../accounting/period.ts';
import { physicalLines, postingProblems } from '../../../accounting/posting.ts';
import { throwIfAny } from '../../../accounting/problem.ts';
import { type Context, withTransaction } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { insertDocument, lockNamedBatch } from '../batches/batches.sql.ts';
import { createBatch } from '../batches/create-batch.ts';
import { lockMonthShared } from '../months/months.sql.ts';
import { insertEntry } from './entries.sql.ts';
import { readPostingFacts } from './posting-facts.ts';

export interface NewDocumentWithEntries {
  readonly day: Day;
  /** Used when it exists in the month, else created; absent: a new batch. */
  readonly batchNumber: string | undefined;
  readonly documentNumber: string | undefined;
  readonly text: string | undefined;
  /** As given: a line that names its offset account may mean its pair. */
  readonly entries: readonly LogicalEntry[];
}

/** Posts a document with all its entries in the caller's transaction, under the rules of any posting. */
export async function postDocument(
  sql: Transaction,
  context: Context,
  tenant: Tenant,
  posted: NewDocumentWithEntries,
): Promise<{ batchId: number; documentId: number }> {
  const { day } = posted;
  const month = monthOfDay(day);
  const state = (await lockMonthShared(sql, { ...tenant, month }))?.state ?? 'NOT_OPENED';
  const lines = posted.entries.flatMap((entry) => entry.lines);
  const facts = await readPostingFacts(sql, tenant, { month, state }, lines);
  throwIfAny(posted.entries.flatMap((entry) => postingProblems(entry, facts)));
  const batchId = await batchOf(sql, context, tenant, posted.batchNumber, day);
  const { batchNumber: _, documentNumber, text } = posted;
  const by = context.caller.username;
  const document = await insertDocument(sql, {
    companyId: tenant.companyId,
    batchId,
    number: documentNumber,
    referenceDay: dayNumberOf(day),
    text,
    standardNarration: undefined,
    by,
  });
  const place = { companyId: tenant.companyId, branchId: tenant.branchId, documentId: document.id, month };
  for (const entry of posted.entries) await insertEntry(sql, place, entry.number, day, physicalLines(entry.lines)!, by);
  return { batchId, documentId: document.id };
}

async function batchOf(
  sql: Transaction,
  context: Context,
  tenant: Tenant,
  number: string | undefined,
  day: Day,
): Promise<number> {
  const month = monthOfDay(day);
  if (number !== undefined)
    return lockNamedBatch(sql, { ...tenant, month, number, description: undefined, by: context.caller.username });
  const facts = { year: yearOf(month), month: monthNumberOf(month), number, description: undefined };
  return (await createBatch(withTransaction(context, sql), tenant, facts)).id;
}
