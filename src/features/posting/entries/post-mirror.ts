import { otherSide } from '../../../accounting/entry.ts';
import { centavosFromSql } from '../../../accounting/money.ts';
import type { Day } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import type { DocumentPlace } from '../../operations/events/event-data.ts';
import { recordEvents } from '../../operations/events/record-events.sql.ts';
import { selectSourcesOfEntries } from '../bulk/entry-sources.read.sql.ts';
import { insertReversal } from './change-entries.sql.ts';
import { type EntryRow, selectPlaceOfDocument } from './entries.read.sql.ts';
import { selectPostingNarrations } from './entries.sql.ts';
import { postDocument } from './post-document.ts';

/** Batch that reversals are posted in. */
const REVERSAL_BATCH = 'EST';

/** How a mirror is posted: its day, its document's text, and what each entry's lines say. */
export interface Mirror {
  readonly day: Day;
  readonly text: string;
  readonly reason: string;
  narrationOf(entryNumber: string): string;
}

/**
 * Posts whole entries of one document with their sides exchanged, as one document of the batch of reversals, and links
 * each to its mirror. The caller has locked their months and lines. Throws REVERSED_BEFORE for an entry with a mirror.
 */
export async function postMirror(
  sql: Transaction,
  context: Context,
  tenant: Tenant,
  lines: readonly EntryRow[],
  { day, text, reason, narrationOf }: Mirror,
): Promise<DocumentPlace> {
  const codes = lines.flatMap((each) => each.narrationCode ?? []);
  const narrations = await selectPostingNarrations(sql, tenant.companyId, tenant.branchId, codes);
  const entries = [...Map.groupBy(lines, (line) => line.number)].map(([number, ofEntry], at) => ({
    reverses: number,
    first: ofEntry[0]!,
    number: String(at + 1),
    lines: ofEntry.map((each) => ({
      side: otherSide(each.side),
      accountId: each.accountId,
      offsetAccountId: each.offsetAccountId,
      amount: centavosFromSql(each.amount),
      day,
      narration: narrationOf(number),
      // A retired narration must not prevent a reversal.
      narrationCode: narrations.get(each.narrationCode ?? '')?.active ? each.narrationCode : null,
    })),
  }));
  const place = await postDocument(sql, context, tenant, {
    source: 'REVERSAL',
    day,
    batchNumber: REVERSAL_BATCH,
    documentNumber: undefined,
    text,
    entries,
  });
  const { batchId, documentId } = place;
  const original = await selectPlaceOfDocument(sql, tenant.companyId, lines[0]!.documentId);
  const named = entries.map(({ first }) => first);
  const sourceOf = await selectSourcesOfEntries(sql, tenant.companyId, named);
  for (const { reverses, first, number } of entries) {
    const link = {
      documentId: first.documentId,
      number: reverses,
      reversalDocumentId: documentId,
      reversalNumber: number,
      day: first.day,
      reversalDay: day,
      reason,
    };
    if (!(await insertReversal(sql, tenant.companyId, link))) reject('REVERSED_BEFORE', { entry: reverses });
    await recordAudit(sql, context, {
      action: 'REVERSE',
      entity: 'entry',
      entityId: first.id,
      ...tenant,
      after: { batchId, ...link },
    });
    recordEvents(sql, [
      {
        type: 'entry.reversed',
        ...tenant,
        data: {
          ...original,
          entry: reverses,
          day: first.day,
          ...sourceOf(first.documentId, first.number),
          reason,
          reversal: { ...place, entry: number, day },
        },
      },
    ]);
  }
  return place;
}
