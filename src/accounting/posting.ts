import type { AccountClass } from './balance.ts';
import { balancingLine, type Side, totalOf } from './entry.ts';
import type { AccountId } from './ids.ts';
import { type Centavos, decimalOf, MAX_ENTRY_AMOUNT } from './money.ts';
import { brazilianDate, type Day, type Month, monthOfDay, slashOf } from './period.ts';
import { type Problem, problem, type Reason, type Validity } from './problem.ts';

// All posting rules in one order, for every input: single entries, changes, files, templates, reversals, closing.

/** An account as postings see it. */
export interface PostingAccount {
  readonly id: AccountId;
  readonly code: string;
  /** S: summary account, the sum of those below it; A: posting account. */
  readonly type: 'S' | 'A';
  readonly accountClass: AccountClass;
  readonly active: boolean;
  /** First and last day of its life; null: without bound. */
  readonly startDate: Day | null;
  readonly endDate: Day | null;
}

/** A standard narration as postings see it. */
export interface PostingNarration {
  readonly active: boolean;
  /** The standard text is incomplete: the entry must bring a complement. */
  readonly requiresComplement: boolean;
}

/** The state of the books when the entry is posted. */
export interface PostingFacts {
  readonly month: Month;
  readonly monthState: MonthState;
  readonly narrationRequired: boolean;
  /** Whether memorandum accounts may balance against others. */
  readonly mixesMemorandum: boolean;
  isDayClosed(day: Day): boolean;
  /** An account of the branch's chart. */
  account(id: AccountId): PostingAccount | undefined;
  /** The narration of that code for the branch: its own, else its company's, else the installation's. */
  narration(code: string): PostingNarration | undefined;
}

export type MonthState = 'NOT_OPENED' | 'OPEN' | 'CLOSED';

/** Where in an entry the fault is; each input format names it in its own words. */
export type PlaceInEntry =
  | 'month'
  | 'entry'
  | 'day'
  | 'account'
  | 'offsetAccount'
  | 'amount'
  | 'narration'
  | 'narrationCode'
  | 'factDay';

export interface PostingFinding {
  /** Index of the line at fault; undefined: the entry as a whole. */
  readonly line: number | undefined;
  readonly place: PlaceInEntry;
  readonly problem: Problem;
}

/** A line to be posted. A value that could not be read is undefined: the reader has already reported it. */
export interface PostingLine {
  readonly side: Side;
  readonly day: Day | undefined;
  readonly accountId: AccountId | undefined;
  readonly offsetAccountId: AccountId | null | undefined;
  readonly amount: Centavos | undefined;
  readonly narration: string | null;
  readonly narrationCode: string | null;
  /** Day of a fact that was not posted on its day; absent: that of posting. */
  readonly factDay?: Day | null | undefined;
}

export interface PostingEntry<L extends PostingLine = PostingLine> {
  readonly number: string;
  readonly lines: readonly L[];
}

type Found = { readonly place: PlaceInEntry; readonly problem: Problem };
type LineRule = (line: PostingLine, facts: PostingFacts) => Found | undefined;
type EntryRule = (number: string, sums: EntrySums, facts: PostingFacts) => Found | undefined;

/** The order is public: the first of several reasons gives the response its code. */
const LINE_RULES: readonly LineRule[] = [
  amountIsPositive,
  amountIsBounded,
  dayLiesInMonth,
  dayIsOpen,
  accountTakesLines,
  offsetAccountTakesLines,
  accountsDiffer,
  narrationIsUsable,
  narrationIsGiven,
  factIsEarlier,
];

/** Checked only where all lines are valid: a sum over a wrong line means nothing. */
const ENTRY_RULES: readonly EntryRule[] = [entryLiesOnOneDay, entryBalances, memorandumBalances];

/**
 * Every reason against the entry in the order of the rules, lines first; where the month takes no entries, only that.
 */
export function postingFindings(entry: PostingEntry, facts: PostingFacts): PostingFinding[] {
  const shut = monthProblem(facts.monthState, facts.month);
  if (shut) return [{ line: undefined, place: 'month', problem: shut }];
  const ofLines = entry.lines.flatMap((line, at) => lineFindings(line, facts).map((found) => ({ ...found, line: at })));
  if (ofLines.length > 0 || entry.lines.some(isUnread)) return ofLines;
  const sums = new EntrySums();
  for (const line of entry.lines) sums.add(line as SoundLine, facts);
  const ofEntry = entryFinding(entry.number, sums, facts);
  return ofEntry ? [{ ...ofEntry, line: undefined }] : [];
}

function isUnread({ day, accountId, amount }: PostingLine): boolean {
  return day === undefined || accountId === undefined || amount === undefined;
}

/** The same as problems, each at its path (`entry.amount`). */
export function postingProblems(entry: PostingEntry, facts: PostingFacts): Problem[] {
  return postingFindings(entry, facts).map(({ place, problem: found }) => ({ ...found, path: `entry.${place}` }));
}

/** Every reason against one line. */
export function lineFindings(line: PostingLine, facts: PostingFacts): Found[] {
  return LINE_RULES.flatMap((rule) => rule(line, facts) ?? []);
}

/** The first reason against an entry of sound lines only: mixing is not checked where the entry does not balance. */
export function entryFinding(number: string, sums: EntrySums, facts: PostingFacts): Found | undefined {
  for (const rule of ENTRY_RULES) {
    const found = rule(number, sums, facts);
    if (found) return found;
  }
  return undefined;
}

/** Why the month takes no entries, if anything. */
export function monthProblem(state: MonthState, month: Month, path?: string): Problem | undefined {
  if (state === 'OPEN') return undefined;
  return problem(state === 'CLOSED' ? 'MONTH_CONSOLIDATED' : 'MONTH_NOT_OPEN', { month: slashOf(month) }, path);
}

/** Why the account of that id takes no line on the day, if anything; without a day, whether it takes lines at all. */
export function accountProblem(
  id: AccountId,
  account: PostingAccount | undefined,
  day?: Day,
  path?: string,
): Problem | undefined {
  if (!account) return problem('ACCOUNT_NOT_IN_CHART', { account: id }, path);
  const { code, startDate, endDate } = account;
  if (account.type !== 'A') return problem('ACCOUNT_SYNTHETIC', { account: code }, path);
  if (!account.active) return problem('ACCOUNT_INACTIVE', { account: code }, path);
  const isOutside =
    day !== undefined && ((startDate !== null && day < startDate) || (endDate !== null && day > endDate));
  return isOutside ? problem('ACCOUNT_OUT_OF_VALIDITY', { account: code, ...validityOf(account) }, path) : undefined;
}

/** Why no posting may name the narration, if anything. */
export function narrationProblem(
  code: string,
  narration: PostingNarration | undefined,
  path?: string,
): Problem | undefined {
  if (!narration) return problem('UNKNOWN_HISTORY', { history: code }, path);
  return narration.active ? undefined : problem('HISTORY_INACTIVE', { history: code }, path);
}

/** Why the day is not that of a fact before the day of posting, if anything. */
export function factProblem(day: Day, factDay: Day, path?: string): Problem | undefined {
  if (factDay < day) return undefined;
  return problem('FACT_NOT_EARLIER', { fact: brazilianDate(factDay), day: brazilianDate(day) }, path);
}

/** Of memorandum accounts (SPED classes 05 and 09), which are a system of their own. */
export function isMemorandum({ accountClass }: Pick<PostingAccount, 'accountClass'>): boolean {
  return accountClass === '05' || accountClass === '09';
}

/**
 * The debits and credits of the given lines. Debits equal to credits: they are those. Else, where every line names its
 * offset account, each stands for itself and the one that balances it; else the entry does not balance.
 */
export function physicalLines<
  L extends { side: Side; accountId: AccountId; offsetAccountId: AccountId | null; amount: Centavos },
>(lines: readonly L[]): L[] | undefined {
  const form = entryForm({
    debits: totalOf(lines, 'D'),
    credits: totalOf(lines, 'C'),
    isPaired: lines.every((line) => line.offsetAccountId !== null),
  });
  if (form === 'LINES') return [...lines];
  return form && lines.flatMap((line) => [line, balancingLine({ ...line, offsetAccountId: line.offsetAccountId! })]);
}

/** What the lines given of an entry stand for: themselves, or each for itself and the one that balances it. */
export type EntryForm = 'LINES' | 'PAIRS';

/** undefined: the entry does not balance. */
export function entryForm({
  debits,
  credits,
  isPaired,
}: Pick<EntrySums, 'debits' | 'credits' | 'isPaired'>): EntryForm | undefined {
  if (debits === credits) return 'LINES';
  return isPaired ? 'PAIRS' : undefined;
}

/** All that the rules of entries need of an entry's lines, which may be read one by one from a file of a million. */
export class EntrySums {
  lines = 0;
  debits: Centavos = 0n;
  credits: Centavos = 0n;
  /** Every line names its offset account. */
  isPaired = true;
  isOnOneDay = true;
  private day: Day | undefined;
  /** Debits less credits of memorandum accounts, and of memorandum accounts named as offset. */
  private memorandum: Centavos = 0n;
  private offsetMemorandum: Centavos = 0n;

  /** A line that passed the rules of lines. */
  add(line: SoundLine, facts: PostingFacts): void {
    this.lines++;
    if (line.side === 'D') this.debits += line.amount;
    else this.credits += line.amount;
    this.day ??= line.day;
    if (line.day !== this.day) this.isOnOneDay = false;
    if (line.offsetAccountId === null) this.isPaired = false;
    if (facts.mixesMemorandum) return;
    const signed = line.side === 'D' ? line.amount : -line.amount;
    if (isMemorandum(facts.account(line.accountId)!)) this.memorandum += signed;
    if (line.offsetAccountId !== null && isMemorandum(facts.account(line.offsetAccountId)!)) {
      this.offsetMemorandum += signed;
    }
  }

  /** Debits less credits of memorandum accounts among the debits and credits that the lines stand for. */
  get memorandumDifference(): Centavos {
    return entryForm(this) === 'PAIRS' ? this.memorandum - this.offsetMemorandum : this.memorandum;
  }
}

function amountIsPositive({ amount }: PostingLine): Found | undefined {
  return amount === undefined || amount > 0n ? undefined : { place: 'amount', problem: problem('AMOUNT_NOT_POSITIVE') };
}

const TOO_LARGE: Reason = { reason: 'AMOUNT_TOO_LARGE', maximumAmount: decimalOf(MAX_ENTRY_AMOUNT) };

function amountIsBounded({ amount }: PostingLine): Found | undefined {
  if (amount === undefined || amount <= MAX_ENTRY_AMOUNT) return undefined;
  return { place: 'amount', problem: problem('INVALID_FIELD', TOO_LARGE) };
}

function dayLiesInMonth({ day }: PostingLine, { month }: PostingFacts): Found | undefined {
  if (day === undefined || monthOfDay(day) === month) return undefined;
  return { place: 'day', problem: problem('DAY_NOT_IN_MONTH', { month: slashOf(month), day: brazilianDate(day) }) };
}

function dayIsOpen({ day }: PostingLine, facts: PostingFacts): Found | undefined {
  if (day === undefined || monthOfDay(day) !== facts.month || !facts.isDayClosed(day)) return undefined;
  return { place: 'day', problem: problem('DAY_CLOSED', { day: brazilianDate(day) }) };
}

function accountTakesLines({ accountId, day }: PostingLine, facts: PostingFacts): Found | undefined {
  return accountId === undefined ? undefined : accountFinding('account', accountId, day, facts);
}

function offsetAccountTakesLines({ offsetAccountId, day }: PostingLine, facts: PostingFacts): Found | undefined {
  if (offsetAccountId === undefined || offsetAccountId === null) return undefined;
  return accountFinding('offsetAccount', offsetAccountId, day, facts);
}

function accountFinding(
  place: 'account' | 'offsetAccount',
  id: AccountId,
  day: Day | undefined,
  facts: PostingFacts,
): Found | undefined {
  const found = accountProblem(id, facts.account(id), day);
  return found && { place, problem: found };
}

function accountsDiffer({ accountId, offsetAccountId }: PostingLine): Found | undefined {
  if (accountId === undefined || accountId !== offsetAccountId) return undefined;
  return { place: 'offsetAccount', problem: problem('SAME_ACCOUNT') };
}

function narrationIsUsable({ narrationCode }: PostingLine, facts: PostingFacts): Found | undefined {
  if (!narrationCode) return undefined;
  const found = narrationProblem(narrationCode, facts.narration(narrationCode));
  return found && { place: 'narrationCode', problem: found };
}

function narrationIsGiven({ narration, narrationCode }: PostingLine, facts: PostingFacts): Found | undefined {
  if (narration) return undefined;
  if (!narrationCode) {
    return facts.narrationRequired ? { place: 'narration', problem: problem('HISTORY_REQUIRED') } : undefined;
  }
  return facts.narration(narrationCode)?.requiresComplement
    ? { place: 'narration', problem: problem('COMPLEMENT_REQUIRED', { history: narrationCode }) }
    : undefined;
}

/** A belated entry (lançamento extemporâneo) is of a fact before it. */
function factIsEarlier({ day, factDay }: PostingLine): Found | undefined {
  const found = day && factDay ? factProblem(day, factDay) : undefined;
  return found && { place: 'factDay', problem: found };
}

function entryLiesOnOneDay(number: string, { isOnOneDay }: EntrySums): Found | undefined {
  return isOnOneDay ? undefined : { place: 'day', problem: problem('ENTRY_ON_TWO_DAYS', { entry: number }) };
}

function entryBalances(number: string, sums: EntrySums): Found | undefined {
  if (entryForm(sums) !== undefined) return undefined;
  const totals = { debits: decimalOf(sums.debits), credits: decimalOf(sums.credits) };
  return { place: 'amount', problem: problem('UNBALANCED_ENTRY', { entry: number, ...totals }) };
}

function memorandumBalances(number: string, sums: EntrySums, { mixesMemorandum }: PostingFacts): Found | undefined {
  if (mixesMemorandum || sums.memorandumDifference === 0n) return undefined;
  return { place: 'account', problem: problem('MEMORANDUM_MIXED', { entry: number }) };
}

/** A line that passed all rules of lines. */
export interface SoundLine extends PostingLine {
  readonly day: Day;
  readonly accountId: AccountId;
  readonly offsetAccountId: AccountId | null;
  readonly amount: Centavos;
}

function validityOf({ startDate, endDate }: PostingAccount): Validity {
  const [first, last] = [startDate && brazilianDate(startDate), endDate && brazilianDate(endDate)];
  if (first && last) return { validity: 'BETWEEN', first, last };
  return first ? { validity: 'FROM', first } : { validity: 'UNTIL', last: last ?? '' };
}
