import { otherSide } from '../../../accounting/entry.ts';
import { centavosFromSql } from '../../../accounting/money.ts';
import { brazilianDate, type Day, monthOfDay } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { lockMonthShared } from '../months/months.sql.ts';
import { insertReversal, lockEntryLines } from './change-entries.sql.ts';
import { type EntryRow, selectEntry, selectLines } from './entries.read.sql.ts';
import { selectPostingNarrations } from './entries.sql.ts';
import { postDocument } from './post-document.ts';

/** Batch that reversals are posted in. */
const REVERSAL_BATCH = 'EST';

/**
 * Estorno: posts the mirrored entry on a given open day, linked both ways; the entry itself may lie in a closed month.
 * Each entry is reversed at most once. Returns the lines of the reversal.
 */
export async function reverseEntry(
  context: Context,
  tenant: Tenant,
  lineId: number,
  wanted: { day: Day; narration: string | undefined },
): Promise<EntryRow[]> {
  return context.transaction(async (sql) => {
    const line = (await selectEntry(sql, tenant.companyId, lineId)) ?? throwNotFound(lineId);
    if (line.closing) reject('CLOSING_IS_AUTOMATIC');
    for (const month of [monthOfDay(line.day), monthOfDay(wanted.day)].sort()) {
      await lockMonthShared(sql, { ...tenant, month });
    }
    const lines = await lockEntryLines(sql, tenant.companyId, line.documentId, line.number);
    // It was deleted or archived before the months were locked.
    if (!lines.some((each) => each.id === lineId)) throwNotFound(lineId);
    const narration = wanted.narration ?? `Estorno do lançamento ${line.number} de ${brazilianDate(line.day)}`;
    const codes = lines.flatMap((each) => each.narrationCode ?? []);
    const narrations = await selectPostingNarrations(sql, tenant.companyId, tenant.branchId, codes);
    const { batchId, documentId } = await postDocument(sql, context, tenant, {
      day: wanted.day,
      batchNumber: REVERSAL_BATCH,
      documentNumber: undefined,
      text: narration,
      entries: [
        {
          number: '1',
          lines: lines.map((each) => ({
            side: otherSide(each.side),
            accountId: each.accountId,
            offsetAccountId: each.offsetAccountId,
            amount: centavosFromSql(each.amount),
            day: wanted.day,
            narration,
            // A retired narration must not prevent a reversal.
            narrationCode: narrations.get(each.narrationCode ?? '')?.active ? each.narrationCode : null,
          })),
        },
      ],
    });
    const link = {
      documentId: line.documentId,
      number: line.number,
      reversalDocumentId: documentId,
      reversalNumber: '1',
    };
    if (!(await insertReversal(sql, tenant.companyId, link))) reject('REVERSED_BEFORE', { entry: line.number });
    await recordAudit(sql, context, {
      action: 'REVERSE',
      entity: 'entry',
      entityId: lineId,
      ...tenant,
      after: { batchId, ...link },
    });
    return selectLines(sql, tenant.companyId, documentId);
  });
}

function throwNotFound(lineId: number): never {
  return reject('NOT_FOUND', recordRef('Entry', lineId));
}
