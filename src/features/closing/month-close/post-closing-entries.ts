import type { ChartId } from '../../../accounting/ids.ts';
import { type Month, slashOf } from '../../../accounting/period.ts';
import { reject, throwIfAny } from '../../../accounting/problem.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { BranchKey } from '../../access/access.ts';
import { postedEvents, recordEvents } from '../../operations/events/record-events.sql.ts';
import { lockPostingAccounts } from '../../posting/entries/entries.sql.ts';
import { type ClosingLineRow, insertClosingDocument, insertClosingLines } from './closing-entries.sql.ts';
import { decideClosingEntries, unpostableProblems } from './decide-closing-entries.ts';

/**
 * In a closing month clears the result accounts against the two result accounts, and these against profit or loss
 * (domain: closing a month, 2). Returns how many entries were made; they are deleted when the month is reopened.
 */
export async function postClosingEntries(
  sql: Transaction,
  branch: BranchKey,
  chartId: ChartId,
  month: Month,
  by: string,
): Promise<number> {
  const decision = await decideClosingEntries(sql, branch, chartId, month);
  if (decision === undefined) return 0;
  throwIfAny(await unpostableProblems(sql, branch, month, decision, lockPostingAccounts));
  const { batchNumber, entries, day, narration, narrationCode } = decision;
  const place =
    (await insertClosingDocument(sql, branch, month, batchNumber, by)) ??
    reject('CLOSING_BATCH_TAKEN', { batch: batchNumber, month: slashOf(month) });
  const lines = entries.flatMap((entry) =>
    entry.lines.map((line, at): ClosingLineRow => ({ ...line, number: entry.number, sequence: at + 1 })),
  );
  await insertClosingLines(sql, branch, month, { id: place.documentId, day, narration, narrationCode, by }, lines);
  const named = entries.map(({ number }) => ({ entry: number, day }));
  recordEvents(sql, postedEvents(branch, { source: 'CLOSING', ...place }, named));
  return entries.length;
}
