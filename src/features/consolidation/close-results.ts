import { closingLines } from '../../accounting/closing.ts';
import { lastDay, type Month, monthNumberOf, slashOf } from '../../accounting/period.ts';
import { refuse } from '../../accounting/problem.ts';
import type { Transaction } from '../../platform/sql.ts';
import type { BranchKey } from '../balances/balances.read.sql.ts';
import { masksOfChart } from '../chart/masks-of-chart.ts';
import {
  type ClosingLineRow,
  insertClosingDocument,
  insertClosingLines,
  type StoredClosure,
  selectBalancesToClose,
  selectClosure,
} from './closing.sql.ts';

const DEFAULT_HISTORY = 'Apuração do resultado do período';

/**
 * In a closing month clears the result accounts against the two result accounts, and these against profit or loss
 * (domain: balances, 4). Answers how many entries were made; they go away when the month is reopened.
 */
export async function closeResults(
  sql: Transaction,
  branch: BranchKey,
  chartId: number,
  month: Month,
  isFirst: boolean,
): Promise<number> {
  const closure = await selectClosure(sql, branch);
  if (!closure || !isClosingMonth(closure, month)) return 0;
  const { accounts, balances } = await selectBalancesToClose(sql, branch, chartId, month, isFirst);
  const entries = closingLines(closure, balances, accounts, await masksOfChart(sql, chartId));
  if (entries.length === 0) return 0;
  const id =
    (await insertClosingDocument(sql, branch, month, closure.batchNumber)) ??
    refuse('CLOSING_BATCH_TAKEN', { batch: closure.batchNumber, month: slashOf(month) });
  const lines = entries.flatMap((entry) =>
    entry.lines.map((line, at): ClosingLineRow => ({ ...line, number: entry.number, sequence: at + 1 })),
  );
  const { historyCode, history } = closure;
  const document = { id, day: lastDay(month), historyCode, history: history ?? DEFAULT_HISTORY };
  await insertClosingLines(sql, branch, month, document, lines);
  return entries.length;
}

/** A fund closes once, in the last month of its own year, whatever months the settings list for the others. */
function isClosingMonth({ fundYearEnd, closingMonths }: StoredClosure, month: Month): boolean {
  const number = monthNumberOf(month);
  return fundYearEnd === null ? closingMonths.includes(number) : fundYearEnd === number;
}
