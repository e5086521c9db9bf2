import { type Bilingual, inBothLanguages, quote } from './bilingual.ts';
import { BOUNDS } from './bounds.ts';
import type { Diagnostics, Position } from './diagnostic.ts';
import { foldWord } from './fold-word.ts';
import { functionNamed } from './functions.ts';
import { KEYWORDS } from './keywords.ts';
import type { Comment } from './script.ts';

export type TokenKind =
  | 'number'
  | 'name'
  | 'keyword'
  | 'function'
  | 'symbol'
  | 'newline'
  | 'textStart'
  | 'textPart'
  | 'insertStart'
  | 'insertEnd'
  | 'textEnd'
  /** Already reported; the parser skips it. */
  | 'unreadable'
  | 'end';

export interface Token extends Position {
  readonly kind: TokenKind;
  /** What is compared: the canonical word or symbol, the key of a name, the content of a text piece. */
  readonly value: string;
  /** As the script writes it. */
  readonly spelling: string;
}

export interface LexedScript {
  /** Texts and their insertions nest properly, whatever the source; the last token is the end. */
  readonly tokens: readonly Token[];
  readonly comments: readonly Comment[];
  /** The column of a text without end, by its line: the rest of the line is reported with it. */
  readonly unterminated: ReadonlyMap<number, number>;
}

/** Splits a source within its bound into tokens. */
export function lexScript(source: string, diagnostics: Diagnostics): LexedScript {
  return new Lexer(source, diagnostics).run();
}

/** Names are compared in one case and one composition of accents. */
export function nameKey(spelling: string): string {
  return spelling.normalize('NFC').toLowerCase();
}

const BYTE_ORDER_MARK = 0xfeff;
const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const HASH = 0x23;
const POINT = 0x2e;
const BACKSLASH = 0x5c;
const BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

const TWO_CHARACTER_SYMBOLS = new Map([
  ['==', '='],
  ['!=', '<>'],
  ['<>', '<>'],
  ['<=', '<='],
  ['>=', '>='],
]);
const REVERSED_SYMBOLS = new Map([
  ['=>', '>='],
  ['=<', '<='],
]);
const CONNECTIVES = new Map([
  ['&&', 'E'],
  ['&', 'E'],
  ['||', 'OU'],
  ['|', 'OU'],
]);
const LIKELY_MEANT: ReadonlyMap<string, Bilingual> = new Map([
  ...[...CONNECTIVES].map(([foreign, word]) => [foreign, inBothLanguages(word)] as const),
  [':', inBothLanguages('“=”')],
  ['!', inBothLanguages('NAO')],
  ['%', { pt: 'um número sem %', en: 'a number without %' }],
  ['$', { pt: 'um número sem cifrão', en: 'a number without a currency sign' }],
]);
const OTHER_QUOTES = /['‘’“”«»´`]/;
const ONE_CHARACTER_SYMBOLS = new Set('+-*/()=<>,;');
const NUMBER = /^\d+(\.\d+)?$/;
/** As Brazilians write them; one mistake together with the decimals after the comma. */
const MILLIONS = /^\d{1,3}(\.\d{3}){2,}$/;
const DECIMALS = /^,\d+/;
const LETTER = /\p{L}/u;
const LETTER_OR_MARK = /[\p{L}\p{M}]/u;
const BLANK = /\p{Zs}/u;
const END_OF_LINE: Bilingual = { pt: 'fim da linha', en: 'end of the line' };

class Lexer {
  readonly #source: string;
  readonly #diagnostics: Diagnostics;
  readonly #tokens: Token[] = [];
  readonly #comments: Comment[] = [];
  readonly #unterminated = new Map<number, number>();
  /** Where the texts begin whose insertion is being read, outermost first. */
  readonly #openTexts: Position[] = [];
  #at = 0;
  #line = 1;
  /** offset − base = column − 1; it grows with every surrogate pair, for columns count code points. */
  #base = 0;

  constructor(source: string, diagnostics: Diagnostics) {
    this.#source = source;
    this.#diagnostics = diagnostics;
  }

  run(): LexedScript {
    if (this.#source.charCodeAt(0) === BYTE_ORDER_MARK) {
      this.#at = 1;
      this.#base = 1;
    }
    while (this.#at < this.#source.length) this.#next();
    this.#closeOpenTexts();
    this.#push('end', '', this.#here());
    return { tokens: this.#tokens, comments: this.#comments, unterminated: this.#unterminated };
  }

  #next(): void {
    const code = this.#code();
    if (code === SPACE || code === TAB) this.#at++;
    else if (isLineEnd(code)) this.#newline();
    else if (isDigit(code) || (code === POINT && isDigit(this.#source.charCodeAt(this.#at + 1)))) this.#number();
    else if (isAsciiLetter(code)) this.#word();
    else if (code === QUOTE) this.#text();
    else if (code === HASH) this.#comment();
    else if (code === CLOSING_BRACE && this.#openTexts.length > 0) this.#endOfInsertion();
    else this.#symbolOrForeign();
  }

  #newline(): void {
    this.#closeOpenTexts();
    const start = this.#here();
    this.#at += this.#source.startsWith('\r\n', this.#at) ? 2 : 1;
    this.#push('newline', '', start);
    this.#line++;
    this.#base = this.#at;
  }

  #number(): void {
    const start = this.#here();
    while (isNumberCharacter(this.#code())) this.#at++;
    if (MILLIONS.test(this.#since(start)))
      this.#at += DECIMALS.exec(this.#source.slice(this.#at, this.#at + 20))?.[0].length ?? 0;
    const spelling = this.#since(start);
    if (!NUMBER.test(spelling)) {
      this.#diagnostics.report('INVALID_NUMBER', start, inBothLanguages(quote(spelling)), {
        pt: 'um número como 1234.56, sem separador de milhar (uma conta fica entre aspas; um nome não começa com algarismo)',
        en: 'a number such as 1234.56, without thousands separators (an account stands in quotes; a name does not begin with a digit)',
      });
      this.#push('unreadable', '', start);
    } else if (spelling.length > BOUNDS.numberDigits && spelling.replace('.', '').length > BOUNDS.numberDigits) {
      this.#diagnostics.report('NUMBER_TOO_LONG', start, inBothLanguages(quote(spelling)), {
        pt: `no máximo ${BOUNDS.numberDigits} algarismos`,
        en: `at most ${BOUNDS.numberDigits} digits`,
      });
      this.#push('unreadable', '', start);
    } else this.#push('number', spelling, start);
  }

  #word(): void {
    const start = this.#here();
    while (this.#isWordCharacter()) this.#stepOver();
    const spelling = this.#since(start);
    const folded = foldWord(spelling);
    if (folded !== undefined && KEYWORDS.has(folded)) this.#push('keyword', folded, start);
    else if (folded !== undefined && functionNamed(folded) !== undefined) this.#push('function', folded, start);
    else this.#push('name', nameKey(spelling), start);
  }

  #isWordCharacter(): boolean {
    const code = this.#code();
    return isAsciiLetter(code) || isDigit(code) || (code >= 0x80 && LETTER_OR_MARK.test(this.#character()));
  }

  #comment(): void {
    const start = this.#here();
    while (this.#isInLine()) {
      if (!this.#reportIllegalCharacter()) this.#stepOver();
    }
    this.#comments.push({ line: start.line, column: start.column, text: this.#since(start).trimEnd() });
  }

  #text(): void {
    const start = this.#here();
    this.#at++;
    this.#push('textStart', '"', start);
    this.#textContent(start);
  }

  /** From after the opening quote, or after an insertion, to the closing quote or the next insertion. */
  #textContent(textStart: Position): void {
    const start = this.#here();
    let content = '';
    while (this.#isInLine()) {
      const code = this.#code();
      if (code === QUOTE || code === BRACE) {
        if (content !== '') this.#push('textPart', content, start);
        const end = this.#here();
        this.#at++;
        if (code === BRACE) this.#openTexts.push(textStart);
        this.#push(code === BRACE ? 'insertStart' : 'textEnd', this.#since(end), end);
        return;
      }
      content += code === BACKSLASH ? this.#escape() : this.#plainCharacters();
    }
    this.#reportUnterminated(this.#openTexts[0] ?? textStart);
    this.#push('textEnd', '', this.#here());
    this.#dropOpenTexts();
  }

  #plainCharacters(): string {
    if (this.#reportIllegalCharacter()) return '';
    const start = this.#here();
    do this.#stepOver();
    while (isPlainInText(this.#code()));
    return this.#since(start);
  }

  #escape(): string {
    const start = this.#here();
    const escaped = this.#source.charAt(this.#at + 1);
    this.#at++;
    if (escaped === '"' || escaped === '\\' || escaped === '{') {
      this.#at++;
      return escaped;
    }
    this.#diagnostics.report('INVALID_ESCAPE', start, inBothLanguages(quote(`\\${escaped}`)), {
      pt: '\\", \\\\ ou \\{',
      en: '\\", \\\\ or \\{',
    });
    return '';
  }

  #endOfInsertion(): void {
    const start = this.#here();
    this.#at++;
    this.#push('insertEnd', '}', start);
    this.#textContent(this.#openTexts.pop()!);
  }

  /** A line ends inside an insertion: its texts have no end. */
  #closeOpenTexts(): void {
    const outermost = this.#openTexts[0];
    if (outermost === undefined) return;
    this.#reportUnterminated(outermost);
    this.#dropOpenTexts();
  }

  #dropOpenTexts(): void {
    const here = this.#here();
    while (this.#openTexts.pop() !== undefined) {
      this.#push('unreadable', '', here);
      this.#push('insertEnd', '', here);
      this.#push('textEnd', '', here);
    }
  }

  #reportUnterminated(textStart: Position): void {
    this.#unterminated.set(textStart.line, textStart.column);
    this.#diagnostics.report(
      'UNTERMINATED_TEXT',
      textStart,
      END_OF_LINE,
      this.#openTexts.length === 0
        ? { pt: 'aspas (") na mesma linha', en: 'a closing quote (") on the same line' }
        : {
            pt: '“}” depois do valor inserido e aspas (") na mesma linha',
            en: '“}” after the inserted value and a closing quote (") on the same line',
          },
    );
  }

  #symbolOrForeign(): void {
    const start = this.#here();
    const character = this.#character();
    const next = this.#source.charAt(this.#at + 1);
    const hasPair = next === '=' || next === '>' || next === '<';
    const pair = hasPair ? TWO_CHARACTER_SYMBOLS.get(character + next) : undefined;
    const reversed = hasPair ? REVERSED_SYMBOLS.get(character + next) : undefined;
    if (pair !== undefined) {
      this.#at += 2;
      this.#push('symbol', pair, start);
    } else if (reversed !== undefined) {
      this.#at += 2;
      this.#diagnostics.report(
        'UNEXPECTED',
        start,
        inBothLanguages(quote(this.#since(start))),
        inBothLanguages(quote(reversed)),
      );
      this.#push('symbol', reversed, start);
    } else if (ONE_CHARACTER_SYMBOLS.has(character)) {
      this.#at++;
      this.#push('symbol', character, start);
    } else if (LETTER.test(character)) this.#word();
    else if (BLANK.test(character)) this.#stepOver();
    else if (!OTHER_QUOTES.test(character) || !this.#otherQuotedText()) this.#foreignCharacters();
  }

  /** A text between quotes of another kind is one mistake, and a text; false where the line has no second one. */
  #otherQuotedText(): boolean {
    const end = this.#endOfOtherQuotes();
    if (end === undefined) return false;
    const start = this.#here();
    this.#stepOver();
    this.#push('textStart', '"', start);
    const content = this.#here();
    while (this.#at < end) this.#stepOver();
    this.#push('textPart', this.#since(content), content);
    const close = this.#here();
    this.#stepOver();
    this.#push('textEnd', '"', close);
    this.#diagnostics.report('INVALID_CHARACTER', start, inBothLanguages(quote(this.#source.charAt(start.offset))), {
      pt: 'aspas retas (")',
      en: 'straight quotes (")',
    });
    return true;
  }

  #endOfOtherQuotes(): number | undefined {
    for (let at = this.#at + 1; at < this.#source.length && !isLineEnd(this.#source.charCodeAt(at)); at++) {
      if (this.#source.charCodeAt(at) === QUOTE || OTHER_QUOTES.test(this.#source.charAt(at))) return at;
    }
    return undefined;
  }

  /** A run of meaningless characters is one error; connectives of other languages are read as the language's own. */
  #foreignCharacters(): void {
    const start = this.#here();
    do this.#stepOver();
    while (this.#isInLine() && this.#isForeign());
    const run = this.#since(start);
    const expected = LIKELY_MEANT.get(run) ?? { pt: 'um comando ou uma expressão', en: 'a statement or an expression' };
    this.#diagnostics.report('INVALID_CHARACTER', start, inBothLanguages(quote(run)), expected);
    const connective = CONNECTIVES.get(run);
    if (connective === undefined) this.#push('unreadable', '', start);
    else this.#push('keyword', connective, start);
  }

  #isForeign(): boolean {
    const code = this.#code();
    if (isDigit(code) || isAsciiLetter(code) || code === TAB || code === QUOTE || code === HASH) return false;
    if (code === CLOSING_BRACE && this.#openTexts.length > 0) return false;
    const character = this.#character();
    return !ONE_CHARACTER_SYMBOLS.has(character) && !LETTER.test(character) && !BLANK.test(character);
  }

  /** Inside texts and comments: control characters and lone surrogates, which no database accepts. */
  #reportIllegalCharacter(): boolean {
    const code = this.#code();
    const isControl = (code < SPACE && code !== TAB) || (code >= 0x7f && code <= 0x9f);
    if (!isControl && !(isSurrogate(code) && this.#character().length === 1)) return false;
    this.#diagnostics.report('INVALID_CHARACTER', this.#here(), inBothLanguages(quote(this.#source.charAt(this.#at))), {
      pt: 'um caractere imprimível',
      en: 'a printable character',
    });
    this.#at++;
    return true;
  }

  #isInLine(): boolean {
    return this.#at < this.#source.length && !isLineEnd(this.#code());
  }

  /** Not a number at the end of the source: every comparison with it is false. */
  #code(): number {
    return this.#source.charCodeAt(this.#at);
  }

  #character(): string {
    return String.fromCodePoint(this.#source.codePointAt(this.#at)!);
  }

  #stepOver(): void {
    const isPair = this.#source.codePointAt(this.#at)! > 0xffff;
    this.#at += isPair ? 2 : 1;
    if (isPair) this.#base++;
  }

  #here(): Mark {
    return { offset: this.#at, line: this.#line, column: this.#at - this.#base + 1 };
  }

  #since(start: Mark): string {
    return this.#source.slice(start.offset, this.#at);
  }

  #push(kind: TokenKind, value: string, start: Mark): void {
    this.#tokens.push({ kind, value, spelling: this.#since(start), line: start.line, column: start.column });
  }
}

interface Mark extends Position {
  readonly offset: number;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** The underscore counts as one. */
function isAsciiLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f;
}

/** Letters too: '12abc' is one mistake, not a number and a name. */
function isNumberCharacter(code: number): boolean {
  return isDigit(code) || code === POINT || isAsciiLetter(code);
}

function isLineEnd(code: number): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN;
}

/** Fast path: most characters of most texts are read in a run. */
function isPlainInText(code: number): boolean {
  return code >= SPACE && code < 0x7f && code !== QUOTE && code !== BRACE && code !== BACKSLASH;
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdfff;
}
