import { fitsBound, readScript } from './compile-script.ts';
import { comparePositions, type Diagnostic, Diagnostics, type Position } from './diagnostic.ts';
import type { Branch, Comment, Expression, Statement, SyntaxTree } from './script.ts';

export interface Formatting {
  /** Absent when the syntax has errors. */
  readonly text?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The script in its one canonical form: a statement a line, blocks indented, words in capitals, comments and single blank
 * lines kept. It means the same, and formatting it again changes nothing.
 */
export function formatScript(source: string): Formatting {
  const diagnostics = new Diagnostics();
  const tree = readScript(source, diagnostics);
  if (tree === undefined || diagnostics.hasErrors) return { diagnostics: diagnostics.inOrder() };
  const text = writeTree(tree);
  // Indentation can carry a script beyond the bound, and what is formatted must still compile.
  return fitsBound(text, diagnostics) ? { text, diagnostics: [] } : { diagnostics: diagnostics.inOrder() };
}

const INDENT = '  ';
const LINE_WIDTH = 100;

/** One line of code to write, and the stretch of the source that it stands for. */
interface Line {
  readonly depth: number;
  readonly text: string;
  readonly start: Position;
  readonly end: Position;
  /** FIM, SENAO, SENAOSE: a comment above belongs to the block that they end. */
  readonly isBlockEnd: boolean;
}

function writeTree({ statements, comments }: SyntaxTree): string {
  const output: string[] = [];
  const waiting = [...comments].reverse();
  let lastLine = 0;

  const writeComment = (comment: Comment, depth: number, codeLine: number): void => {
    separate(Math.min(comment.line, codeLine));
    output.push(INDENT.repeat(depth) + comment.text);
    lastLine = comment.line;
  };
  const separate = (line: number): void => {
    if (output.length > 0 && line > lastLine + 1) output.push('');
  };

  const lines = linesOf(statements, 0);
  lines.forEach((line, index) => {
    const commentDepth = line.isBlockEnd ? line.depth + 1 : line.depth;
    while (waiting.length > 0 && comparePositions(waiting.at(-1)!, line.end) < 0)
      writeComment(waiting.pop()!, commentDepth, line.start.line);
    separate(line.start.line);
    const next = lines[index + 1];
    const trailing = trailingComment(waiting.at(-1), line, next);
    if (trailing !== undefined) waiting.pop();
    output.push(INDENT.repeat(line.depth) + line.text + (trailing === undefined ? '' : ` ${trailing.text}`));
    lastLine = line.end.line;
  });
  while (waiting.length > 0) writeComment(waiting.pop()!, 0, Number.POSITIVE_INFINITY);
  return output.length === 0 ? '' : `${output.join('\n')}\n`;
}

/** A comment after the line's code, unless the code of the next line is between them. */
function trailingComment(comment: Comment | undefined, line: Line, next: Line | undefined): Comment | undefined {
  if (comment === undefined || comment.line !== line.end.line) return undefined;
  return next === undefined || comparePositions(comment, next.start) < 0 ? comment : undefined;
}

function linesOf(statements: readonly Statement[], depth: number): Line[] {
  return statements.flatMap((statement) => linesOfStatement(statement, depth));
}

function linesOfStatement(statement: Statement, depth: number): Line[] {
  const { end } = statement;
  const start = { line: statement.line, column: statement.column };
  const simple = (head: string, expression: Expression): Line[] => [
    { depth, text: head + layOutExpression(expression, depth, head.length), start, end, isBlockEnd: false },
  ];
  switch (statement.kind) {
    case 'assignment':
      return simple(`${statement.name.spelling} = `, statement.value);
    case 'complaint':
      return simple('ERRO ', statement.message);
    case 'return':
      return simple('RETORNA ', statement.value);
    case 'conditional': {
      const { otherwise } = statement;
      return [
        ...statement.branches.flatMap((branch, index) => linesOfBranch(branch, index > 0, depth)),
        ...(otherwise === undefined
          ? []
          : [
              { depth, text: 'SENAO', start: otherwise, end: otherwise, isBlockEnd: true },
              ...linesOf(otherwise.body, depth + 1),
            ]),
        { depth, text: 'FIM', start: end, end, isBlockEnd: true },
      ];
    }
  }
}

function linesOfBranch(branch: Branch, isLater: boolean, depth: number): Line[] {
  const head = isLater ? 'SENAOSE ' : 'SE ';
  const text = `${head}${layOutExpression(branch.condition, depth, head.length)} ENTAO`;
  return [{ depth, text, start: branch, end: branch.end, isBlockEnd: isLater }, ...linesOf(branch.body, depth + 1)];
}

/** On one line where it fits, else with the arguments of its outermost long call on lines of their own. */
function layOutExpression(expression: Expression, depth: number, column: number): string {
  const flat = flatText(expression);
  if (INDENT.length * depth + column + flat.length <= LINE_WIDTH) return flat;
  const inner = (part: Expression): string => `\n${INDENT.repeat(depth + 1)}${layOutExpression(part, depth + 1, 0)}`;
  const close = `\n${INDENT.repeat(depth)})`;
  if (expression.kind === 'group') return `(${inner(expression.inner)}${close}`;
  if (expression.kind === 'call' && expression.arguments.length > 0) {
    return `${callName(expression)}(${expression.arguments.map(inner).join(',')}${close}`;
  }
  return flat;
}

function flatText(expression: Expression): string {
  switch (expression.kind) {
    case 'number':
      return expression.spelling;
    case 'truth':
      return expression.value ? 'VERDADEIRO' : 'FALSO';
    case 'name':
      return expression.spelling;
    case 'text':
      return `"${expression.parts.map((part) => (typeof part === 'string' ? escapeText(part) : `{${flatText(part)}}`)).join('')}"`;
    case 'call':
      return `${callName(expression)}(${expression.arguments.map(flatText).join(', ')})`;
    case 'group':
      return `(${flatText(expression.inner)})`;
    case 'negation':
      return `-${flatText(expression.operand)}`;
    case 'not':
      return `NAO ${flatText(expression.operand)}`;
    case 'comparison':
      return `${flatText(expression.left)} ${expression.operator} ${flatText(expression.right)}`;
    case 'sum':
    case 'product':
    case 'and':
    case 'or':
      return [
        flatText(expression.first),
        ...expression.rest.map(({ operator, operand }) => `${operator} ${flatText(operand)}`),
      ].join(' ');
    case 'unreadable':
      throw new Error('a script with syntax errors was formatted');
  }
}

function callName({ spelling, definition }: Expression & { kind: 'call' }): string {
  return definition?.name ?? spelling;
}

function escapeText(text: string): string {
  return text.replace(/["\\{]/g, '\\$&');
}
