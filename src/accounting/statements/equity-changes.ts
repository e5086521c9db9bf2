import { type Centavos, decimalOf, sumOf } from '../money.ts';
import { type Problem, problem } from '../problem.ts';
import { publishedSign } from '../published-sign.ts';
import type { AccountAmounts } from './financial-statement.ts';
import type { PlacedAccount, Placement } from './place-accounts.ts';
import type { DefinitionLine } from './statement-definition.ts';

/** What changed the equity of a line: credit-positive, as equity is published. */
export interface EquityFact {
  readonly code: string;
  readonly description: string;
  readonly lineCode: string;
  readonly amount: Centavos;
}

export interface EquityPeriodFacts<Account extends PlacedAccount> {
  readonly lines: readonly DefinitionLine[];
  readonly placement: Placement<Account>;
  /** The posting accounts of the chart among them. */
  readonly accounts: readonly Account[];
  /** Balances before the period and at its end, debit-positive. */
  readonly opening: AccountAmounts;
  readonly closing: AccountAmounts;
  readonly facts: readonly EquityFact[];
}

export interface EquityColumn {
  /** Of its line; '' for a result that is not closed yet. */
  readonly code: string;
  readonly description: string;
  readonly opening: Centavos;
  readonly closing: Centavos;
}

/** Equity before and after a period with what changed it, by column; all amounts credit-positive. */
export interface EquityChanges {
  readonly columns: readonly EquityColumn[];
  /** By fact, the result first. */
  readonly changes: readonly {
    readonly code: string;
    readonly description: string;
    readonly amounts: readonly Centavos[];
  }[];
}

/** The code of the fact that the result of the period is. */
export const RESULT_FACT = 'RESULTADO';
const RESULT_NAME = 'Resultado do período';
/** The column of what has not been closed into equity yet. */
const OPEN_RESULT_LINE = '';

/**
 * A column for each line with accounts, and one for a result that is not closed yet, whose change is a part of the result
 * of the period. The problems name each column whose opening and facts do not make its closing.
 */
export function equityChanges<Account extends PlacedAccount>(
  given: EquityPeriodFacts<Account>,
): { readonly statement: EquityChanges; readonly problems: Problem[] } {
  const { lines, placement, accounts, opening, closing } = given;
  const details = lines.filter(({ indicator }) => indicator === 'D');
  const result = accounts.filter(({ type, accountClass }) => type === 'A' && accountClass === '04');
  const ofLines = [
    ...details.map(({ code, description }) => ({ code, description, of: placement.byLine.get(code) ?? [] })),
    { code: OPEN_RESULT_LINE, description: 'Resultado a encerrar', of: result },
  ];
  const all = ofLines.map(({ code, description, of }) => ({
    code,
    description,
    opening: equityOf(of, opening),
    closing: equityOf(of, closing),
  }));
  const open = all.at(-1)!;
  const facts = [
    ...given.facts,
    { code: RESULT_FACT, description: RESULT_NAME, lineCode: OPEN_RESULT_LINE, amount: open.closing - open.opening },
  ];
  const amountOf = (code: string, lineCode: string) =>
    sumOf(facts.map((fact) => (fact.code === code && fact.lineCode === lineCode ? fact.amount : 0n)));
  const names = new Map(facts.map(({ code, description }) => [code, description]));
  const codes = [RESULT_FACT, ...[...names.keys()].filter((code) => code !== RESULT_FACT)];
  const changes = codes.map((code) => ({
    code,
    description: names.get(code)!,
    amounts: all.map((column) => amountOf(code, column.code)),
  }));
  const problems = all.flatMap((column, at) => {
    const moved = sumOf(changes.map(({ amounts }) => amounts[at]!));
    const difference = column.closing - column.opening - moved;
    if (difference === 0n) return [];
    return [problem('EQUITY_FACTS_DIFFER', { column: column.description, difference: decimalOf(difference) }, 'facts')];
  });
  const isUsed = (at: number) =>
    all[at]!.opening !== 0n || all[at]!.closing !== 0n || changes.some(({ amounts }) => amounts[at] !== 0n);
  return {
    statement: {
      columns: all.filter((_, at) => isUsed(at)),
      changes: changes
        .filter(({ amounts }) => amounts.some((amount) => amount !== 0n))
        .map((change) => ({ ...change, amounts: change.amounts.filter((_, at) => isUsed(at)) })),
    },
    problems,
  };
}

function equityOf(accounts: readonly PlacedAccount[], balances: AccountAmounts): Centavos {
  return publishedSign('EQUITY') * sumOf(accounts.map(({ id }) => balances.get(id) ?? 0n));
}
