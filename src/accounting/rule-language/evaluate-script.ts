import { addMonths, type Day, dayIn, type Month, monthFromIso } from '../period.ts';
import { publishedBalance } from '../published-sign.ts';
import type { BalanceReader, MonthBalance } from './balance-reader.ts';
import { quote } from './bilingual.ts';
import { BOUNDS } from './bounds.ts';
import { type ChartAccount, withoutDescendants } from './chart-index.ts';
import {
  absolute,
  add,
  compareDecimals,
  type Decimal,
  decimalFromCentavos,
  decimalText,
  divide,
  fitsDigits,
  formatDecimal,
  HUNDRED,
  isZero,
  multiply,
  negate,
  roundHalfAwayFromZero,
  subtract,
  wholeNumber,
} from './decimal.ts';
import type { Position } from './diagnostic.ts';
import { type Failure, type FailureCode, failure } from './failure.ts';
import { type FunctionName, TYPE_NAMES, type ValueType } from './functions.ts';
import type { Call, Chain, Comparison, Expression, Script, Statement, TextLiteral } from './script.ts';
import { cutToBytes, utf8Length } from './utf8.ts';

export interface EvaluationFacts {
  readonly referenceMonth: Month;
  readonly balances: BalanceReader;
  /** How many nodes may be evaluated; the language's bound when absent. */
  readonly fuel?: number;
}

/** The outcome, or the balances that must be loaded before the script is evaluated again from its start. */
export type Evaluation =
  | { readonly outcome: RuleOutcome; readonly needs?: undefined }
  | { readonly outcome?: undefined; readonly needs: BalanceNeed };

export type BalanceNeed = { readonly month: Month } | { readonly daysOf: Month };

export type Value = Decimal | string | boolean;

export interface RuleOutcome {
  readonly status: RuleStatus;
  /** RETORNA's; null without one. */
  readonly value: Value | null;
  readonly messages: readonly RuleMessage[];
  readonly failure: Failure | null;
  /** Every balance requested, in order, repetitions included. */
  readonly reads: readonly BalanceRead[];
  readonly evaluatedNodes: number;
}

/** An ERRO outweighs a later failure: what was found is kept, together with the failure. */
export type RuleStatus = 'PASSED' | 'FAILED' | 'BROKEN';

/** The message of an ERRO and its place. */
export interface RuleMessage extends Position {
  readonly text: string;
}

export interface BalanceRead {
  readonly account: string;
  readonly month: Month;
  readonly kind: BalanceKind;
  readonly day?: Day;
  /** In centavos, as the script saw it: balances with the published sign, movements positive. */
  readonly balance: bigint;
}

export type BalanceKind = 'ACCUMULATED' | 'BEFORE_CLOSING' | 'DEBITS' | 'CREDITS' | 'DAY';

/** Runs a script over one branch's balances. It is pure, synchronous and never throws. */
export function evaluateScript(script: Script, facts: EvaluationFacts): Evaluation {
  return new Run(facts).evaluate(script);
}

interface Argument {
  readonly value: Value;
  readonly at: Position;
}

/** The first month that exists for the books; what lies before it is before every base month. */
const EARLIEST_MONTH = '1900-01';

/**
 * One evaluation. What stops it is noted in `#failure` or `#needs`, and every step above returns undefined or false.
 */
class Run {
  readonly #referenceMonth: Month;
  readonly #balances: BalanceReader;
  readonly #fuel: number;
  readonly #names = new Map<string, Value>();
  readonly #messages: RuleMessage[] = [];
  readonly #reads: BalanceRead[] = [];
  #evaluatedNodes = 0;
  #textBytes = 0;
  #returned: Value | undefined;
  #failure: Failure | undefined;
  #needs: BalanceNeed | undefined;

  constructor({ referenceMonth, balances, fuel }: EvaluationFacts) {
    this.#referenceMonth = referenceMonth;
    this.#balances = balances;
    this.#fuel = fuel ?? BOUNDS.evaluatedNodes;
  }

  evaluate({ statements }: Script): Evaluation {
    this.#block(statements);
    if (this.#needs !== undefined) return { needs: this.#needs };
    return {
      outcome: {
        status: this.#messages.length > 0 ? 'FAILED' : this.#failure !== undefined ? 'BROKEN' : 'PASSED',
        value: this.#returned ?? null,
        messages: this.#messages,
        failure: this.#failure ?? null,
        reads: this.#reads,
        evaluatedNodes: this.#evaluatedNodes,
      },
    };
  }

  /** False when the script ends here: by RETORNA, a failure or a need. */
  #block(statements: readonly Statement[]): boolean {
    return statements.every((statement) => this.#spend(statement) && this.#statement(statement));
  }

  #statement(statement: Statement): boolean {
    switch (statement.kind) {
      case 'assignment': {
        const value = this.#value(statement.value);
        if (value === undefined) return false;
        this.#names.set(statement.name.key, value);
        return true;
      }
      case 'complaint':
        return this.#complain(statement, this.#text(statement.message));
      case 'return':
        this.#returned = this.#value(statement.value);
        return false;
      case 'conditional':
        for (const { condition, body } of statement.branches) {
          const holds = this.#truth(condition);
          if (holds === undefined) return false;
          if (holds) return this.#block(body);
        }
        return this.#block(statement.otherwise?.body ?? []);
    }
  }

  #complain(at: Position, text: string | undefined): boolean {
    if (text === undefined) return false;
    if (this.#messages.length === BOUNDS.messages) {
      this.#fail('TOO_MANY_MESSAGES', at);
      return false;
    }
    this.#messages.push({ text: cutToBytes(text, BOUNDS.messageBytes), line: at.line, column: at.column });
    return true;
  }

  #value(expression: Expression): Value | undefined {
    if (expression.kind === 'group') return this.#value(expression.inner);
    if (!this.#spend(expression)) return undefined;
    switch (expression.kind) {
      case 'number':
      case 'truth':
        return expression.value;
      case 'text':
        return this.#composedText(expression);
      case 'name':
        return (
          this.#names.get(expression.key) ??
          this.#fail('NAME_NOT_ASSIGNED', expression, { name: quote(expression.spelling) })
        );
      case 'call':
        return this.#call(expression);
      case 'negation': {
        const operand = this.#number(expression.operand);
        return operand === undefined ? undefined : negate(operand);
      }
      case 'not': {
        const operand = this.#truth(expression.operand);
        return operand === undefined ? undefined : !operand;
      }
      case 'sum':
      case 'product':
        return this.#arithmetic(expression);
      case 'and':
      case 'or':
        return this.#connective(expression);
      case 'comparison':
        return this.#comparison(expression);
      case 'unreadable':
        throw new Error('a script with syntax errors was evaluated');
    }
  }

  #composedText(text: TextLiteral): string | undefined {
    let composed = '';
    for (const part of text.parts) {
      const piece = typeof part === 'string' ? part : this.#insertedText(part);
      if (piece === undefined) return undefined;
      composed += piece;
      if (composed.length > BOUNDS.textBytes) return this.#fail('TEXT_TOO_LARGE', text);
    }
    this.#textBytes += utf8Length(composed);
    return this.#textBytes > BOUNDS.textBytes ? this.#fail('TEXT_TOO_LARGE', text) : composed;
  }

  #insertedText(expression: Expression): string | undefined {
    const value = this.#value(expression);
    if (value === undefined || typeof value === 'string') return value;
    if (typeof value === 'boolean') return this.#rejectType(value, ['number', 'text'], expression);
    return formatDecimal(value, BOUNDS.insertedDecimals);
  }

  #arithmetic({ first, rest }: Chain): Decimal | undefined {
    let result = this.#number(first);
    for (const link of rest) {
      if (result === undefined) return undefined;
      const operand = this.#number(link.operand);
      if (operand === undefined) return undefined;
      if (link.operator === '/') result = this.#divide(result, operand, link);
      else if (link.operator === '*') result = this.#bounded(multiply(result, operand), link);
      else result = this.#bounded(link.operator === '+' ? add(result, operand) : subtract(result, operand), link);
    }
    return result;
  }

  #divide(dividend: Decimal, divisor: Decimal, at: Position): Decimal | undefined {
    if (isZero(divisor)) return this.#fail('DIVISION_BY_ZERO', at);
    return this.#bounded(divide(dividend, divisor, BOUNDS.divisionDecimals), at);
  }

  #connective({ kind, first, rest }: Chain): boolean | undefined {
    const decisive = kind === 'or';
    let result = this.#truth(first);
    for (const { operand } of rest) {
      if (result === undefined || result === decisive) return result;
      result = this.#truth(operand);
    }
    return result;
  }

  #comparison({ left, operator, right }: Comparison): boolean | undefined {
    if (operator === '=' || operator === '<>') {
      const a = this.#value(left);
      const b = a === undefined ? undefined : this.#value(right);
      if (a === undefined || b === undefined) return undefined;
      if (typeOf(a) !== typeOf(b)) return this.#rejectType(b, [typeOf(a)], right);
      const areEqual = typeof a === 'object' && typeof b === 'object' ? compareDecimals(a, b) === 0 : a === b;
      return areEqual === (operator === '=');
    }
    const a = this.#number(left);
    const b = a === undefined ? undefined : this.#number(right);
    if (a === undefined || b === undefined) return undefined;
    const order = compareDecimals(a, b);
    switch (operator) {
      case '<':
        return order < 0;
      case '<=':
        return order <= 0;
      case '>':
        return order > 0;
      case '>=':
        return order >= 0;
    }
  }

  #number(expression: Expression): Decimal | undefined {
    const value = this.#value(expression);
    return value === undefined || typeof value === 'object' ? value : this.#rejectType(value, ['number'], expression);
  }

  #text(expression: Expression): string | undefined {
    const value = this.#value(expression);
    return value === undefined || typeof value === 'string' ? value : this.#rejectType(value, ['text'], expression);
  }

  #truth(expression: Expression): boolean | undefined {
    const value = this.#value(expression);
    return value === undefined || typeof value === 'boolean' ? value : this.#rejectType(value, ['truth'], expression);
  }

  #call(call: Call): Decimal | undefined {
    const given: Argument[] = [];
    for (const argument of call.arguments) {
      const value = this.#value(argument);
      if (value === undefined) return undefined;
      given.push({ value, at: argument });
    }
    const result = this.#functions[call.definition!.name](given, call);
    return result === undefined ? undefined : this.#bounded(result, call);
  }

  /** The compiler has checked the argument count: required arguments are present. */
  readonly #functions: Readonly<Record<FunctionName, (given: readonly Argument[], call: Call) => Decimal | undefined>> =
    {
      SALDO_CONTA: (given, call) => this.#balanceWhen(given, call, 'ACCUMULATED'),
      SALDO_ANTES_ENCERRAMENTO: (given, call) => this.#balanceWhen(given, call, 'BEFORE_CLOSING'),
      MOVIMENTO_DEBITO: (given, call) => this.#balanceWhen(given, call, 'DEBITS'),
      MOVIMENTO_CREDITO: (given, call) => this.#balanceWhen(given, call, 'CREDITS'),
      SOMA_SALDO_CONTAS: (given, call) => {
        const union = this.#union(given);
        return union && this.#sumInMonth(union, this.#referenceMonth, 'ACCUMULATED', call);
      },
      VARIACAO_SALDO: (given, call) => {
        const balances = this.#laterAndEarlier(given, call);
        return balances && subtract(balances.later, balances.earlier);
      },
      VARIACAO_PERCENTUAL: (given, call) => {
        const balances = this.#laterAndEarlier(given, call);
        if (balances === undefined) return undefined;
        const change = subtract(balances.later, balances.earlier);
        return this.#divide(multiply(HUNDRED, change), absolute(balances.earlier), call);
      },
      SALDO_DIA: (given, call) => this.#balanceOfDay(given, call),
      ABS: ([x]) => {
        const number = this.#numberArgument(x!);
        return number && absolute(number);
      },
      MIN: (given) => this.#extreme(given, -1),
      MAX: (given) => this.#extreme(given, 1),
      ARREDONDA: ([x, decimals]) => {
        const number = this.#numberArgument(x!);
        const places = number && this.#wholeArgument(decimals!, 0, BOUNDS.roundingDecimals);
        return number && (places === undefined ? undefined : roundHalfAwayFromZero(number, places));
      },
    };

  #extreme(given: readonly Argument[], sign: -1 | 1): Decimal | undefined {
    let extreme: Decimal | undefined;
    for (const argument of given) {
      const number = this.#numberArgument(argument);
      if (number === undefined) return undefined;
      if (extreme === undefined || compareDecimals(number, extreme) === sign) extreme = number;
    }
    return extreme;
  }

  #numberArgument({ value, at }: Argument): Decimal | undefined {
    return typeof value === 'object' ? value : this.#rejectType(value, ['number'], at);
  }

  #wholeArgument(argument: Argument, minimum: number, maximum: number): number | undefined {
    const number = this.#numberArgument(argument);
    if (number === undefined) return undefined;
    const whole = wholeNumber(number);
    if (whole !== undefined && whole >= minimum && whole <= maximum) return whole;
    return this.#fail('INVALID_ARGUMENT', argument.at, {
      found: decimalText(number),
      expected: {
        pt: `um número inteiro de ${minimum} a ${maximum}`,
        en: `a whole number from ${minimum} to ${maximum}`,
      },
    });
  }

  #balanceWhen([account, when]: readonly Argument[], call: Call, kind: BalanceKind): Decimal | undefined {
    const accounts = this.#accounts(account!);
    if (accounts === undefined) return undefined;
    const month = when === undefined ? this.#referenceMonth : this.#monthArgument(when);
    return month === undefined ? undefined : this.#sumInMonth(accounts, month, kind, when?.at ?? call);
  }

  #laterAndEarlier([account, back]: readonly Argument[], call: Call): { later: Decimal; earlier: Decimal } | undefined {
    const accounts = this.#accounts(account!);
    if (accounts === undefined) return undefined;
    const month = back === undefined ? addMonths(this.#referenceMonth, -1) : this.#monthsBack(back);
    if (month === undefined) return undefined;
    const later = this.#sumInMonth(accounts, this.#referenceMonth, 'ACCUMULATED', call);
    const earlier = later && this.#sumInMonth(accounts, month, 'ACCUMULATED', back?.at ?? call);
    return later && earlier && { later, earlier };
  }

  #monthArgument(argument: Argument): Month | undefined {
    const { value, at } = argument;
    if (typeof value === 'boolean') return this.#rejectType(value, ['number', 'text'], at);
    if (typeof value === 'object') return this.#monthsBack(argument);
    return monthFromIso(value) ?? this.#fail('INVALID_MONTH', at, { found: quote(value) });
  }

  #monthsBack(argument: Argument): Month | undefined {
    const count = this.#wholeArgument(argument, 0, BOUNDS.monthsBack);
    return count === undefined ? undefined : addMonths(this.#referenceMonth, -count);
  }

  #accounts({ value, at }: Argument): readonly ChartAccount[] | undefined {
    if (typeof value !== 'string') return this.#rejectType(value, ['text'], at);
    const found = this.#balances.chart.find(value);
    if ('accounts' in found) return found.accounts;
    const account = quote(value);
    switch (found.problem) {
      case 'MALFORMED':
        return this.#fail('INVALID_ACCOUNT', at, { account });
      case 'NOT_FOUND':
        return this.#fail('ACCOUNT_NOT_FOUND', at, { account });
      case 'AMBIGUOUS': {
        const candidates = found.candidates.map(({ code }) => code).join(', ');
        return this.#fail('ACCOUNT_AMBIGUOUS', at, { account, candidates });
      }
    }
  }

  #union(given: readonly Argument[]): readonly ChartAccount[] | undefined {
    // A chart gives the same prefix the same list, so a repeated prefix is iterated once.
    const lists = new Set<readonly ChartAccount[]>();
    for (const argument of given) {
      const accounts = this.#accounts(argument);
      if (accounts === undefined) return undefined;
      lists.add(accounts);
    }
    return withoutDescendants([...lists].flat());
  }

  #sumInMonth(accounts: readonly ChartAccount[], month: Month, kind: BalanceKind, at: Position): Decimal | undefined {
    if (!this.#mayRead(month, kind, at)) return undefined;
    return this.#sum(accounts, at, (account) => {
      const stored = this.#balances.monthBalance(account.id, month);
      return { month, kind, balance: stored === undefined ? 0n : amountOf(stored, kind, account) };
    });
  }

  #mayRead(month: Month, kind: BalanceKind, at: Position): boolean {
    if (month > this.#referenceMonth) {
      this.#fail('AFTER_REFERENCE_MONTH', at, { month, reference: this.#referenceMonth });
      return false;
    }
    switch (month < EARLIEST_MONTH ? 'BEFORE_BASE' : this.#balances.monthState(month)) {
      case 'CLOSED':
        return true;
      case 'BASE':
        if (kind !== 'DEBITS' && kind !== 'CREDITS') return true;
        this.#fail('NO_MOVEMENT_BEFORE_BASE_MONTH', at, { month });
        return false;
      case 'BEFORE_BASE':
        this.#fail('BEFORE_BASE_MONTH', at, { month });
        return false;
      case 'OPEN':
        this.#fail('MONTH_NOT_CONSOLIDATED', at, { month });
        return false;
      case 'NOT_LOADED':
        this.#needs = { month };
        return false;
    }
  }

  #balanceOfDay([account, day]: readonly Argument[], call: Call): Decimal | undefined {
    const month = this.#referenceMonth;
    const accounts = this.#accounts(account!);
    const number = accounts && this.#numberArgument(day!);
    if (accounts === undefined || number === undefined) return undefined;
    const date = dayIn(month, wholeNumber(number) ?? 0);
    if (date === undefined) return this.#fail('INVALID_DAY', day!.at, { month, found: decimalText(number) });
    if (!this.#mayRead(month, 'DAY', call)) return undefined;
    if (this.#balances.daysState() === 'NOT_LOADED') {
      this.#needs = { daysOf: month };
      return undefined;
    }
    return this.#sum(accounts, call, (account) => {
      const balance = publishedBalance(this.#balances.dayBalance(account.id, date) ?? 0n, account);
      return { month, kind: 'DAY', day: date, balance };
    });
  }

  #sum(
    accounts: readonly ChartAccount[],
    at: Position,
    read: (account: ChartAccount) => Omit<BalanceRead, 'account'>,
  ): Decimal | undefined {
    let sum = 0n;
    for (const account of accounts) {
      if (this.#reads.length === BOUNDS.reads) return this.#fail('TOO_MANY_READS', at);
      const found = { account: account.code, ...read(account) };
      this.#reads.push(found);
      sum += found.balance;
    }
    return decimalFromCentavos(sum);
  }

  /** Counts a node; false when there is no fuel left for it. */
  #spend(at: Position): boolean {
    if (this.#evaluatedNodes === this.#fuel) {
      this.#fail('TOO_MANY_NODES', at, { limit: String(this.#fuel) });
      return false;
    }
    this.#evaluatedNodes++;
    return true;
  }

  #bounded(result: Decimal, at: Position): Decimal | undefined {
    return fitsDigits(result, BOUNDS.resultDigits) ? result : this.#fail('NUMBER_TOO_LARGE', at);
  }

  #rejectType(value: Value, expected: readonly ValueType[], at: Position): undefined {
    const names = expected.map((each) => TYPE_NAMES[each]);
    return this.#fail('TYPE_MISMATCH', at, {
      found: TYPE_NAMES[typeOf(value)],
      expected: { pt: names.map(({ pt }) => pt).join(' ou '), en: names.map(({ en }) => en).join(' or ') },
    });
  }

  #fail(code: FailureCode, at: Position, params: Parameters<typeof failure>[2] = {}): undefined {
    this.#failure = failure(code, at, params);
    return undefined;
  }
}

function amountOf(stored: MonthBalance, kind: BalanceKind, account: ChartAccount): bigint {
  switch (kind) {
    case 'DEBITS':
      return stored.debits;
    case 'CREDITS':
      return stored.credits;
    case 'BEFORE_CLOSING':
      return publishedBalance(stored.accumulated - stored.closing, account);
    default:
      return publishedBalance(stored.accumulated, account);
  }
}

function typeOf(value: Value): ValueType {
  if (typeof value === 'object') return 'number';
  return typeof value === 'string' ? 'text' : 'truth';
}
