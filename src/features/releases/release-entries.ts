import { balanceProblems, balancingLine, type EntryLine, type LogicalEntry } from '../../accounting/entry.ts';
import { type Centavos, centavosFromDecimal, decimalOf, magnitudeOf } from '../../accounting/money.ts';
import type { Day } from '../../accounting/period.ts';
import { type Problem, problem } from '../../accounting/problem.ts';

/** A line of a release as it is kept; amounts and percentages in decimal text. */
export interface ReleaseLine {
  readonly sequence: number;
  readonly debcre: 'D' | 'C';
  readonly contaId: number;
  readonly contrapartida: number | null;
  readonly valueType: 'FIXO' | 'INFORMADO' | 'PERCENTUAL' | 'SALDO_CONTA';
  readonly valor: string | null;
  readonly percentual: string | null;
  readonly cdhistorico: string | null;
  readonly historico: string | null;
}

/** An amount given for a line when the release is used; sequence 0 is the base of the percentages. */
export interface GivenAmount {
  readonly sequence: number;
  readonly valor: string;
  readonly historico: string | null;
}

/** What is wrong with a release by itself: fixed and percentage lines without counter account must balance. */
export function releaseProblems(lines: readonly ReleaseLine[]): Problem[] {
  const sequences = lines.map((line) => line.sequence);
  return [
    ...(new Set(sequences).size < sequences.length
      ? [
          problem(
            'INVALID_FIELD',
            { reason: 'sequences must differ', reasonPt: 'as sequências devem ser distintas' },
            'lines',
          ),
        ]
      : []),
    ...lines.flatMap((line, at) => {
      const field = `lines.${at}`;
      if (line.contaId === line.contrapartida) return [problem('SAME_ACCOUNT', {}, `${field}.contrapartida`)];
      if (line.valueType === 'FIXO' && line.valor === null) return [problem('MISSING_VALUE', {}, `${field}.valor`)];
      if (line.valueType === 'PERCENTUAL' && line.percentual === null)
        return [problem('MISSING_VALUE', {}, `${field}.percentual`)];
      return [];
    }),
    ...(['FIXO', 'PERCENTUAL'] as const).flatMap((type) =>
      sumProblems(
        lines.filter((line) => line.valueType === type),
        type,
      ),
    ),
  ];
}

function sumProblems(lines: readonly ReleaseLine[], type: 'FIXO' | 'PERCENTUAL'): Problem[] {
  const open = lines.filter((line) => line.contrapartida === null);
  const sum = (side: 'D' | 'C') =>
    open
      .filter((line) => line.debcre === side)
      .reduce(
        (total, line) => total + (centavosFromDecimal((type === 'FIXO' ? line.valor : line.percentual) ?? '0') ?? 0n),
        0n,
      );
  const [debits, credits] = [sum('D'), sum('C')];
  return debits === credits
    ? []
    : [problem('RELEASE_UNBALANCED', { debits: decimalOf(debits), credits: decimalOf(credits) }, 'lines')];
}

/**
 * The entries that a use of the release posts: a line with counter account is an entry of two lines, all others are one
 * entry together. `balanceOf` gives the balance of an account at the time of use.
 */
export function releaseEntries(
  lines: readonly ReleaseLine[],
  given: readonly GivenAmount[],
  day: Day,
  balanceOf: (accountId: number) => Centavos,
): { entries: LogicalEntry[]; problems: Problem[] } {
  const amounts = new Map(given.map((each) => [each.sequence, each]));
  const problems: Problem[] = [];
  const base = baseOf(lines, amounts);
  const made = lines.flatMap((line): EntryLine[] => {
    const amount = amountOf(line, amounts, base, balanceOf);
    if (amount === undefined) {
      problems.push(problem('MISSING_VALUE', {}, `valores.${line.sequence}`));
      return [];
    }
    if (amount === 0n && line.valueType === 'SALDO_CONTA') return [];
    return [
      {
        side: line.debcre,
        accountId: line.contaId,
        counterAccountId: line.contrapartida,
        amount,
        day,
        history: amounts.get(line.sequence)?.historico ?? line.historico ?? '',
        historyCode: line.cdhistorico,
      },
    ];
  });
  const paired = made.filter((line) => line.counterAccountId !== null);
  const open = made.filter((line) => line.counterAccountId === null);
  const facts: (readonly EntryLine[])[] = paired.map((line) => [
    line,
    balancingLine({ ...line, counterAccountId: line.counterAccountId! }),
  ]);
  if (open.length > 0) facts.push(open);
  const entries = facts.map((entryLines, at): LogicalEntry => ({ number: String(at + 1), lines: entryLines }));
  if (entries.length === 0) problems.push(problem('MISSING_VALUE', {}, 'valores'));
  for (const entry of entries) problems.push(...balanceProblems(entry.number, entry.lines));
  return { entries, problems };
}

/** The base of percentages: the amount given for sequence 0, else the sum of the informed amounts. */
function baseOf(lines: readonly ReleaseLine[], amounts: ReadonlyMap<number, GivenAmount>): Centavos {
  const given = amounts.get(0);
  if (given) return centavosFromDecimal(given.valor) ?? 0n;
  return lines
    .filter((line) => line.valueType === 'INFORMADO')
    .reduce((sum, line) => sum + (centavosFromDecimal(amounts.get(line.sequence)?.valor ?? '0') ?? 0n), 0n);
}

function amountOf(
  line: ReleaseLine,
  amounts: ReadonlyMap<number, GivenAmount>,
  base: Centavos,
  balanceOf: (accountId: number) => Centavos,
): Centavos | undefined {
  switch (line.valueType) {
    case 'FIXO':
      return centavosFromDecimal(line.valor ?? '');
    case 'INFORMADO':
      return centavosFromDecimal(amounts.get(line.sequence)?.valor ?? '');
    case 'PERCENTUAL':
      return percentageOf(base, line.percentual ?? '0');
    case 'SALDO_CONTA':
      return magnitudeOf(balanceOf(line.contaId));
  }
}

/** Half a centavo rounds up: percentages have two decimals, so ten thousandths of the base are exact before it. */
function percentageOf(base: Centavos, percentage: string): Centavos {
  return (base * (centavosFromDecimal(percentage) ?? 0n) + 5_000n) / 10_000n;
}
