import type { EntryLine, LogicalEntry } from '../../../accounting/entry.ts';
import type { AccountId } from '../../../accounting/ids.ts';
import { type Centavos, centavosFromDecimal, decimalOf, magnitudeOf, sumOf } from '../../../accounting/money.ts';
import type { Day } from '../../../accounting/period.ts';
import { type Problem, problem } from '../../../accounting/problem.ts';

/** A line of a template as it is kept; amounts and percentages in decimal text. */
export interface TemplateLine {
  readonly sequence: number;
  readonly side: 'D' | 'C';
  readonly accountId: AccountId;
  readonly offsetAccountId: AccountId | null;
  readonly valueType: 'FIXED' | 'GIVEN' | 'PERCENTAGE' | 'ACCOUNT_BALANCE';
  readonly amount: string | null;
  readonly percentage: string | null;
  readonly narrationCode: string | null;
  readonly narration: string | null;
}

/** An amount given for a line when the template is used; sequence 0 is the base of the percentages. */
export interface GivenAmount {
  readonly sequence: number;
  readonly amount: string;
  readonly narration: string | null;
}

/** What is wrong with a template by itself: fixed and percentage lines without offset account must balance. */
export function templateProblems(lines: readonly TemplateLine[]): Problem[] {
  const sequences = lines.map((line) => line.sequence);
  return [
    ...(new Set(sequences).size < sequences.length
      ? [problem('INVALID_FIELD', { reason: 'SEQUENCES_REPEAT' }, 'lines')]
      : []),
    ...lines.flatMap((line, at) => {
      const path = `lines[${at}]`;
      if (line.accountId === line.offsetAccountId) return [problem('SAME_ACCOUNT', {}, `${path}.offsetAccount`)];
      if (line.valueType === 'FIXED' && line.amount === null) return [problem('MISSING_VALUE', {}, `${path}.amount`)];
      if (line.valueType === 'PERCENTAGE' && line.percentage === null)
        return [problem('MISSING_VALUE', {}, `${path}.percentage`)];
      return [];
    }),
    ...unbalancedTypes(lines.filter((line) => line.offsetAccountId === null)).map((sums) =>
      problem('RELEASE_UNBALANCED', sums, 'lines'),
    ),
  ];
}

/** Fixed amounts, and percentages, whose debits and credits differ. */
function unbalancedTypes(lines: readonly TemplateLine[]): { debits: string; credits: string }[] {
  return (['FIXED', 'PERCENTAGE'] as const).flatMap((type) => {
    const sum = (side: 'D' | 'C') =>
      sumOf(
        lines
          .filter((line) => line.valueType === type && line.side === side)
          .map((line) => centavosFromDecimal((type === 'FIXED' ? line.amount : line.percentage) ?? '0') ?? 0n),
      );
    const [debits, credits] = [sum('D'), sum('C')];
    return debits === credits ? [] : [{ debits: decimalOf(debits), credits: decimalOf(credits) }];
  });
}

/**
 * Lines that would balance memorandum accounts against others for any amounts: in a pair, or in the entry of all lines
 * without offset account, where the known amounts of memorandum lines differ or only one side has any. Other cases are
 * found when the template is used.
 */
export function mixingProblems(lines: readonly TemplateLine[], isMemorandum: (id: AccountId) => boolean): Problem[] {
  const pairs = lines.flatMap(({ accountId, offsetAccountId, sequence }, at) =>
    offsetAccountId !== null && isMemorandum(accountId) !== isMemorandum(offsetAccountId)
      ? [problem('MEMORANDUM_MIXED', { entry: sequence }, `lines[${at}].offsetAccount`)]
      : [],
  );
  const memorandum = lines.filter((line) => line.offsetAccountId === null && isMemorandum(line.accountId));
  const isOneSided = new Set(memorandum.map((line) => line.side)).size === 1;
  const areKnown = memorandum.every((line) => line.valueType === 'FIXED' || line.valueType === 'PERCENTAGE');
  const isMixed = isOneSided || (areKnown && unbalancedTypes(memorandum).length > 0);
  return isMixed ? [...pairs, problem('MEMORANDUM_MIXED', { entry: memorandum[0]!.sequence }, 'lines')] : pairs;
}

/**
 * The entries that a use of the template posts: a line with offset account is an entry by itself, all others are one
 * entry together. `balanceOf` gives the balance of an account at the time of use.
 */
export function entriesOfTemplate(
  lines: readonly TemplateLine[],
  given: readonly GivenAmount[],
  day: Day,
  balanceOf: (accountId: AccountId) => Centavos,
): { entries: LogicalEntry[]; problems: Problem[] } {
  const amounts = new Map(given.map((each) => [each.sequence, each]));
  const problems: Problem[] = [];
  const base = baseOf(lines, amounts);
  const shares = sharesOf(lines, base);
  const made = lines.flatMap((line): EntryLine[] => {
    const amount = amountOf(line, amounts, shares, balanceOf);
    if (amount === undefined) {
      problems.push(problem('MISSING_VALUE', {}, `amounts[${line.sequence}]`));
      return [];
    }
    // Of an account without balance, or of so little that nothing is left for the line, there is nothing to post.
    const isNothing = line.valueType === 'ACCOUNT_BALANCE' || (line.valueType === 'PERCENTAGE' && base > 0n);
    if (amount === 0n && isNothing) return [];
    return [
      {
        side: line.side,
        accountId: line.accountId,
        offsetAccountId: line.offsetAccountId,
        amount,
        day,
        narration: amounts.get(line.sequence)?.narration ?? line.narration ?? '',
        narrationCode: line.narrationCode,
      },
    ];
  });
  const open = made.filter((line) => line.offsetAccountId === null);
  const facts = made.filter((line) => line.offsetAccountId !== null).map((line) => [line]);
  if (open.length > 0) facts.push(open);
  const entries = facts.map((entryLines, at): LogicalEntry => ({ number: String(at + 1), lines: entryLines }));
  if (entries.length === 0) problems.push(problem('MISSING_VALUE', {}, 'amounts'));
  return { entries, problems };
}

/** The amount of a line that is known before it is posted: a fixed one, or one that was given. */
export function knownAmount(
  { valueType, sequence, amount }: Pick<TemplateLine, 'valueType' | 'sequence' | 'amount'>,
  given: readonly GivenAmount[],
): string | null {
  if (valueType === 'FIXED') return amount;
  return valueType === 'GIVEN' ? (given.find((each) => each.sequence === sequence)?.amount ?? null) : null;
}

/** The sequences whose amount is still to be given; 0: the base of percentages that no informed line gives. */
export function missingAmounts(lines: readonly TemplateLine[], given: readonly GivenAmount[]): number[] {
  const informed = lines.filter((line) => line.valueType === 'GIVEN');
  const needsBase = informed.length === 0 && lines.some((line) => line.valueType === 'PERCENTAGE');
  const isGiven = (sequence: number) => given.some((each) => each.sequence === sequence);
  const asked = [...(needsBase ? [0] : []), ...informed.map((line) => line.sequence)];
  return asked.filter((sequence) => !isGiven(sequence));
}

/**
 * Percentages of the base to the cent. Lines of one side share what their percentages sum to: each is rounded, none takes
 * more than is left, and the last one takes what is left, so that both sides are equal whatever the base.
 */
function sharesOf(lines: readonly TemplateLine[], base: Centavos): Map<TemplateLine, Centavos> {
  const shares = new Map<TemplateLine, Centavos>();
  const percentages = lines.filter((line) => line.valueType === 'PERCENTAGE');
  const groups = Map.groupBy(percentages, (line) => `${line.side}${line.offsetAccountId === null}`);
  for (const group of groups.values()) {
    let left = percentageOf(base, sumOf(group.map(hundredthsOf)));
    for (const [at, line] of group.entries()) {
      const rounded = percentageOf(base, hundredthsOf(line));
      const share = at === group.length - 1 || rounded > left ? left : rounded;
      shares.set(line, share);
      left -= share;
    }
  }
  return shares;
}

/** A percentage has two decimals, as an amount has. */
function hundredthsOf(line: TemplateLine): bigint {
  return centavosFromDecimal(line.percentage ?? '0') ?? 0n;
}

/** The base of percentages: the amount given for sequence 0, else the sum of the informed amounts. */
function baseOf(lines: readonly TemplateLine[], amounts: ReadonlyMap<number, GivenAmount>): Centavos {
  const given = amounts.get(0);
  if (given) return centavosFromDecimal(given.amount) ?? 0n;
  return lines
    .filter((line) => line.valueType === 'GIVEN')
    .reduce((sum, line) => sum + (centavosFromDecimal(amounts.get(line.sequence)?.amount ?? '0') ?? 0n), 0n);
}

function amountOf(
  line: TemplateLine,
  amounts: ReadonlyMap<number, GivenAmount>,
  shares: ReadonlyMap<TemplateLine, Centavos>,
  balanceOf: (accountId: AccountId) => Centavos,
): Centavos | undefined {
  switch (line.valueType) {
    case 'FIXED':
      return centavosFromDecimal(line.amount ?? '');
    case 'GIVEN':
      return centavosFromDecimal(amounts.get(line.sequence)?.amount ?? '');
    case 'ACCOUNT_BALANCE':
      return magnitudeOf(balanceOf(line.accountId));
    case 'PERCENTAGE':
      return shares.get(line);
  }
}

/** Half a centavo rounds up: percentages have two decimals, so ten thousandths of the base are exact before it. */
function percentageOf(base: Centavos, hundredths: bigint): Centavos {
  return (base * hundredths + 5_000n) / 10_000n;
}
