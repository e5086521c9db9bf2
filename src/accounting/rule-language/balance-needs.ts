import { addMonths, type Month, monthFromIso } from '../period.ts';
import { BOUNDS } from './bounds.ts';
import { wholeNumber } from './decimal.ts';
import { parameterAt } from './functions.ts';
import {
  type Call,
  type Expression,
  plainTextOf,
  type Script,
  type Statement,
  subexpressions,
  withoutGroups,
} from './script.ts';

export interface BalanceNeeds {
  /**
   * Months that the script may ask for, oldest first, none after the reference month; those that it computes are known
   * to the evaluation only.
   */
  readonly months: readonly Month[];
  /** Whether it may ask for daily balances of the reference month. */
  readonly days: boolean;
  /** The account texts that it may ask for; null when one of them is computed. */
  readonly accounts: readonly string[] | null;
}

/** What to load before evaluating, as far as the source tells. */
export function balanceNeeds(script: Script, referenceMonth: Month): BalanceNeeds {
  const calls = callsIn(script.statements);
  const months = calls.flatMap((call) => monthsOf(call, referenceMonth)).filter((month) => month <= referenceMonth);
  const accounts = calls.flatMap(accountsOf);
  return {
    months: [...new Set(months)].sort(),
    days: calls.some(({ definition }) => definition?.name === 'SALDO_DIA'),
    accounts: accounts.every((text) => text !== undefined) ? [...new Set(accounts)] : null,
  };
}

/** Undefined in place of each one that is computed. */
function accountsOf({ definition, arguments: given }: Call): (string | undefined)[] {
  if (definition === undefined) return [];
  return given.filter((_, index) => parameterAt(definition, index)?.type === 'account').map(plainTextOf);
}

/** Without those that are computed. */
function monthsOf({ definition, arguments: given }: Call, referenceMonth: Month): Month[] {
  if (definition === undefined) return [];
  const kinds = definition.parameters.map(({ type }) => type);
  if (!kinds.includes('account')) return [];
  const when = kinds.findIndex((type) => type === 'months' || type === 'monthsOrMonth');
  const isVariation = kinds[when] === 'months';
  const written = given[when];
  if (written === undefined) return isVariation ? [addMonths(referenceMonth, -1), referenceMonth] : [referenceMonth];
  const month = constantMonth(written, referenceMonth);
  return [month, isVariation ? referenceMonth : undefined].filter((each) => each !== undefined);
}

function constantMonth(expression: Expression, referenceMonth: Month): Month | undefined {
  const literal = withoutGroups(expression);
  const text = plainTextOf(literal);
  if (text !== undefined) return monthFromIso(text);
  const back = literal.kind === 'number' ? wholeNumber(literal.value) : undefined;
  return back === undefined || back > BOUNDS.monthsBack ? undefined : addMonths(referenceMonth, -back);
}

function callsIn(statements: readonly Statement[]): Call[] {
  const calls: Call[] = [];
  const visit = (expression: Expression): void => {
    if (expression.kind === 'call') calls.push(expression);
    subexpressions(expression).forEach(visit);
  };
  for (const expression of expressionsOf(statements)) visit(expression);
  return calls;
}

function expressionsOf(statements: readonly Statement[]): Expression[] {
  return statements.flatMap(expressionsOfStatement);
}

function expressionsOfStatement(statement: Statement): Expression[] {
  switch (statement.kind) {
    case 'assignment':
    case 'return':
      return [statement.value];
    case 'complaint':
      return [statement.message];
    case 'conditional':
      return [
        ...statement.branches.flatMap(({ condition, body }) => [condition, ...expressionsOf(body)]),
        ...expressionsOf(statement.otherwise?.body ?? []),
      ];
  }
}
