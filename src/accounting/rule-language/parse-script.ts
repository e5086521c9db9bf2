import { type Bilingual, inBothLanguages, quote } from './bilingual.ts';
import { BOUNDS } from './bounds.ts';
import { decimalFromText } from './decimal.ts';
import type { DiagnosticCode, Diagnostics, Position } from './diagnostic.ts';
import { functionNamed } from './functions.ts';
import { type LexedScript, lexScript, type Token } from './lex-script.ts';
import { withDecimalPoint } from './likely-number.ts';
import { meantKeyword } from './meant-keyword.ts';
import type {
  Branch,
  Chain,
  ChainOperator,
  Comparison,
  ComparisonOperator,
  Conditional,
  Expression,
  Link,
  Otherwise,
  Statement,
  SyntaxTree,
} from './script.ts';

/**
 * Reads a source within its bound. After an error it goes on where the text makes sense again, so that one reading
 * finds every mistake; what could not be read becomes `unreadable`.
 */
export function parseScript(source: string, diagnostics: Diagnostics): SyntaxTree {
  return new Parser(lexScript(source, diagnostics), diagnostics).run();
}

/** Binding powers, loosest first; a comparison takes sums on both sides, NAO takes a comparison. */
const POWER = { OR: 1, AND: 2, NOT: 3, COMPARISON: 4, SUM: 5, PRODUCT: 6, UNARY: 7 } as const;

interface OperatorLevel {
  readonly kind: Chain['kind'] | Comparison['kind'];
  readonly power: number;
}

const COMPARISON_LEVEL: OperatorLevel = { kind: 'comparison', power: POWER.COMPARISON };
const OPERATOR_LEVELS: ReadonlyMap<string, OperatorLevel> = new Map<ChainOperator | ComparisonOperator, OperatorLevel>([
  ['OU', { kind: 'or', power: POWER.OR }],
  ['E', { kind: 'and', power: POWER.AND }],
  ['=', COMPARISON_LEVEL],
  ['<>', COMPARISON_LEVEL],
  ['<', COMPARISON_LEVEL],
  ['<=', COMPARISON_LEVEL],
  ['>', COMPARISON_LEVEL],
  ['>=', COMPARISON_LEVEL],
  ['+', { kind: 'sum', power: POWER.SUM }],
  ['-', { kind: 'sum', power: POWER.SUM }],
  ['*', { kind: 'product', power: POWER.PRODUCT }],
  ['/', { kind: 'product', power: POWER.PRODUCT }],
]);
const STATEMENT_WORDS = new Set(['SE', 'ERRO', 'RETORNA']);
const OPERAND_WORDS = new Set(['NAO', 'VERDADEIRO', 'FALSO']);
const BLOCK_WORDS = new Set(['ENTAO', 'SENAOSE', 'SENAO', 'FIM']);

/** Enough for a call that people write, and a bound on rescanning a hostile line at each of its semicolons. */
const TOKENS_LOOKED_AHEAD = 200;

const EXPECTED = {
  expression: { pt: 'uma expressão', en: 'an expression' },
  statement: { pt: 'um comando: NOME =, SE, ERRO ou RETORNA', en: 'a statement: NAME =, SE, ERRO or RETORNA' },
  statementNotOperator: {
    pt: 'um comando (um comando só continua na linha seguinte entre parênteses)',
    en: 'a statement (a statement continues on the next line in parentheses only)',
  },
  comment: { pt: '# antes de um comentário', en: '# before a comment' },
  operandOnLine: {
    pt: 'uma expressão na mesma linha (só entre parênteses ela continua na seguinte)',
    en: 'an expression on the same line (in parentheses only it continues on the next)',
  },
  endOfSe: { pt: 'só FIM', en: 'FIM alone' },
  endOfStatement: { pt: 'um operador ou o fim da linha', en: 'an operator or the end of the line' },
  assignment: {
    pt: '“=” (um nome tem letras, algarismos e _, sem espaços)',
    en: '“=” (a name has letters, digits and _, no blanks)',
  },
  opening: inBothLanguages('“(”'),
  comma: inBothLanguages('“,”'),
  closing: inBothLanguages('“)”'),
  argumentEnd: { pt: '“,” ou “)”', en: '“,” or “)”' },
  insertionEnd: { pt: '“}” depois do valor inserido', en: '“}” after the inserted value' },
  entao: { pt: 'ENTAO na mesma linha', en: 'ENTAO on the same line' },
  ownName: { pt: 'outro nome', en: 'another name' },
  connective: { pt: 'E ou OU entre as comparações', en: 'E or OU between the comparisons' },
  parenthesizedNot: { pt: 'NAO entre parênteses', en: 'NAO in parentheses' },
  shallowExpression: {
    pt: `no máximo ${BOUNDS.expressionNesting} níveis`,
    en: `at most ${BOUNDS.expressionNesting} levels`,
  },
  shallowBlock: { pt: `no máximo ${BOUNDS.blockNesting} níveis`, en: `at most ${BOUNDS.blockNesting} levels` },
} as const satisfies Record<string, Bilingual>;

class Parser {
  readonly #lexed: LexedScript;
  readonly #tokens: Token[];
  readonly #diagnostics: Diagnostics;
  #at = 0;
  /** The token read last. */
  #previous: Token;
  /** Open parentheses of the statement being read: inside them a new line is a blank. */
  #parentheses = 0;
  #expressionDepth = 0;
  #blockDepth = 0;
  /** The rest of the statement would be guesswork: nothing more is reported about it. */
  #isLost = false;
  #lastReported: Token | undefined;

  constructor(lexed: LexedScript, diagnostics: Diagnostics) {
    this.#lexed = lexed;
    this.#tokens = [...lexed.tokens];
    this.#diagnostics = diagnostics;
    this.#previous = lexed.tokens[0]!;
  }

  run(): SyntaxTree {
    const statements = this.#block();
    while (this.#token.kind !== 'end') {
      this.#report('UNEXPECTED', EXPECTED.statement);
      this.#advance();
      statements.push(...this.#block());
    }
    return { statements, comments: this.#lexed.comments };
  }

  /** Up to a word that ends the block, or the end of the script. */
  #block(): Statement[] {
    const statements: Statement[] = [];
    while (true) {
      while (this.#token.kind === 'newline' || this.#isSymbol(';')) this.#advance();
      if (this.#token.kind === 'end') return statements;
      if (!this.#isAssignmentAhead()) this.#readAsMeant();
      if (this.#token.kind === 'keyword' && BLOCK_WORDS.has(this.#token.value) && !this.#isAssignmentAhead())
        return statements;
      const statement = this.#statement();
      if (statement !== undefined) statements.push(statement);
      this.#endStatement();
    }
  }

  #statement(): Statement | undefined {
    const { kind, value } = this.#token;
    if (kind === 'name') return this.#assignment();
    if ((kind === 'keyword' || kind === 'function') && this.#isAssignmentAhead()) {
      this.#report('RESERVED_NAME', EXPECTED.ownName);
      return this.#assignment();
    }
    if (kind === 'keyword' && value === 'SE') return this.#conditional();
    if (kind === 'keyword' && value === 'ERRO') {
      const start = this.#advance();
      const message = this.#expression();
      return { kind: 'complaint', ...positionOf(start), message, end: this.#end };
    }
    if (kind === 'keyword' && value === 'RETORNA') {
      const start = this.#advance();
      const result = this.#expression();
      return { kind: 'return', ...positionOf(start), value: result, end: this.#end };
    }
    this.#report('UNEXPECTED', this.#expectedStatement());
    this.#isLost = true;
    this.#advance();
    return undefined;
  }

  #expectedStatement(): Bilingual {
    const { value, line, column } = this.#token;
    if (this.#operatorAhead() === undefined) return EXPECTED.statement;
    const next = this.#tokens[this.#at + 1];
    const isDouble = (value === '/' || value === '-') && next?.line === line && next.column === column + 1;
    return isDouble && (next.value === value || next.value === '*') ? EXPECTED.comment : EXPECTED.statementNotOperator;
  }

  /** A misspelt keyword: reported once, then read as the keyword that was probably meant. */
  #readAsMeant(): void {
    const token = this.#token;
    const meant = token.kind === 'name' ? meantKeyword(token.spelling) : undefined;
    if (meant === undefined) return;
    this.#report('UNEXPECTED', inBothLanguages(meant));
    this.#tokens[this.#at] = { ...token, kind: 'keyword', value: meant };
  }

  #assignment(): Statement {
    const start = this.#advance();
    const name = { ...positionOf(start), spelling: start.spelling.normalize('NFC'), key: start.value };
    if (!this.#isSymbol('=')) {
      this.#report('UNEXPECTED', EXPECTED.assignment);
      this.#isLost = true;
      return { kind: 'assignment', ...positionOf(start), name, value: this.#unreadable(), end: this.#end };
    }
    this.#advance();
    const value = this.#expression();
    return { kind: 'assignment', ...positionOf(start), name, value, end: this.#end };
  }

  /** Whether the reserved word at hand is being assigned a value; `==` compares and starts nothing. */
  #isAssignmentAhead(): boolean {
    const next = this.#tokens[this.#at + 1];
    return next?.kind === 'symbol' && next.spelling === '=';
  }

  #conditional(): Conditional | undefined {
    const start = this.#token;
    if (this.#blockDepth === BOUNDS.blockNesting) {
      this.#report('BLOCK_TOO_DEEP', EXPECTED.shallowBlock);
      this.#skipConditional();
      return undefined;
    }
    this.#blockDepth++;
    const branches = [this.#branch()];
    let otherwise: Otherwise | undefined;
    while (!this.#isKeyword('FIM')) {
      if (this.#isKeyword('SENAOSE')) {
        if (otherwise !== undefined) this.#report('UNEXPECTED', inBothLanguages('FIM'));
        branches.push(this.#branch());
      } else if (this.#isKeyword('SENAO')) {
        if (otherwise !== undefined) this.#report('UNEXPECTED', inBothLanguages('FIM'));
        const word = this.#advance();
        otherwise = { ...positionOf(word), body: this.#block() };
      } else if (this.#isKeyword('ENTAO')) {
        this.#report('UNEXPECTED', EXPECTED.statement);
        this.#advance();
        this.#block();
      } else {
        this.#report('UNEXPECTED', expectedEnd(start, otherwise));
        break;
      }
    }
    if (this.#isKeyword('FIM')) this.#advance();
    this.#blockDepth--;
    const end = this.#end;
    if (this.#isKeyword('SE') && isLineOver(this.#tokens[this.#at + 1])) {
      this.#report('UNEXPECTED', EXPECTED.endOfSe);
      this.#advance();
    }
    return { kind: 'conditional', ...positionOf(start), branches, ...(otherwise && { otherwise }), end };
  }

  /** SE or SENAOSE, its condition, ENTAO and the block; without ENTAO the block begins on the next line. */
  #branch(): Branch {
    const start = this.#advance();
    const condition = this.#expression();
    if (!this.#isKeyword('ENTAO')) this.#report('UNEXPECTED', EXPECTED.entao);
    this.#skipToEndOfStatement();
    if (this.#token.kind === 'newline' && this.#tokens[this.#at + 1]?.value === 'ENTAO') this.#advance();
    if (this.#isKeyword('ENTAO')) this.#advance();
    const end = this.#end;
    return { ...positionOf(start), condition, end, body: this.#block() };
  }

  #skipConditional(): void {
    let depth = 0;
    do {
      if (this.#isKeyword('SE')) depth++;
      if (this.#isKeyword('FIM')) depth--;
      this.#advance();
    } while (depth > 0 && this.#token.kind !== 'end');
  }

  #endStatement(): void {
    const { kind, value } = this.#token;
    const isEnd = kind === 'newline' || kind === 'end' || this.#isSymbol(';');
    const isBlockEnd = kind === 'keyword' && BLOCK_WORDS.has(value);
    if (!isEnd && !isBlockEnd) this.#report('UNEXPECTED', EXPECTED.endOfStatement);
    this.#skipToEndOfStatement();
  }

  #skipToEndOfStatement(): void {
    this.#parentheses = 0;
    while (!this.#isStatementBoundary()) this.#advance();
    this.#isLost = false;
  }

  #isStatementBoundary(): boolean {
    const { kind, value } = this.#token;
    if (kind === 'keyword') return STATEMENT_WORDS.has(value) || BLOCK_WORDS.has(value);
    return kind === 'newline' || kind === 'end' || (kind === 'symbol' && value === ';');
  }

  #expression(): Expression {
    return this.#operation(POWER.OR);
  }

  #operation(minimum: number): Expression {
    let left = this.#operand(minimum);
    while (true) {
      if (this.#token.kind === 'unreadable') this.#stepOverUnreadable();
      if (this.#token.kind === 'name') this.#readAsMeant();
      const level = this.#operatorAhead();
      if (level === undefined || level.power < minimum) return left;
      left = level.kind === 'comparison' ? this.#comparison(left) : this.#chain(left, level.kind, level.power);
    }
  }

  /** What could not be read may have been an operator: an operand after it is no mistake of its own. */
  #stepOverUnreadable(): void {
    while (this.#token.kind === 'unreadable') this.#advance();
    if (this.#beginsOperand(this.#at)) this.#isLost = true;
  }

  /** A name followed by an assignment begins a statement instead. */
  #beginsOperand(at: number): boolean {
    const { kind, value } = this.#tokens[at]!;
    if (kind === 'symbol') return value === '(';
    if (kind === 'name') return this.#tokens[at + 1]?.spelling !== '=';
    if (kind === 'keyword') return OPERAND_WORDS.has(value);
    return kind === 'number' || kind === 'textStart' || kind === 'function';
  }

  #operatorAhead(): OperatorLevel | undefined {
    const { kind, value } = this.#token;
    return kind === 'symbol' || kind === 'keyword' ? OPERATOR_LEVELS.get(value) : undefined;
  }

  #chain(first: Expression, kind: Chain['kind'], power: number): Expression {
    const rest: Link[] = [];
    while (this.#operatorAhead()?.power === power) {
      const { value, line, column } = this.#advance();
      rest.push({ line, column, operator: value as ChainOperator, operand: this.#operation(power + 1) });
    }
    return { kind, ...positionOf(first), first, rest };
  }

  #comparison(left: Expression): Expression {
    const isChained = left.kind === 'comparison';
    if (isChained) this.#report('CHAINED_COMPARISON', EXPECTED.connective);
    const operator = this.#advance().value as ComparisonOperator;
    const right = this.#operation(POWER.SUM);
    // What is compared again is dropped, or a long chain would nest as deep as it is long.
    return isChained ? left : { kind: 'comparison', ...positionOf(left), left, operator, right };
  }

  #operand(minimum: number): Expression {
    const token = this.#token;
    switch (token.kind) {
      case 'number':
        this.#advance();
        return { kind: 'number', ...positionOf(token), spelling: token.spelling, value: decimalFromText(token.value) };
      case 'textStart':
        return this.#text();
      case 'name':
      case 'function':
        return this.#nameOrCall();
      case 'unreadable':
        this.#advance();
        return { kind: 'unreadable', ...positionOf(token) };
      case 'keyword':
        return this.#wordOperand(minimum);
      case 'symbol':
        if (token.value === '(') return this.#group();
        if (token.value === '-') return this.#nested(() => this.#negation());
        break;
      case 'newline':
        if (OPERATOR_LEVELS.has(this.#previous.value)) {
          this.#report('UNEXPECTED', EXPECTED.operandOnLine);
          if (!this.#beginsOperand(this.#at + 1)) return this.#unreadable();
          this.#advance();
          return this.#operand(minimum);
        }
    }
    this.#report('UNEXPECTED', EXPECTED.expression);
    return this.#unreadable();
  }

  #wordOperand(minimum: number): Expression {
    const token = this.#token;
    if (token.value === 'VERDADEIRO' || token.value === 'FALSO') {
      this.#advance();
      return { kind: 'truth', ...positionOf(token), value: token.value === 'VERDADEIRO' };
    }
    if (token.value === 'NAO') {
      if (minimum > POWER.NOT) this.#report('UNEXPECTED', EXPECTED.parenthesizedNot);
      return this.#nested(() => {
        this.#advance();
        return { kind: 'not', ...positionOf(token), operand: this.#operation(POWER.NOT) };
      });
    }
    this.#report('UNEXPECTED', EXPECTED.expression);
    // A connective without its left side, or a name that is none: what follows has no operator.
    if (token.value === 'E' || token.value === 'OU') this.#isLost = true;
    return this.#unreadable();
  }

  #negation(): Expression {
    const sign = this.#advance();
    return { kind: 'negation', ...positionOf(sign), operand: this.#operand(POWER.UNARY) };
  }

  #group(): Expression {
    return this.#nested(() => {
      const start = this.#advance();
      const inner = this.#expression();
      this.#close(start, EXPECTED.closing);
      return { kind: 'group', ...positionOf(start), inner };
    });
  }

  #nameOrCall(): Expression {
    if (this.#isForeignNot()) {
      this.#readAsMeant();
      return this.#wordOperand(POWER.OR);
    }
    const token = this.#advance();
    if (this.#isSymbol('(')) return this.#nested(() => this.#call(token));
    if (token.kind === 'function') this.#report('UNEXPECTED', EXPECTED.opening);
    return { kind: 'name', ...positionOf(token), spelling: token.spelling.normalize('NFC'), key: token.value };
  }

  #isForeignNot(): boolean {
    if (this.#token.kind !== 'name' || !this.#beginsOperand(this.#at + 1)) return false;
    return this.#tokens[this.#at + 1]!.value !== '(' && meantKeyword(this.#token.spelling) === 'NAO';
  }

  #call(word: Token): Expression {
    const opening = this.#advance();
    const list: Expression[] = [];
    if (!this.#isSymbol(')')) {
      list.push(this.#expression());
      while (this.#isSymbol(',') || this.#isSemicolonForComma()) {
        if (this.#isSymbol(';')) this.#report('UNEXPECTED', EXPECTED.comma);
        this.#advance();
        list.push(this.#expression());
      }
    }
    this.#close(opening, EXPECTED.argumentEnd);
    const definition = word.kind === 'function' ? functionNamed(word.value) : undefined;
    return { kind: 'call', ...positionOf(word), spelling: word.spelling.normalize('NFC'), definition, arguments: list };
  }

  /** Spreadsheets part arguments by semicolons; here one ends a statement, unless the line goes on to close the call. */
  #isSemicolonForComma(): boolean {
    if (!this.#isSymbol(';')) return false;
    const ahead = this.#tokens.slice(this.#at + 1, this.#at + 1 + TOKENS_LOOKED_AHEAD);
    const end = ahead.find(({ kind, spelling }) => kind === 'newline' || spelling === ')' || spelling === '=');
    return end?.spelling === ')';
  }

  #close(opening: Position, expected: Bilingual): void {
    if (this.#isSymbol(')')) {
      this.#advance();
      return;
    }
    this.#report(
      'UNEXPECTED',
      this.#token.line === opening.line
        ? expected
        : {
            pt: `${expected.pt} para o “(” da linha ${opening.line}`,
            en: `${expected.en} for the “(” of line ${opening.line}`,
          },
    );
    this.#isLost = true;
  }

  #text(): Expression {
    const start = this.#advance();
    const parts: (string | Expression)[] = [];
    while (this.#token.kind === 'textPart' || this.#token.kind === 'insertStart') {
      if (this.#token.kind === 'textPart') parts.push(this.#advance().value);
      else parts.push(this.#insertion());
    }
    if (this.#token.kind === 'textEnd') this.#advance();
    return { kind: 'text', ...positionOf(start), parts };
  }

  #insertion(): Expression {
    this.#advance();
    // Parentheses of an insertion close within it, whatever is open around the text.
    const parentheses = this.#parentheses;
    const wasLost = this.#isLost;
    const value = this.#nested(() => this.#expression());
    while (this.#token.kind === 'unreadable') this.#advance();
    if (this.#token.kind !== 'insertEnd') {
      this.#report('UNEXPECTED', EXPECTED.insertionEnd);
      this.#skipToInsertionEnd();
    }
    if (this.#token.kind === 'insertEnd') this.#advance();
    this.#parentheses = parentheses;
    this.#isLost = wasLost;
    return value;
  }

  #skipToInsertionEnd(): void {
    let depth = 0;
    while (this.#token.kind !== 'end' && this.#token.kind !== 'newline') {
      if (this.#token.kind === 'insertStart') depth++;
      if (this.#token.kind === 'insertEnd' && depth-- === 0) return;
      this.#advance();
    }
  }

  /** Every recursion passes here, so no source can exhaust the stack. Beyond the bound nothing more is read. */
  #nested(read: () => Expression): Expression {
    if (this.#expressionDepth >= BOUNDS.expressionNesting) {
      this.#report('EXPRESSION_TOO_DEEP', EXPECTED.shallowExpression);
      this.#isLost = true;
      return this.#unreadable();
    }
    this.#expressionDepth++;
    const expression = read();
    this.#expressionDepth--;
    return expression;
  }

  #unreadable(): Expression {
    return { kind: 'unreadable', ...positionOf(this.#token) };
  }

  get #token(): Token {
    return this.#tokens[this.#at]!;
  }

  get #end(): Position {
    return positionOf(this.#previous);
  }

  #isSymbol(value: string): boolean {
    return this.#token.kind === 'symbol' && this.#token.value === value;
  }

  #isKeyword(value: string): boolean {
    return this.#token.kind === 'keyword' && this.#token.value === value;
  }

  /** Returns the token read and goes to the next; never beyond the end. */
  #advance(): Token {
    const token = this.#token;
    this.#previous = token;
    if (token.kind !== 'end') this.#at++;
    if (token.kind === 'symbol' && token.value === '(') this.#parentheses++;
    if (token.kind === 'symbol' && token.value === ')' && this.#parentheses > 0) this.#parentheses--;
    while (this.#parentheses > 0 && this.#token.kind === 'newline') this.#at++;
    return token;
  }

  /** Once for each token, and not after an error from which the parser has not recovered. */
  #report(code: DiagnosticCode, expected: Bilingual): void {
    const token = this.#token;
    if (this.#diagnostics.isFull || this.#isLost || token === this.#lastReported || token.kind === 'unreadable') return;
    const unterminated = this.#lexed.unterminated.get(token.line);
    if (unterminated !== undefined && token.column >= unterminated) return;
    this.#lastReported = token;
    this.#diagnostics.report(code, token, describe(token), this.#decimalPoint() ?? expected);
  }

  /** Reported for the comma in '0,01'. */
  #decimalPoint(): Bilingual | undefined {
    const { column, line } = this.#token;
    const whole = this.#previous;
    const decimals = this.#tokens[this.#at + 1];
    if (!this.#isSymbol(',') || whole.kind !== 'number' || decimals?.kind !== 'number') return undefined;
    const isOneNumber = whole.column + whole.spelling.length === column && decimals.column === column + 1;
    if (!isOneNumber || decimals.line !== line) return undefined;
    const number = withDecimalPoint(whole.spelling, decimals.spelling);
    return { pt: `ponto decimal, ${number}`, en: `a decimal point, ${number}` };
  }
}

function expectedEnd({ line }: Position, otherwise: Otherwise | undefined): Bilingual {
  const [first] = otherwise?.body ?? [];
  const isOwn = first?.kind === 'conditional' && first.line === otherwise?.line;
  return {
    pt: `FIM do SE da linha ${line}${isOwn ? ' (SENAO SE abre outro SE; SENAOSE continua o mesmo)' : ''}`,
    en: `FIM of the SE of line ${line}${isOwn ? ' (SENAO SE opens another SE; SENAOSE continues it)' : ''}`,
  };
}

function isLineOver(token: Token | undefined): boolean {
  return token === undefined || token.kind === 'newline' || token.kind === 'end' || token.value === ';';
}

function positionOf({ line, column }: Position): Position {
  return { line, column };
}

function describe(token: Token): Bilingual {
  switch (token.kind) {
    case 'newline':
      return { pt: 'fim da linha', en: 'end of the line' };
    case 'end':
      return { pt: 'fim do script', en: 'end of the script' };
    case 'textStart':
    case 'textPart':
    case 'textEnd':
      return { pt: 'um texto', en: 'a text' };
    default:
      return inBothLanguages(quote(token.spelling));
  }
}
