import { isAccountCode } from '../account-code.ts';
import { monthFromIso } from '../period.ts';
import { type Bilingual, inBothLanguages, quote } from './bilingual.ts';
import { isPrefixText } from './chart-index.ts';
import type { Diagnostics } from './diagnostic.ts';
import { foldWord } from './fold-word.ts';
import {
  type ArgumentType,
  FUNCTIONS,
  type FunctionDefinition,
  parameterAt,
  TYPE_NAMES,
  type ValueType,
} from './functions.ts';
import { withDecimalPoint } from './likely-number.ts';
import { meantKeyword } from './meant-keyword.ts';
import { nearWord } from './near-word.ts';
import {
  type Assignment,
  type Call,
  type Chain,
  type Comparison,
  type Expression,
  type Name,
  plainTextOf,
  type Statement,
  type SyntaxTree,
  withoutGroups,
} from './script.ts';

/**
 * Checks a script without running it. Type mistakes are warnings: the language defines them as failures of the run, and
 * a line that never runs never fails.
 */
export function checkScript(tree: SyntaxTree, diagnostics: Diagnostics): void {
  const isReadable = !diagnostics.hasErrors;
  const names = new NamesInUse();
  checkBlock(tree.statements, names, diagnostics);
  // Where the syntax is broken, the missing assignment or use may be in what could not be read.
  if (isReadable) names.check(diagnostics);
}

class NamesInUse {
  readonly #assigned = new Map<string, Name>();
  readonly #read = new Map<string, Name>();

  noteAssigned(name: Name): void {
    if (!this.#assigned.has(name.key)) this.#assigned.set(name.key, name);
  }

  noteRead(name: Name): void {
    if (!this.#read.has(name.key)) this.#read.set(name.key, name);
  }

  /** Each name once, where it is first. */
  check(diagnostics: Diagnostics): void {
    const meant = new Set<string>();
    const unused = [...this.#assigned.values()].filter(({ key }) => !this.#read.has(key));
    // A name that is never used is the likelier match.
    const candidates = [...unused, ...this.#assigned.values()].slice(0, MAX_COMPARED).map(({ spelling }) => spelling);
    for (const name of this.#read.values()) {
      if (this.#assigned.has(name.key) || diagnostics.isFull) continue;
      const likely = nearWord(name.spelling, candidates) ?? meantKeyword(name.spelling);
      if (likely !== undefined) meant.add(likely);
      diagnostics.report('NAME_NEVER_ASSIGNED', name, inBothLanguages(quote(name.spelling)), expectedFor(name, likely));
    }
    for (const name of unused) {
      // The same word is spelt in two ways, which is already reported.
      if (meant.has(name.spelling)) continue;
      diagnostics.report('UNUSED_NAME', name, inBothLanguages(quote(name.spelling)), {
        pt: 'um nome que o script usa',
        en: 'a name that the script uses',
      });
    }
  }
}

/** A script with more names than these is compared with the first of them only, so that thousands cost no time. */
const MAX_COMPARED = 20;

function expectedFor({ spelling }: Name, likely: string | undefined): Bilingual {
  if (likely !== undefined) return { pt: `talvez ${likely}`, en: `perhaps ${likely}` };
  const shown = spelling.length > 40 ? 'NOME' : spelling;
  return { pt: `um valor antes, como ${shown} = 0`, en: `a value before, such as ${shown} = 0` };
}

function checkBlock(statements: readonly Statement[], names: NamesInUse, diagnostics: Diagnostics): void {
  statements.forEach((statement, index) => {
    checkStatement(statement, names, diagnostics);
    const before = statements[index - 1];
    if (before?.kind !== 'return') return;
    diagnostics.report('UNREACHABLE', statement, inBothLanguages(quote(wordOf(statement))), {
      pt: 'o fim do bloco',
      en: 'the end of the block',
    });
  });
}

function wordOf(statement: Statement): string {
  switch (statement.kind) {
    case 'assignment':
      return statement.name.spelling;
    case 'complaint':
      return 'ERRO';
    case 'return':
      return 'RETORNA';
    case 'conditional':
      return 'SE';
  }
}

function checkStatement(statement: Statement, names: NamesInUse, diagnostics: Diagnostics): void {
  switch (statement.kind) {
    case 'assignment':
      checkAssignment(statement, names, diagnostics);
      break;
    case 'complaint':
      checkOperand(statement.message, TEXT, names, diagnostics);
      break;
    case 'return':
      checkExpression(statement.value, names, diagnostics);
      break;
    case 'conditional':
      for (const { condition, body } of statement.branches) {
        checkOperand(condition, TRUTH, names, diagnostics);
        checkBlock(body, names, diagnostics);
      }
      if (statement.otherwise !== undefined) checkBlock(statement.otherwise.body, names, diagnostics);
  }
}

function checkAssignment({ name, value }: Assignment, names: NamesInUse, diagnostics: Diagnostics): void {
  checkExpression(value, names, diagnostics);
  names.noteAssigned(name);
}

function checkExpression(expression: Expression, names: NamesInUse, diagnostics: Diagnostics): void {
  switch (expression.kind) {
    case 'name':
      names.noteRead(expression);
      break;
    case 'call':
      for (const argument of expression.arguments) checkExpression(argument, names, diagnostics);
      checkCall(expression, diagnostics);
      break;
    case 'text':
      for (const part of expression.parts) {
        if (typeof part !== 'string') checkOperand(part, INSERTED, names, diagnostics);
      }
      break;
    case 'group':
      checkExpression(expression.inner, names, diagnostics);
      break;
    case 'negation':
      checkOperand(expression.operand, NUMBER, names, diagnostics);
      break;
    case 'not':
      checkOperand(expression.operand, TRUTH, names, diagnostics);
      break;
    case 'sum':
    case 'product':
    case 'and':
    case 'or':
      checkChain(expression, names, diagnostics);
      break;
    case 'comparison':
      checkComparison(expression, names, diagnostics);
  }
}

function checkChain({ kind, first, rest }: Chain, names: NamesInUse, diagnostics: Diagnostics): void {
  const types = kind === 'and' || kind === 'or' ? TRUTH : NUMBER;
  for (const operand of [first, ...rest.map((link) => link.operand)]) {
    checkExpression(operand, names, diagnostics);
    expectTypes(operand, types, diagnostics, kind === 'sum' && typeOf(operand) === 'text' ? SUMMED_TEXT : undefined);
  }
}

function checkComparison({ left, operator, right }: Comparison, names: NamesInUse, diagnostics: Diagnostics): void {
  const isOrder = operator !== '=' && operator !== '<>';
  checkOperand(left, isOrder ? NUMBER : ANY, names, diagnostics);
  const type = typeOf(left);
  checkOperand(right, isOrder ? NUMBER : type === undefined ? ANY : [type], names, diagnostics);
}

function checkOperand(
  operand: Expression,
  types: readonly ValueType[],
  names: NamesInUse,
  diagnostics: Diagnostics,
): void {
  checkExpression(operand, names, diagnostics);
  expectTypes(operand, types, diagnostics);
}

const NUMBER: readonly ValueType[] = ['number'];
const TEXT: readonly ValueType[] = ['text'];
const TRUTH: readonly ValueType[] = ['truth'];
const INSERTED: readonly ValueType[] = ['number', 'text'];
const ANY: readonly ValueType[] = ['number', 'text', 'truth'];

function checkCall(call: Call, diagnostics: Diagnostics): void {
  const { definition } = call;
  if (definition === undefined) {
    if (diagnostics.isFull) return;
    const likely = likelyFunction(call.spelling);
    const all = FUNCTIONS.map(({ name }) => name).join(', ');
    diagnostics.report('UNKNOWN_FUNCTION', call, inBothLanguages(quote(call.spelling)), {
      pt: likely === undefined ? `uma destas: ${all}` : `uma função da linguagem, talvez ${likely}`,
      en: likely === undefined ? `one of these: ${all}` : `a function of the language, perhaps ${likely}`,
    });
    return;
  }
  const count = call.arguments.length;
  if (count < definition.minimumArguments || count > (definition.maximumArguments ?? count)) {
    diagnostics.report('WRONG_ARGUMENT_COUNT', call, inBothLanguages(String(count)), expectedCount(definition, call));
  }
  call.arguments.forEach((argument, index) => {
    const type = parameterAt(definition, index)?.type;
    if (type !== undefined) checkArgument(argument, type, diagnostics);
  });
}

function checkArgument(argument: Expression, type: ArgumentType, diagnostics: Diagnostics): void {
  expectTypes(argument, TYPES_OF_ARGUMENTS[type], diagnostics, type === 'account' ? ACCOUNT : undefined);
  const text = plainTextOf(argument);
  if (text === undefined) return;
  if (type === 'account' && isSuspect(text)) {
    diagnostics.report('SUSPECT_ACCOUNT', argument, inBothLanguages(quote(text)), {
      pt: 'um código de conta, ou seu começo e um asterisco no fim ("1.1*")',
      en: 'an account code, or its beginning and a star at the end ("1.1*")',
    });
  }
  if (type === 'monthsOrMonth' && monthFromIso(text) === undefined) {
    diagnostics.report('INVALID_MONTH', argument, inBothLanguages(quote(text)), { pt: '"AAAA-MM"', en: '"YYYY-MM"' });
  }
}

/** Nothing, a prefix that is no code, or wildcards of other programs. */
function isSuspect(text: string): boolean {
  return text === '' || /[%?]/.test(text) || (isPrefixText(text) && !isAccountCode(text.replace(/\.?\*$/, '')));
}

const TYPES_OF_ARGUMENTS: Readonly<Record<ArgumentType, readonly ValueType[]>> = {
  account: TEXT,
  number: NUMBER,
  decimals: NUMBER,
  months: NUMBER,
  monthsOrMonth: ['number', 'text'],
  day: NUMBER,
};

function expectTypes(
  expression: Expression,
  types: readonly ValueType[],
  diagnostics: Diagnostics,
  expected: Bilingual = namesOf(types),
): void {
  const type = typeOf(expression);
  if (type === undefined || types.includes(type)) return;
  diagnostics.report('TYPE_MISMATCH', expression, TYPE_NAMES[type], expected);
}

function namesOf(types: readonly ValueType[]): Bilingual {
  const names = types.map((each) => TYPE_NAMES[each]);
  return { pt: names.map(({ pt }) => pt).join(' ou '), en: names.map(({ en }) => en).join(' or ') };
}

const ACCOUNT: Bilingual = {
  pt: 'texto (a conta fica entre aspas: "1.1.1")',
  en: 'a text (the account stands in quotes: "1.1.1")',
};

const SUMMED_TEXT: Bilingual = {
  pt: 'número (um valor entra num texto entre chaves: "Saldo {saldo}")',
  en: 'a number (a value enters a text in braces: "Balance {balance}")',
};

/** The type that the form of an expression gives it; undefined for a name, whose value only the run knows. */
function typeOf(expression: Expression): ValueType | undefined {
  const inner = withoutGroups(expression);
  switch (inner.kind) {
    case 'number':
    case 'call':
    case 'negation':
    case 'sum':
    case 'product':
      return 'number';
    case 'text':
      return 'text';
    case 'truth':
    case 'not':
    case 'and':
    case 'or':
    case 'comparison':
      return 'truth';
    default:
      return undefined;
  }
}

function expectedCount({ minimumArguments, maximumArguments, signature }: FunctionDefinition, call: Call): Bilingual {
  const number = splitNumber(call);
  const range =
    maximumArguments === null
      ? { pt: `${minimumArguments} ou mais`, en: `${minimumArguments} or more` }
      : minimumArguments === maximumArguments
        ? inBothLanguages(String(minimumArguments))
        : { pt: `${minimumArguments} a ${maximumArguments}`, en: `${minimumArguments} to ${maximumArguments}` };
  return {
    pt: `${range.pt}, ${signature}${number === undefined ? '' : `; com ponto decimal, ${number}`}`,
    en: `${range.en}, ${signature}${number === undefined ? '' : `; with a decimal point, ${number}`}`,
  };
}

/** Its name in other programs. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['ROUND', 'ARREDONDA'],
  ['ARRED', 'ARREDONDA'],
  ['SUM', 'SOMA_SALDO_CONTAS'],
  ['MINIMO', 'MIN'],
  ['MAXIMO', 'MAX'],
  ['MODULO', 'ABS'],
]);

function likelyFunction(spelling: string): string | undefined {
  const folded = foldWord(spelling);
  const names = FUNCTIONS.map(({ name }) => name);
  return folded === undefined ? undefined : (ELSEWHERE.get(folded) ?? nearWord(folded, names));
}

/** The numbers as they were meant where a decimal comma has split one into two: 'ABS(1,5)'. */
function splitNumber({ arguments: given }: Call): string | undefined {
  for (const [index, whole] of given.entries()) {
    const decimals = given[index + 1];
    if (whole.kind !== 'number' || decimals?.kind !== 'number' || whole.line !== decimals.line) continue;
    if (decimals.column === whole.column + whole.spelling.length + 1) {
      return withDecimalPoint(whole.spelling, decimals.spelling);
    }
  }
  return undefined;
}
