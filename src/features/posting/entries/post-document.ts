import type { LogicalEntry } from '../../../accounting/entry.ts';
import { type Day, dayNumberOf, monthNumberOf, monthOfDay, yearOf } from '../../../accounting/period.ts';
import { physicalLines, postingProblems } from '../../../accounting/posting.ts';
import { throwIfAny } from '../../../accounting/problem.ts';
import { type Context, withTransaction } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import type { DocumentPlace } from '../../operations/events/event-data.ts';
import { postedEvents, recordEvents } from '../../operations/events/record-events.sql.ts';
import { insertDocument, lockNamedBatch, selectNextDocumentNumber } from '../batches/batches.sql.ts';
import { createBatch } from '../batches/create-batch.ts';
import { lockMonthShared } from '../months/months.sql.ts';
import { insertEntries } from './entries.sql.ts';
import { readPostingFacts } from './posting-facts.ts';

export interface NewDocumentWithEntries {
  /** What posts it, for the events. */
  readonly source: 'TEMPLATE' | 'REVERSAL';
  readonly day: Day;
  /** Used when it exists in the month, else created; absent: a new batch. */
  readonly batchNumber: string | undefined;
  readonly documentNumber: string | undefined;
  readonly text: string | undefined;
  /** As given: a line that names its offset account may mean its pair. */
  readonly entries: readonly LogicalEntry[];
}

/** Posts a document with all its entries in the caller's transaction, under the rules of any posting, and tells it. */
export async function postDocument(
  sql: Transaction,
  context: Context,
  tenant: Tenant,
  posted: NewDocumentWithEntries,
): Promise<DocumentPlace> {
  const { day } = posted;
  const month = monthOfDay(day);
  const state = (await lockMonthShared(sql, { ...tenant, month }))?.state ?? 'NOT_OPENED';
  const lines = posted.entries.flatMap((entry) => entry.lines);
  const facts = await readPostingFacts(sql, tenant, { month, state }, lines);
  throwIfAny(posted.entries.flatMap((entry) => postingProblems(entry, facts)));
  const { batchId, batch } = await batchOf(sql, context, tenant, posted.batchNumber, day);
  const { source, documentNumber, text } = posted;
  const by = context.caller.username;
  const inBatch = { companyId: tenant.companyId, batchId };
  const document = await insertDocument(sql, {
    ...inBatch,
    number: documentNumber ?? (await selectNextDocumentNumber(sql, inBatch)),
    referenceDay: dayNumberOf(day),
    text,
    standardNarration: undefined,
    by,
  });
  const place = { month, batchId, batch, documentId: document.id, document: document.number };
  const written = posted.entries.map(({ number, lines }) => ({ number, lines: physicalLines(lines)! }));
  await insertEntries(
    sql,
    tenant,
    written.map((entry) => ({ ...entry, documentId: document.id, day, by })),
  );
  const named = posted.entries.map(({ number }) => ({ entry: number, day }));
  recordEvents(sql, postedEvents(tenant, { source, ...place }, named));
  return place;
}

async function batchOf(
  sql: Transaction,
  context: Context,
  tenant: Tenant,
  number: string | undefined,
  day: Day,
): Promise<Pick<DocumentPlace, 'batchId' | 'batch'>> {
  const month = monthOfDay(day);
  if (number !== undefined) {
    const named = { ...tenant, month, number, description: undefined, by: context.caller.username };
    return { batchId: await lockNamedBatch(sql, named), batch: number };
  }
  const facts = { year: yearOf(month), month: monthNumberOf(month), number, description: undefined };
  const created = await createBatch(withTransaction(context, sql), tenant, facts);
  return { batchId: created.id, batch: created.number };
}
