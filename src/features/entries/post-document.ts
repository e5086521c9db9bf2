import { entryProblems, type LogicalEntry } from '../../accounting/entry.ts';
import { brazilianDate, type Day, dayNumberOf, monthNumberOf, monthOfDay, yearOf } from '../../accounting/period.ts';
import { problem, refuse, refuseIfAny } from '../../accounting/problem.ts';
import { type Context, joined } from '../../platform/context.ts';
import type { Transaction } from '../../platform/sql.ts';
import type { Tenant } from '../access/access.ts';
import { holdNamedBatch, insertDocument } from '../batches/batches.sql.ts';
import { createBatch } from '../batches/create-batch.ts';
import { lockMonthShared, requireOpen } from '../months/months.sql.ts';
import { insertEntry, lockPostingAccounts, selectPostingRules } from './entries.sql.ts';
import { accountProblems } from './post-entry.ts';

export interface NewDocumentWithEntries {
  readonly day: Day;
  /** Joined when the month has it, else made; absent: a new batch. */
  readonly batchNumber: string | undefined;
  readonly documentNumber: string | undefined;
  readonly text: string | undefined;
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
  requireOpen(await lockMonthShared(sql, { ...tenant, month }), month, 'month');
  const rules =
    (await selectPostingRules(sql, tenant.companyId, tenant.branchId, day)) ??
    refuse('CHART_NOT_CONFIGURED', { company: tenant.company, branch: tenant.branch });
  const lines = posted.entries.flatMap((entry) => entry.lines);
  const accounts = await lockPostingAccounts(sql, rules.chartId, [...new Set(lines.map((line) => line.accountId))]);
  refuseIfAny([
    ...(rules.dayClosed ? [problem('DAY_CLOSED', { day: brazilianDate(day) }, 'day')] : []),
    ...lines.flatMap((line) => accountProblems(accounts, line.accountId, day, 'contaId')),
    ...posted.entries.flatMap((entry) => entryProblems(entry, month)),
    ...(rules.historyRequired && lines.some((line) => !line.history && !line.historyCode)
      ? [problem('HISTORY_REQUIRED', {}, 'historico')]
      : []),
  ]);
  const batchId = await batchOf(sql, context, tenant, posted.batchNumber, day);
  const { batchNumber: _, documentNumber, text } = posted;
  const document = await insertDocument(sql, {
    companyId: tenant.companyId,
    batchId,
    number: documentNumber,
    referenceDay: dayNumberOf(day),
    text,
    standardHistory: undefined,
  });
  const place = { companyId: tenant.companyId, branchId: tenant.branchId, documentId: document.id, month };
  for (const entry of posted.entries) await insertEntry(sql, place, entry.number, day, entry.lines);
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
  if (number !== undefined) return holdNamedBatch(sql, { ...tenant, month, number, description: undefined });
  const facts = { year: yearOf(month), month: monthNumberOf(month), number, description: undefined };
  return (await createBatch(joined(context, sql), tenant, facts)).id;
}
