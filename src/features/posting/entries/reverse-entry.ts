import { brazilianDate, type Day, monthOfDay } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tenant } from '../../access/access.ts';
import { lockMonthShared } from '../months/months.sql.ts';
import { lockEntryLines } from './change-entries.sql.ts';
import { type EntryRow, selectEntry, selectLines, selectPlaceOfDocument } from './entries.read.sql.ts';
import { postMirror } from './post-mirror.ts';

/**
 * Estorno: posts the mirrored entry on a given open day, linked both ways; the entry itself may lie in a closed month.
 * Each entry is reversed at most once. Its lines name lote, documento, lancamento and day of what they reverse, and the
 * reason (ITG 2000 (R1), item 33), after the caller's own words where there are any. Returns the lines of the reversal.
 */
export async function reverseEntry(
  context: Context,
  tenant: Tenant,
  lineId: number,
  wanted: { day: Day; reason: string; narration: string | undefined },
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
    const { batch, document } = await selectPlaceOfDocument(sql, tenant.companyId, line.documentId);
    const reference = `lançamento ${batch}/${document}/${line.number} de ${brazilianDate(line.day)}: ${wanted.reason}`;
    const narration =
      wanted.narration === undefined ? `Estorno do ${reference}` : `${wanted.narration} (estorno do ${reference})`;
    const mirror = { day: wanted.day, text: narration, reason: wanted.reason, narrationOf: () => narration };
    const { documentId } = await postMirror(sql, context, tenant, lines, mirror);
    return selectLines(sql, tenant.companyId, documentId);
  });
}

function throwNotFound(lineId: number): never {
  return reject('NOT_FOUND', recordRef('Entry', lineId));
}
