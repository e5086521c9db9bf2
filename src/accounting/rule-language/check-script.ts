import { isAccountCode } from '../account-code.ts';
import { monthFromIso } from '../period.ts';
import { type Bilingual, inBoth, quoted } from './bilingual.ts';
import { isPrefixText } from './chart-index.ts';
import type { Diagnostics } from './diagnostic.ts';
import { type ArgumentType, FUNCTIONS, type FunctionDefinition, parameterAt } from './functions.ts';
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
import { TYPE_NAMES, type ValueType } from './value-type.ts';

/**
 * What can be said of a script without running it. Mistakes of type are warnings: the language defines them as failures
 * of the run, and a line that never runs never fails.
 */
export function checkScript(tree: SyntaxTree, diagnostics: Diagnostics): void {
  const isReadable = !diagnostics.hasErrors;
  const names = new NamesInUse();
  checkBlock(tree.statements, names, diagnostics);
  // Where the syntax is broken, the missing assignment or use may stand in what could not be read.
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

  /** Each name once, where it stands first. */
  check(diagnostics: Diagnostics): void {
    for (const name of this.#read.values()) {
      if (this.#assigned.has(name.key)) continue;
      diagnostics.report('NAME_NEVER_ASSIGNED', name, inBoth(quoted(name.spelling)), {
        pt: `um valor antes, como ${name.spelling.length > 40 ? 'NOME' : name.spelling} = 0`,
        en: `a value before, such as ${name.spelling.length > 40 ? 'NOME' : name.spelling} = 0`,
      });
    }
    for (const name of this.#assigned.values()) {
      if (this.#read.has(name.key)) continue;
      diagnostics.report('UNUSED_NAME', name, inBoth(quoted(name.spelling)), {
        pt: 'um nome que o script usa',
        en: 'a name that the script uses',
      });
    }
  }
}

function checkBlock(statements: readonly Statement[], names: NamesInUse, diagnostics: Diagnostics): void {
  statements.forEach((statement, index) => {
    checkStatement(statement, names, diagnostics);
    const before = statements[index - 1];
    if (before?.kind !== 'return') return;
    diagnostics.report('UNREACHABLE', statement, inBoth(quoted(wordOf(statement))), {
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
  checkOperand(first, types, names, diagnostics);
  for (const { operand } of rest) checkOperand(operand, types, names, diagnostics);
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
    const nearest = nearestFunction(call.spelling);
    diagnostics.report('UNKNOWN_FUNCTION', call, inBoth(quoted(call.spelling)), {
      pt: nearest === undefined ? 'uma função da linguagem' : `uma função da linguagem, talvez ${nearest}`,
      en: nearest === undefined ? 'a function of the language' : `a function of the language, perhaps ${nearest}`,
    });
    return;
  }
  const count = call.arguments.length;
  if (count < definition.minimumArguments || count > (definition.maximumArguments ?? count)) {
    diagnostics.report('WRONG_ARGUMENT_COUNT', call, inBoth(String(count)), expectedCount(definition));
  }
  call.arguments.forEach((argument, index) => {
    const type = parameterAt(definition, index)?.type;
    if (type !== undefined) checkArgument(argument, type, diagnostics);
  });
}

function checkArgument(argument: Expression, type: ArgumentType, diagnostics: Diagnostics): void {
  expectTypes(argument, TYPES_OF_ARGUMENTS[type], diagnostics);
  const text = plainTextOf(argument);
  if (text === undefined) return;
  if (type === 'account' && (text === '' || (isPrefixText(text) && !isAccountCode(text.replace(/\.?\*$/, ''))))) {
    diagnostics.report('SUSPECT_ACCOUNT', argument, inBoth(quoted(text)), {
      pt: 'um código de conta, ou seu começo e um asterisco no fim ("1.1*")',
      en: 'an account code, or its beginning and a star at the end ("1.1*")',
    });
  }
  if (type === 'monthsOrMonth' && monthFromIso(text) === undefined) {
    diagnostics.report('INVALID_MONTH', argument, inBoth(quoted(text)), { pt: '"AAAA-MM"', en: '"YYYY-MM"' });
  }
}

const TYPES_OF_ARGUMENTS: Readonly<Record<ArgumentType, readonly ValueType[]>> = {
  account: TEXT,
  number: NUMBER,
  decimals: NUMBER,
  months: NUMBER,
  monthsOrMonth: ['number', 'text'],
  day: NUMBER,
};

function expectTypes(expression: Expression, types: readonly ValueType[], diagnostics: Diagnostics): void {
  const type = typeOf(expression);
  if (type === undefined || types.includes(type)) return;
  const names = types.map((each) => TYPE_NAMES[each]);
  diagnostics.report('TYPE_MISMATCH', expression, TYPE_NAMES[type], {
    pt: names.map(({ pt }) => pt).join(' ou '),
    en: names.map(({ en }) => en).join(' or '),
  });
}

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

function expectedCount({ minimumArguments, maximumArguments, signature }: FunctionDefinition): Bilingual {
  const range =
    maximumArguments === null
      ? { pt: `${minimumArguments} ou mais`, en: `${minimumArguments} or more` }
      : minimumArguments === maximumArguments
        ? inBoth(String(minimumArguments))
        : { pt: `${minimumArguments} a ${maximumArguments}`, en: `${minimumArguments} to ${maximumArguments}` };
  return { pt: `${range.pt}, ${signature}`, en: `${range.en}, ${signature}` };
}

const LONGEST_SUGGESTED_FOR = 40;

/** The function that was probably meant: at most a third of its letters differ. */
function nearestFunction(spelling: string): string | undefined {
  if (spelling.length > LONGEST_SUGGESTED_FOR) return undefined;
  const word = spelling.toUpperCase();
  return FUNCTIONS.map(({ name }) => ({ name, bound: Math.floor(name.length / 3) }))
    .filter(({ name, bound }) => Math.abs(name.length - word.length) <= bound)
    .map(({ name, bound }) => ({ name, bound, distance: editDistance(word, name) }))
    .filter(({ bound, distance }) => distance <= bound)
    .sort((a, b) => a.distance - b.distance)[0]?.name;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(substitution, previous[j]! + 1, current[j - 1]! + 1));
    }
    previous = current;
  }
  return previous[b.length]!;
}
