import { withOffsetAccounts } from '../../../accounting/entry.ts';
import type { AccountId } from '../../../accounting/ids.ts';
import type { Centavos } from '../../../accounting/money.ts';
import { type Day, dayIn, slashOf } from '../../../accounting/period.ts';
import { type PostingFinding, postingFindings } from '../../../accounting/posting.ts';
import { type Problem, problem } from '../../../accounting/problem.ts';
import type { BulkEntry } from './bulk-entry.ts';
import type { BulkFacts } from './read-bulk-facts.ts';

/** An entry that the rules let through, with its accounts found. */
export interface CheckedEntry {
  readonly day: Day;
  readonly lines: readonly CheckedLine[];
}

interface CheckedLine {
  readonly side: 'D' | 'C';
  readonly accountId: AccountId;
  readonly offsetAccountId: AccountId | null;
  readonly amount: Centavos;
  readonly narration: string | null;
}

/** The entry under the rules of any posting; or everything that is wrong with it, of each place the first reason. */
export function checkEntry(entry: BulkEntry, facts: BulkFacts, index: number): CheckedEntry | readonly Problem[] {
  if ('code' in facts) return [facts];
  const { posting, chart } = facts;
  const unread: Problem[] = [];
  const day = dayIn(entry.month, entry.dayNumber);
  if (day === undefined) {
    unread.push(problem('DAY_NOT_IN_MONTH', { day: entry.dayNumber, month: slashOf(entry.month) }, 'day'));
  }
  const { narrationCode, factDay } = entry;
  const read = entry.lines.map(({ side, account, amount, narration }, at) => {
    const found = typeof account === 'string' ? chart.find(account) : { id: account };
    if ('params' in found) unread.push({ ...found, path: `lines[${at}].account` });
    const accountId = 'params' in found ? undefined : found.id;
    return { side, day, accountId, amount, narration, narrationCode, factDay };
  });
  const lines = withOffsetAccounts(read);
  const findings = postingFindings({ number: entry.number ?? `#${index}`, lines }, posting);
  if (posting.monthState !== 'OPEN') return findings.map(problemOf);
  if (unread.length === 0 && findings.length === 0) return { day: day!, lines: lines as readonly CheckedLine[] };
  const first = new Map<string, Problem>();
  for (const each of [...unread, ...findings.map(problemOf)]) {
    if (!first.has(each.path!)) first.set(each.path!, each);
  }
  return [...first.values()];
}

/** At the place where the entry says it: the offset account of a simple entry is the account of its other line. */
function problemOf({ line, place, problem: found }: PostingFinding): Problem {
  return { ...found, path: pathOf(line, place) };
}

function pathOf(line: number | undefined, place: PostingFinding['place']): string {
  if (place === 'month' || place === 'day' || place === 'narrationCode' || place === 'factDay') return place;
  if (line === undefined) return 'lines';
  return place === 'offsetAccount' ? `lines[${1 - line}].account` : `lines[${line}].${place}`;
}
