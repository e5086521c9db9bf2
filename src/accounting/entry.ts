import { type Centavos, decimalOf, MAX_ENTRY_AMOUNT, sumOf } from './money.ts';
import { brazilianDate, type Day, type Month, monthOfDay, slashOf } from './period.ts';
import { type Problem, problem } from './problem.ts';

export type Side = 'D' | 'C';

/** One debit or credit of a logical entry. */
export interface EntryLine {
  readonly side: Side;
  readonly accountId: number;
  readonly counterAccountId: number | null;
  readonly amount: Centavos;
  readonly day: Day;
  readonly history: string;
  readonly historyCode: string | null;
}

/** One accounting fact: the lines that share an entry number inside a document. */
export interface LogicalEntry {
  readonly number: string;
  readonly lines: readonly EntryLine[];
}

/** What can be said against an entry of that month without looking at the chart or the calendar. */
export function entryProblems(entry: LogicalEntry, month: Month): Problem[] {
  return [...entry.lines.flatMap((line) => lineProblems(line, month)), ...balanceProblems(entry.number, entry.lines)];
}

export function lineProblems(line: EntryLine, month: Month): Problem[] {
  const problems: Problem[] = [];
  if (line.amount <= 0n) problems.push(problem('AMOUNT_NOT_POSITIVE', {}, 'valor'));
  if (line.amount > MAX_ENTRY_AMOUNT) {
    problems.push(problem('INVALID_FIELD', { reason: `> ${decimalOf(MAX_ENTRY_AMOUNT)}` }, 'valor'));
  }
  if (monthOfDay(line.day) !== month) {
    problems.push(problem('DAY_NOT_IN_MONTH', { month: slashOf(month), day: brazilianDate(line.day) }, 'day'));
  }
  if (line.accountId === line.counterAccountId) problems.push(problem('SAME_ACCOUNT', {}, 'contrapartida'));
  return problems;
}

/** What decides whether an account takes a line. */
export interface PostableAccount {
  readonly code: string;
  /** S: synthetic, the sum of those below it; A: analytic. */
  readonly type: 'S' | 'A';
  readonly active: boolean;
  /** First and last day of its life; null: without bound. */
  readonly startDate: Day | null;
  readonly endDate: Day | null;
}

/** Why the account takes no line on the day, if anything: lines are of analytic accounts that live on their day. */
export function accountProblem(account: PostableAccount, day: Day, field?: string): Problem | undefined {
  if (account.type !== 'A') return problem('ACCOUNT_SYNTHETIC', { account: account.code }, field);
  const inForce =
    (account.startDate === null || account.startDate <= day) && (account.endDate === null || account.endDate >= day);
  return account.active && inForce ? undefined : problem('ACCOUNT_INACTIVE', { account: account.code }, field);
}

/** Debits must equal credits to the cent. */
export function balanceProblems(number: string, lines: readonly Pick<EntryLine, 'side' | 'amount'>[]): Problem[] {
  const debits = totalOf(lines, 'D');
  const credits = totalOf(lines, 'C');
  if (debits === credits) return [];
  return [problem('UNBALANCED_ENTRY', { entry: number, debits: decimalOf(debits), credits: decimalOf(credits) })];
}

/** The other half of a line that names its counter account: same fact, other side, accounts exchanged. */
export function balancingLine<L extends EntryLine>(line: L & { readonly counterAccountId: number }): L {
  return {
    ...line,
    side: otherSide(line.side),
    accountId: line.counterAccountId,
    counterAccountId: line.accountId,
  };
}

export function otherSide(side: Side): Side {
  return side === 'D' ? 'C' : 'D';
}

export function totalOf(lines: Iterable<Pick<EntryLine, 'side' | 'amount'>>, side: Side): Centavos {
  return sumOf(Iterator.from(lines).map((line) => (line.side === side ? line.amount : 0n)));
}
