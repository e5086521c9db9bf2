import { centavosFromSql, decimalOf, magnitudeOf, sumOf } from '../../../accounting/money.ts';
import { brazilianDate, type Day, monthOfDay } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { lockUnreversedLines } from '../../posting/entries/change-entries.sql.ts';
import { postDocument } from '../../posting/entries/post-document.ts';
import { postMirror } from '../../posting/entries/post-mirror.ts';
import { lockMonthShared, lockOpenBooks } from '../../posting/months/months.sql.ts';
import { type ProposedFee, proposeFees } from './compute-fees.ts';
import { type FeeAccrualRow, selectAccruals, selectChargedFees, selectLastAccruals } from './fund-fees.read.sql.ts';
import { insertAccrual, markReversed } from './fund-fees.sql.ts';

/** Posts the fees of a day, each by its template, under the rules of any posting; a day once. */
export function postFees(context: Context, tenant: Tenant, day: Day, confirmed: boolean): Promise<FeeAccrualRow[]> {
  return context.transaction(async (sql) => {
    await lockOpenBooks(sql, tenant.companyId, tenant.branchId);
    const proposed = await proposeFees(sql, tenant, day, 'LOCKED');
    if (!confirmed) {
      const total = decimalOf(sumOf(proposed.map(({ fee }) => magnitudeOf(centavosFromSql(fee.amount)))));
      const consequence = { consequence: 'FEES_ARE_POSTED', day: brazilianDate(day), total } as const;
      reject('CONFIRMATION_REQUIRED', { consequences: [consequence] }, 'confirmed');
    }
    for (const each of proposed) await postFee(sql, context, tenant, each);
    return standingOn(sql, tenant, day);
  });
}

async function postFee(
  sql: Transaction,
  context: Context,
  tenant: Tenant,
  { fee, entries, description }: ProposedFee,
): Promise<void> {
  const document =
    entries.length === 0
      ? undefined
      : await postDocument(sql, context, tenant, {
          source: 'TEMPLATE',
          day: fee.day,
          batchNumber: undefined,
          documentNumber: undefined,
          text: description,
          entries,
        });
  const documentId = document?.documentId ?? null;
  const id = await insertAccrual(sql, tenant, fee, { documentId, by: context.caller.username });
  const after = { ...fee, documentId };
  await recordAudit(sql, context, { action: 'CREATE', entity: 'fee_accrual', entityId: id, ...tenant, after });
}

/**
 * Takes the fees of a day back, by entries linked as their reversal, on the same day or another; the day may be accrued
 * again. Only the last day: later ones stand on it. Entries that were removed or reversed by hand need no reversal.
 */
export function reverseFees(
  context: Context,
  tenant: Tenant,
  { day, reversalDay, reason }: { readonly day: Day; readonly reversalDay: Day; readonly reason: string },
): Promise<FeeAccrualRow[]> {
  return context.transaction(async (sql) => {
    await lockOpenBooks(sql, tenant.companyId, tenant.branchId);
    await selectChargedFees(sql, tenant, day, 'LOCKED');
    const later = (await selectLastAccruals(sql, tenant)).find((last) => last.day > day);
    if (later) reject('FEE_LATER_DAY', { day: brazilianDate(day), later: brazilianDate(later.day) }, 'day');
    const standing = await standingOn(sql, tenant, day);
    if (standing.length === 0) reject('FEE_NOT_POSTED', { day: brazilianDate(day) }, 'day');
    for (const month of new Set([monthOfDay(day), monthOfDay(reversalDay)].sort()))
      await lockMonthShared(sql, { ...tenant, month });
    for (const before of standing) await reverseFee(sql, context, tenant, before, { reversalDay, reason });
    const reversed = new Set(standing.map(({ id }) => id));
    return (await selectAccruals(sql, tenant, { from: day, to: day })).filter(({ id }) => reversed.has(id));
  });
}

async function reverseFee(
  sql: Transaction,
  context: Context,
  tenant: Tenant,
  before: FeeAccrualRow,
  { reversalDay, reason }: { readonly reversalDay: Day; readonly reason: string },
): Promise<void> {
  const { id, documentId, day } = before;
  const lines = documentId === null ? [] : await lockUnreversedLines(sql, tenant.companyId, documentId);
  const of = brazilianDate(day);
  const mirror =
    lines.length === 0
      ? undefined
      : await postMirror(sql, context, tenant, lines, {
          day: reversalDay,
          text: `Estorno das taxas de ${of}`,
          reason,
          narrationOf: (number) => `Estorno do lançamento ${number} das taxas de ${of}: ${reason}`,
        });
  const reversal = { documentId: mirror?.documentId ?? null, at: context.now(), by: context.caller.username, reason };
  await markReversed(sql, tenant, id, reversal);
  const after = { ...before, reversedAt: reversal.at, reversedBy: reversal.by, reversalReason: reason };
  await recordAudit(sql, context, { action: 'REVERSE', entity: 'fee_accrual', entityId: id, ...tenant, before, after });
}

async function standingOn(sql: Transaction, tenant: Tenant, day: Day): Promise<FeeAccrualRow[]> {
  return (await selectAccruals(sql, tenant, { from: day, to: day })).filter(({ reversedAt }) => reversedAt === null);
}
