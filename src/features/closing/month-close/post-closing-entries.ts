import { type ClosingEntry, closingLines } from '../../../accounting/closing-entries.ts';
import type { ChartId } from '../../../accounting/ids.ts';
import { type Day, lastDay, type Month, monthNumberOf, slashOf } from '../../../accounting/period.ts';
import { postingProblems } from '../../../accounting/posting.ts';
import { reject, throwIfAny } from '../../../accounting/problem.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { BranchKey } from '../../access/access.ts';
import { masksOfChart } from '../../master-data/chart/masks-of-chart.ts';
import { readPostingFacts } from '../../posting/entries/posting-facts.ts';
import {
  type ClosingLineRow,
  insertClosingDocument,
  insertClosingLines,
  type StoredClosure,
  selectBalancesToClose,
  selectClosure,
} from './closing-entries.sql.ts';

/** Maximum number of reasons that a rejection names. */
const MAX_REPORTED = 5;
const DEFAULT_NARRATION = 'Apuração do resultado do período';

/**
 * In a closing month clears the result accounts against the two result accounts, and these against profit or loss
 * (domain: closing a month, 2). Returns how many entries were made; they are deleted when the month is reopened.
 */
export async function closeResults(
  sql: Transaction,
  branch: BranchKey,
  chartId: ChartId,
  month: Month,
  isFirst: boolean,
  by: string,
): Promise<number> {
  const closure = await selectClosure(sql, branch);
  if (!closure || !isClosingMonth(closure, month)) return 0;
  const { accounts, balances } = await selectBalancesToClose(sql, branch, chartId, month, isFirst);
  const entries = closingLines(closure, balances, accounts, await masksOfChart(sql, chartId));
  if (entries.length === 0) return 0;
  const day = lastDay(month);
  const narration = closure.narration ?? DEFAULT_NARRATION;
  await rejectUnpostable(sql, branch, month, entries, { day, narration, narrationCode: closure.narrationCode });
  const id =
    (await insertClosingDocument(sql, branch, month, closure.batchNumber, by)) ??
    reject('CLOSING_BATCH_TAKEN', { batch: closure.batchNumber, month: slashOf(month) });
  const lines = entries.flatMap((entry) =>
    entry.lines.map((line, at): ClosingLineRow => ({ ...line, number: entry.number, sequence: at + 1 })),
  );
  const document = { id, day, narrationCode: closure.narrationCode, narration, by };
  await insertClosingLines(sql, branch, month, document, lines);
  return entries.length;
}

/** The posting rules apply to closing entries too, except for days, which are all closed by then. */
async function rejectUnpostable(
  sql: Transaction,
  branch: BranchKey,
  month: Month,
  entries: readonly ClosingEntry[],
  common: { day: Day; narration: string; narrationCode: string | null },
): Promise<void> {
  const posted = entries.map((entry) => ({ ...entry, lines: entry.lines.map((line) => ({ ...line, ...common })) }));
  const tenant = { ...branch, company: '', branch: '' };
  const lines = posted.flatMap((entry) => entry.lines);
  const facts = await readPostingFacts(sql, tenant, { month, state: 'OPEN' }, lines);
  const openFacts = { ...facts, isDayClosed: () => false };
  const problems = posted.flatMap((entry) => postingProblems(entry, openFacts));
  throwIfAny([...new Map(problems.map((each) => [JSON.stringify(each), each])).values()].slice(0, MAX_REPORTED));
}

/** A fund closes once, in the last month of its own year, whatever months the settings list for the others. */
function isClosingMonth({ fundYearEnd, closingMonths }: StoredClosure, month: Month): boolean {
  const number = monthNumberOf(month);
  return fundYearEnd === null ? closingMonths.includes(number) : fundYearEnd === number;
}
