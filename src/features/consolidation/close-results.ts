import { closingLines } from '../../accounting/closing.ts';
import { lastDay, type Month, monthNumberOf } from '../../accounting/period.ts';
import type { Transaction } from '../../platform/sql.ts';
import type { BranchKey } from '../balances/balances.read.sql.ts';
import { masksOfChart } from '../chart/masks-of-chart.ts';
import {
  type ClosingLineRow,
  insertClosingDocument,
  insertClosingLines,
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
  if (!closure?.closingMonths.includes(monthNumberOf(month))) return 0;
  const { accounts, balances } = await selectBalancesToClose(sql, branch, chartId, month, isFirst);
  const settings = { ...closure, excludeAccounts: [...closure.excludeAccounts] };
  const entries = closingLines(settings, balances, accounts, await masksOfChart(sql, chartId));
  if (entries.length === 0) return 0;
  const id = await insertClosingDocument(sql, branch, month, closure.batchNumber);
  const lines = entries.flatMap((entry) =>
    entry.lines.map((line, at): ClosingLineRow => ({ ...line, number: entry.number, sequence: at + 1 })),
  );
  const { historyCode, history } = closure;
  const document = { id, day: lastDay(month), historyCode, history: history ?? DEFAULT_HISTORY };
  await insertClosingLines(sql, branch, month, document, lines);
  return entries.length;
}
