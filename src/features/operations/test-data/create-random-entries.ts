import type { Centavos } from '../../../accounting/money.ts';
import { type Day, firstDay, type Month, monthNumberOf, yearOf } from '../../../accounting/period.ts';
import { isMemorandum } from '../../../accounting/posting.ts';
import { reject } from '../../../accounting/problem.ts';
import { type Context, withTransaction } from '../../../platform/context.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { selectDaysOfMonth } from '../../master-data/calendar/calendar.read.sql.ts';
import { requireBooks } from '../../master-data/companies/require-books.ts';
import type { BatchRow } from '../../posting/batches/batches.read.sql.ts';
import { insertDocument } from '../../posting/batches/batches.sql.ts';
import { createBatch } from '../../posting/batches/create-batch.ts';
import { selectBranchMonths, selectCurrentDay } from '../../posting/months/months.read.sql.ts';
import { lockMonthShared, requireOpen } from '../../posting/months/months.sql.ts';
import { type NewEvent, recordEvents } from '../events/record-events.sql.ts';
import { type DrawableAccounts, insertRandomEntries, lockLeafAccounts } from './random-entries.sql.ts';

export interface RandomEntries {
  readonly batches: number;
  /** Logical entries in all, spread evenly over the batches. */
  readonly entries: number;
  readonly minimum: Centavos;
  readonly maximum: Centavos;
  /** Over all open days of the month, else on the current day. */
  readonly wholeMonth: boolean;
}

/** Random but balanced entries in the branch's last open month, for development and tests (domain: imports and bulk). */
export async function createRandomEntries(
  context: Context,
  tenant: Tenant,
  request: RandomEntries,
): Promise<{ batches: number; entries: number }> {
  return context.transaction(async (sql) => {
    const { lastOpen } = await selectBranchMonths(sql, tenant.companyId, tenant.branchId);
    const month = lastOpen ?? reject('NO_OPEN_DAY');
    requireOpen(await lockMonthShared(sql, { ...tenant, month }), month);
    const days = await openDays(sql, tenant, month, request.wholeMonth);
    if (days.length === 0) reject('NO_OPEN_DAY');
    const accounts = await drawableAccounts(sql, tenant, month);
    if (accounts.ids.length === 0) reject('NO_ACCOUNTS');
    const documents: number[] = [];
    const batches: BatchRow[] = [];
    for (let at = 0; at < request.batches; at++) {
      const facts = {
        year: yearOf(month),
        month: monthNumberOf(month),
        number: undefined,
        description: 'Dados de teste',
      };
      const batch = await createBatch(withTransaction(context, sql), tenant, facts);
      const document = {
        batchId: batch.id,
        number: '1',
        referenceDay: undefined,
        text: undefined,
        standardNarration: undefined,
        by: context.caller.username,
      };
      batches.push(batch);
      documents.push((await insertDocument(sql, { ...document, companyId: tenant.companyId })).id);
    }
    await insertRandomEntries(sql, { ...tenant, month }, request, {
      days,
      accounts,
      documents,
      by: context.caller.username,
    });
    const events = batches.map(({ id: batchId, number: batch }, at): NewEvent => {
      // They are dealt out to the documents one by one.
      const lines = 2 * Math.ceil((request.entries - at) / batches.length);
      return {
        ...{ type: 'entry.posted', ...tenant },
        data: { source: 'TEST_DATA', month, batchId, batch, importId: null, lines },
      };
    });
    recordEvents(sql, events.slice(0, request.entries));
    await recordAudit(sql, context, { action: 'CREATE', entity: 'test_entries', ...tenant, after: { ...request } });
    return { batches: documents.length, entries: request.entries };
  });
}

async function openDays(sql: Sql, tenant: Tenant, month: Month, wholeMonth: boolean): Promise<Day[]> {
  if (!wholeMonth) {
    const current = await selectCurrentDay(sql, tenant.companyId, tenant.branchId);
    if (current?.month === month) return [current.day];
  }
  const days = (await selectDaysOfMonth(sql, tenant, month)).flatMap(({ day, closed }) => (closed ? [] : day));
  return wholeMonth ? days : days.slice(0, 1);
}

/** Memorandum accounts are drawn against one another: a kind with a single account is left out. */
async function drawableAccounts(sql: Sql, tenant: Tenant, month: Month): Promise<DrawableAccounts> {
  const { chartId } = await requireBooks(sql, tenant);
  const accounts = await lockLeafAccounts(sql, chartId, firstDay(month));
  const [memorandum = [], others = []] = [true, false].map((wanted) => {
    const kind = accounts.filter((account) => isMemorandum(account) === wanted).map((account) => account.id);
    return kind.length < 2 ? [] : kind;
  });
  return { ids: [...others, ...memorandum], others: others.length };
}
