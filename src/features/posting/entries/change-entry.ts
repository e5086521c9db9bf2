import { brazilianDate, slashOf } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { recordEvents } from '../../operations/events/record-events.sql.ts';
import { selectSourcesOfEntries } from '../bulk/entry-sources.read.sql.ts';
import { lockEntryLines, updateEntryLines } from './change-entries.sql.ts';
import { decideLines, type EntryInput, lineOf, placeOf, withOffsetAccount } from './decide-entry.ts';
import { type EntryRow, selectEntry, selectReversalOf } from './entries.read.sql.ts';
import { lockPostingPlace, selectPostingRules } from './entries.sql.ts';
import { readPostingFacts } from './posting-facts.ts';

/**
 * Replaces a simple entry (two lines) of an open month; document and number stay. A reversed or reversing entry cannot
 * change. The trail records it before and after. Returns the line requested.
 */
export async function changeEntry(
  context: Context,
  tenant: Tenant,
  lineId: number,
  given: EntryInput,
): Promise<EntryRow> {
  const entry = withOffsetAccount(given);
  return context.transaction(async (sql) => {
    const throwNotFound = () => reject('NOT_FOUND', recordRef('Entry', lineId));
    const line = (await selectEntry(sql, tenant.companyId, lineId)) ?? throwNotFound();
    if (entry.documentId !== line.documentId) reject('ID_MISMATCH', {}, 'entry.document');
    if (entry.number !== undefined && entry.number !== line.number) reject('ID_MISMATCH', {}, 'entry.number');
    const place = (await lockPostingPlace(sql, tenant.companyId, line.documentId)) ?? throwNotFound();
    const { month } = place;
    if (place.state !== 'OPEN') reject('MONTH_CONSOLIDATED', { month: slashOf(month) });
    const before = await lockEntryLines(sql, tenant.companyId, line.documentId, line.number);
    const present = before.find((each) => each.id === lineId) ?? throwNotFound();
    if (before.length !== 2) reject('COMPOUND_ENTRY', { entry: line.number });
    await rejectUnchangeable(sql, tenant, present);
    const changed = lineOf(entry, place);
    const facts = await readPostingFacts(sql, tenant, place, [changed]);
    // The line that was requested keeps its place; the other one mirrors it.
    const [asked, mirrored] = decideLines(line.number, changed, facts);
    const other = before.find((each) => each.id !== lineId)!;
    const after = await updateEntryLines(
      sql,
      tenant,
      {
        day: changed.day,
        narration: entry.narration ?? null,
        narrationCode: entry.narrationCode ?? null,
        factDay: entry.factDay ?? null,
        by: context.caller.username,
      },
      [
        { ...asked!, id: lineId },
        { ...mirrored!, id: other.id },
      ],
    );
    await recordAudit(sql, context, { action: 'UPDATE', entity: 'entry', entityId: lineId, ...tenant, before, after });
    const sourceOf = await selectSourcesOfEntries(sql, tenant.companyId, [line]);
    const source = sourceOf(line.documentId, line.number);
    const data = { ...placeOf(place), entry: line.number, day: changed.day, ...source, change: 'UPDATED' } as const;
    recordEvents(sql, [{ type: 'entry.changed', ...tenant, data }]);
    return after.find((each) => each.id === lineId)!;
  });
}

/** Throws where an entry of an open month cannot change: it mirrors another or is mirrored, or its day is closed. */
export async function rejectUnchangeable(sql: Sql, tenant: Tenant, { id, number, day }: EntryRow): Promise<void> {
  const { reversedBy, reverses } = await selectReversalOf(sql, tenant.companyId, id);
  if (reversedBy !== null || reverses !== null) reject('MIRRORED', { entry: number });
  const earlier = await selectPostingRules(sql, tenant.companyId, tenant.branchId, [day]);
  if (earlier?.closedDays.length) reject('DAY_CLOSED', { day: brazilianDate(day) });
}
