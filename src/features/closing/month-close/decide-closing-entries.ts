import { type ClosingEntry, closingLines } from '../../../accounting/closing-entries.ts';
import type { ChartId } from '../../../accounting/ids.ts';
import { type Day, lastDay, type Month, monthNumberOf } from '../../../accounting/period.ts';
import { postingProblems } from '../../../accounting/posting.ts';
import type { Problem } from '../../../accounting/problem.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { BranchKey } from '../../access/access.ts';
import { masksOfChart } from '../../master-data/chart/masks-of-chart.ts';
import type { lockPostingAccounts } from '../../posting/entries/entries.sql.ts';
import { readPostingFacts } from '../../posting/entries/posting-facts.ts';
import { type StoredClosure, selectBalancesToClose, selectClosure } from './closing-entries.sql.ts';

/** Maximum number of reasons that a rejection names. */
const MAX_REPORTED = 5;
const DEFAULT_NARRATION = 'Apuração do resultado do período';

/** What a close of the month will post, at least one entry. */
export interface ClosingDecision {
  readonly batchNumber: string;
  readonly day: Day;
  readonly narration: string;
  readonly narrationCode: string | null;
  readonly entries: readonly ClosingEntry[];
}

/** The entries that close the result in the month; undefined: nothing is closed in it. */
export async function decideClosingEntries(
  sql: Sql,
  branch: BranchKey,
  chartId: ChartId,
  month: Month,
): Promise<ClosingDecision | undefined> {
  const closure = await selectClosure(sql, branch);
  if (!closure || !isClosingMonth(closure, month)) return undefined;
  const accounts = await selectBalancesToClose(sql, branch, month);
  const entries = closingLines(
    closure,
    new Map(accounts.map(({ id, balance }) => [id, balance])),
    accounts.map(({ id, code }) => ({ id, code, takesEntries: true })),
    await masksOfChart(sql, chartId),
  );
  if (entries.length === 0) return undefined;
  const { batchNumber, narrationCode, narration } = closure;
  return { batchNumber, day: lastDay(month), narration: narration ?? DEFAULT_NARRATION, narrationCode, entries };
}

/**
 * The posting rules apply to closing entries too, except for days, which are all closed by then. `accountsOf` reads the
 * accounts; whoever goes on to post locks them.
 */
export async function unpostableProblems(
  sql: Sql,
  branch: BranchKey,
  month: Month,
  { day, narration, narrationCode, entries }: ClosingDecision,
  accountsOf: typeof lockPostingAccounts,
): Promise<Problem[]> {
  const common = { day, narration, narrationCode };
  const posted = entries.map((entry) => ({ ...entry, lines: entry.lines.map((line) => ({ ...line, ...common })) }));
  const tenant = { ...branch, company: '', branch: '' };
  const lines = posted.flatMap((entry) => entry.lines);
  const facts = await readPostingFacts(sql, tenant, { month, state: 'OPEN' }, lines, accountsOf);
  const openFacts = { ...facts, isDayClosed: () => false };
  const problems = posted.flatMap((entry) => postingProblems(entry, openFacts));
  return [...new Map(problems.map((each) => [JSON.stringify(each), each])).values()].slice(0, MAX_REPORTED);
}

/** A fund closes once, in the last month of its own year, whatever months the settings list for the others. */
function isClosingMonth({ fundYearEnd, closingMonths }: StoredClosure, month: Month): boolean {
  const number = monthNumberOf(month);
  return fundYearEnd === null ? closingMonths.includes(number) : fundYearEnd === number;
}
