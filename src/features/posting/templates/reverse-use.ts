import { addMonths, brazilianDate, type Day, firstDay, type Month, monthOfDay } from '../../../accounting/period.ts';
import { BusinessError, reject } from '../../../accounting/problem.ts';
import { type Context, withTransaction } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { asBusinessError } from '../../operations/approvals/batch-limit.ts';
import { lockUnreversedLines } from '../entries/change-entries.sql.ts';
import { postMirror } from '../entries/post-mirror.ts';
import { selectMonthState } from '../months/months.read.sql.ts';
import { lockMonthShared } from '../months/months.sql.ts';
import { selectLastTemplateUse, type TemplateUseRow } from './templates.read.sql.ts';
import { insertTemplateUse, lockTemplateUse, selectWaitingReversals, updateTemplateUse } from './templates.sql.ts';

// Accruals: what a use of a marked template posts is reversed on the first day of the next month. The reversal is a use of
// its own. It is posted at once where that month is open, else when it opens; what the books have against it then (a closed
// day, an inactive account) leaves it pending, and the month opens all the same (domain: entry templates).

/** Makes the reversal of a use that was posted. The caller has locked the branch's options. */
export async function planReversal(
  sql: Transaction,
  context: Context,
  tenant: Tenant,
  use: TemplateUseRow,
): Promise<void> {
  const next = addMonths(monthOfDay(use.day), 1);
  const id = await insertTemplateUse(sql, tenant, {
    code: use.code,
    day: firstDay(next),
    batchNumber: undefined,
    documentNumber: undefined,
    amounts: [],
    status: 'PENDING',
    batchId: null,
    documentId: null,
    origin: 'REVERSAL',
    reversedUseId: use.id,
  });
  const after = await selectLastTemplateUse(sql, tenant, { id });
  await recordAudit(sql, context, {
    action: 'CREATE',
    entity: 'entry_template_use',
    entityId: id,
    ...tenant,
    after,
  });
  if ((await selectMonthState(sql, tenant.companyId, tenant.branchId, next)) === 'OPEN')
    await tryReversal(sql, context, tenant, id);
}

/** Posts the reversals that wait for a month that opens. */
export async function postWaitingReversals(
  sql: Transaction,
  context: Context,
  tenant: Tenant,
  month: Month,
): Promise<void> {
  for (const id of await selectWaitingReversals(sql, tenant, month)) await tryReversal(sql, context, tenant, id);
}

/** Posts the reversal that a locked, pending use stands for, on that day; returns its document. */
export async function postReversalOfUse(
  sql: Transaction,
  context: Context,
  tenant: Tenant,
  { id, reversedUseId }: TemplateUseRow,
  day: Day,
): Promise<{ batchId: number; documentId: number }> {
  const reversed = await selectLastTemplateUse(sql, tenant, { id: reversedUseId! });
  for (const month of [monthOfDay(reversed!.day), monthOfDay(day)].sort()) {
    await lockMonthShared(sql, { ...tenant, month });
  }
  const lines = await lockUnreversedLines(sql, tenant.companyId, reversed!.documentId!);
  // Its entries were deleted, archived, or reversed by hand: the use may be removed.
  if (lines.length === 0) reject('NOTHING_TO_REVERSE', { use: id });
  const of = brazilianDate(reversed!.day);
  return postMirror(sql, context, tenant, lines, {
    day,
    text: `Estorno automático de ${reversed!.code}, ${of}`,
    reason: `Estorno automático do lançamento padrão ${reversed!.code}`,
    narrationOf: (number) => `Estorno automático do lançamento ${number} de ${of}`,
  });
}

async function tryReversal(sql: Transaction, context: Context, tenant: Tenant, id: number): Promise<void> {
  try {
    await withTransaction(context, sql).transaction((part) => reverse(part, context, tenant, id));
  } catch (failure) {
    const error = asBusinessError(failure);
    if (!(error instanceof BusinessError)) throw error;
    context.log.info({ use: id, problems: error.message }, 'automatic reversal left pending');
  }
}

async function reverse(sql: Transaction, context: Context, tenant: Tenant, id: number): Promise<void> {
  await lockTemplateUse(sql, tenant.companyId, id);
  const use = await selectLastTemplateUse(sql, tenant, { id });
  // Posted or removed by somebody who held the lock before.
  if (use?.status !== 'PENDING') return;
  const posted = await postReversalOfUse(sql, context, tenant, use, use.day);
  await updateTemplateUse(sql, tenant.companyId, id, {
    day: use.day,
    batchNumber: undefined,
    documentNumber: undefined,
    amounts: [],
    status: 'POSTED',
    ...posted,
  });
  await recordAudit(sql, context, {
    action: 'UPDATE',
    entity: 'entry_template_use',
    entityId: id,
    ...tenant,
    before: use,
    after: await selectLastTemplateUse(sql, tenant, { id }),
  });
}
