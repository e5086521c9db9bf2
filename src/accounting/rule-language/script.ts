import type { Decimal } from './decimal.ts';
import type { Position } from './diagnostic.ts';
import type { FunctionDefinition } from './functions.ts';

/** A compiled script: only `compileScript` makes one, and only from a source without errors. */
export interface Script {
  readonly statements: readonly Statement[];
}

/** What the parser understood, errors or not; comments are apart because only the formatter reads them. */
export interface SyntaxTree extends Script {
  readonly comments: readonly Comment[];
}

export interface Comment extends Position {
  readonly text: string;
}

export type Statement = Assignment | Complaint | Return | Conditional;

interface StatementSpan extends Position {
  /** Where its last token begins. */
  readonly end: Position;
}

export interface Assignment extends StatementSpan {
  readonly kind: 'assignment';
  readonly name: Name;
  readonly value: Expression;
}

/** ERRO. */
export interface Complaint extends StatementSpan {
  readonly kind: 'complaint';
  readonly message: Expression;
}

export interface Return extends StatementSpan {
  readonly kind: 'return';
  readonly value: Expression;
}

/** SE … SENAOSE … SENAO … FIM; `end` is FIM. */
export interface Conditional extends StatementSpan {
  readonly kind: 'conditional';
  readonly branches: readonly Branch[];
  readonly otherwise?: Otherwise;
}

/** SE or SENAOSE with its condition; `end` is ENTAO. */
export interface Branch extends StatementSpan {
  readonly condition: Expression;
  readonly body: readonly Statement[];
}

export interface Otherwise extends Position {
  readonly body: readonly Statement[];
}

export interface Name extends Position {
  readonly spelling: string;
  /** The same for every spelling of one name. */
  readonly key: string;
}

export type Expression =
  | NumberLiteral
  | TextLiteral
  | TruthLiteral
  | NameReference
  | Call
  | Group
  | Negation
  | Not
  | Chain
  | Comparison
  | Unreadable;

export interface NumberLiteral extends Position {
  readonly kind: 'number';
  readonly spelling: string;
  readonly value: Decimal;
}

/** Plain pieces and inserted expressions, in order. */
export interface TextLiteral extends Position {
  readonly kind: 'text';
  readonly parts: readonly (string | Expression)[];
}

export interface TruthLiteral extends Position {
  readonly kind: 'truth';
  readonly value: boolean;
}

export interface NameReference extends Name {
  readonly kind: 'name';
}

export interface Call extends Position {
  readonly kind: 'call';
  readonly spelling: string;
  /** Undefined when the language has no such function. */
  readonly definition: FunctionDefinition | undefined;
  readonly arguments: readonly Expression[];
}

/** Parentheses, kept so that the formatter leaves them where the author wanted them. */
export interface Group extends Position {
  readonly kind: 'group';
  readonly inner: Expression;
}

export interface Negation extends Position {
  readonly kind: 'negation';
  readonly operand: Expression;
}

export interface Not extends Position {
  readonly kind: 'not';
  readonly operand: Expression;
}

export type ChainOperator = '+' | '-' | '*' | '/' | 'E' | 'OU';
export type ComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** Operands of one precedence, left to right: a thousand terms nest no deeper than two. */
export interface Chain extends Position {
  readonly kind: 'sum' | 'product' | 'and' | 'or';
  readonly first: Expression;
  readonly rest: readonly Link[];
}

/** Its position is the operator's. */
export interface Link extends Position {
  readonly operator: ChainOperator;
  readonly operand: Expression;
}

export interface Comparison extends Position {
  readonly kind: 'comparison';
  readonly left: Expression;
  readonly operator: ComparisonOperator;
  readonly right: Expression;
}

/** Stands where a syntax error was; never in a Script. */
export interface Unreadable extends Position {
  readonly kind: 'unreadable';
}

/** The expressions directly inside one. */
export function subexpressions(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'text':
      return expression.parts.filter((part) => typeof part !== 'string');
    case 'call':
      return expression.arguments;
    case 'group':
      return [expression.inner];
    case 'negation':
    case 'not':
      return [expression.operand];
    case 'sum':
    case 'product':
    case 'and':
    case 'or':
      return [expression.first, ...expression.rest.map(({ operand }) => operand)];
    case 'comparison':
      return [expression.left, expression.right];
    default:
      return [];
  }
}

/** The expression without the parentheses around it. */
export function withoutGroups(expression: Expression): Expression {
  let inner = expression;
  while (inner.kind === 'group') inner = inner.inner;
  return inner;
}

/** The text of a literal that inserts nothing; undefined for every other expression. */
export function plainTextOf(expression: Expression): string | undefined {
  const inner = withoutGroups(expression);
  if (inner.kind !== 'text') return undefined;
  return inner.parts.every((part) => typeof part === 'string') ? inner.parts.join('') : undefined;
}
