import { Attachment, misleads } from './attachment.ts';
import { Book, SUMMED } from './book.ts';
import { COLLECT } from './collect.ts';
import { wrongOf } from './field-check.ts';
import type { Checked, Finding } from './findings.ts';
import { ecdLayout, type Register } from './layout.ts';
import { Line } from './line.ts';
import type { Ending, LineConsumer } from './read-lines.ts';
import { Reporter } from './reporter.ts';
import type { Check } from './rule.ts';
import { type Listed, listedRules, unprovenRules } from './rules/index.ts';
import { checkComposition, checkKeys, Hierarchy } from './structure.ts';
import { TooMany } from './too-many.ts';

/** The register 0000 says 5 GB, chapter 4 of the manual 1 GB: the smaller one is a notice. */
const LARGEST_FILE = 5_000_000_000;
const LARGE_FILE = 1_000_000_000;

/** Registers whose fields the file itself declares. */
const OPEN: ReadonlySet<string> = new Set(['I550', 'I555']);

/** What is done with the lines of a register. */
interface Plan {
  readonly register: Register;
  readonly isKept: boolean;
  readonly collect: (line: Line, book: Book) => void;
  readonly rules: readonly { readonly listed: Listed; readonly check: Check }[];
}

/** What may be asked of a check beside its answer. */
export interface EcdCheckOptions {
  /** Bytes from which a file of more than a month is too large. */
  readonly largestFile?: number | undefined;
  /** Called with every line of a known register once its rules were asked; one that throws TooMany ends the check. */
  readonly onLine?: ((line: Line, book: Book) => void) | undefined;
  /** Called with every finding, also those that the answer only counts. */
  readonly onFinding?: ((finding: Finding) => void) | undefined;
}

/** Checks an ECD, layout 9, line after line. */
export class EcdCheck implements LineConsumer {
  isDone = false;
  #isStopped = false;
  readonly #book: Book;
  readonly #reporter: Reporter;
  readonly #onLine: EcdCheckOptions['onLine'];
  readonly #hierarchy = new Hierarchy();
  readonly #layout = ecdLayout();
  readonly #plans = new Map<string, Plan>();
  readonly #entryRules = rulesWhen('entry');
  readonly #firstLines = new Map<string, number>();
  #attachment: Attachment | undefined;
  #isSkipping = false;
  #isAfterEnd = false;
  #isBareLineFeed = false;

  constructor({ largestFile = LARGEST_FILE, onLine, onFinding }: EcdCheckOptions = {}) {
    this.#book = new Book(largestFile);
    this.#reporter = new Reporter(onFinding);
    this.#onLine = onLine;
    for (const register of this.#layout.registers) {
      const { code } = register;
      const rules = rulesWhen('line').filter(({ listed }) => listed.register === code);
      const isKept = !SUMMED.has(code);
      this.#plans.set(code, { register, isKept, collect: COLLECT[code] ?? (() => {}), rules });
    }
  }

  line(text: string, ending: Ending): void {
    this.#book.physicalLines++;
    this.#lookAtEnding(ending);
    try {
      this.#read(text, ending, false);
    } catch (error) {
      if (!(error instanceof TooMany)) throw error;
      this.#reporter.own('PARTIDAS_LIMITE', this.#book.physicalLines);
      this.#isStopped = true;
      this.isDone = true;
    }
  }

  piece(text: string, ending: Ending | undefined): void {
    if (this.#attachment !== undefined || (!this.#isSkipping && this.#isDocument(text))) {
      if (ending !== undefined || this.#attachment === undefined) this.#book.physicalLines++;
      this.#read(text, ending ?? 'CRLF', ending === undefined);
      return;
    }
    if (!this.#isSkipping && !this.#isAfterEnd) {
      this.#book.physicalLines++;
      this.#book.lines++;
      this.#reporter.own('PARTIDAS_LINHA_LONGA', this.#book.physicalLines, undefined, text);
    }
    this.#isSkipping = ending === undefined;
  }

  /** What the file as a whole has wrong, and the answer. */
  end(bytes: number, encoding: string | undefined): Checked {
    const book = this.#book;
    const reporter = this.#reporter;
    book.bytes = bytes;
    if (encoding === 'utf8') reporter.own('PARTIDAS_UTF8');
    if (this.#isBareLineFeed) reporter.own('PARTIDAS_FIM_DE_LINHA');
    if (bytes > LARGE_FILE) reporter.own('PARTIDAS_ARQUIVO_GRANDE', undefined, undefined, String(bytes));
    if (!this.#isStopped) this.#checkWhole();
    const notProven = [...unprovenRules(), ...(book.entryNumbers.isWhole ? [] : ['I200 REGRA_REGISTRO_DUPLICADO'])];
    return reporter.result({ kind: 'ECD', lines: book.lines, bytes, notProven, book });
  }

  #checkWhole(): void {
    const book = this.#book;
    this.#closeEntry();
    if (this.#attachment !== undefined) this.#broken('REGRA_ESTRUTURA_INVALIDA', this.#attachment.number, 'J800FIM');
    checkComposition(this.#layout, book, this.#firstLines, this.#reporter);
    checkKeys(book, this.#reporter);
    for (const { listed, check } of rulesWhen('later')) {
      for (const row of book.rows(listed.register)) {
        const wrong = check(row, book);
        if (wrong !== undefined) this.#reporter.broken(listed, wrong, row);
      }
    }
    for (const listed of listedRules().values()) {
      if (listed.rule.when !== 'end') continue;
      for (const wrong of listed.rule.check(book)) this.#reporter.broken(listed, wrong, undefined);
    }
  }

  #read(text: string, ending: Ending, isPiece: boolean): void {
    const book = this.#book;
    if (this.#isAfterEnd) {
      // Signatures follow, which are no text. Another file, or another end, is one too many.
      if (text.startsWith('|0000|') || text.startsWith('|9999|')) this.#count(this.#plans.get(text.slice(1, 5))!);
      return;
    }
    const number = book.physicalLines;
    const attachment = this.#attachment;
    if (attachment !== undefined) {
      if (!attachment.ends(text, isPiece)) return;
      this.#attachment = undefined;
      this.#finish(attachment);
      return;
    }
    this.#attachment = Attachment.begin(text, number, isPiece);
    if (this.#attachment !== undefined) return;
    const fields = text.split('|');
    if (ending === 'END' || fields.length < 4 || fields[0] !== '' || fields.at(-1) !== '') {
      this.#broken('REGRA_ESTRUTURA_INVALIDA', number, text);
      mend(fields);
    }
    const plan = this.#plans.get(fields[1] ?? '');
    if (plan === undefined) {
      book.lines++;
      if (fields.length >= 4) this.#broken('REGRA_ESTRUTURA_INVALIDA', number, text);
      return;
    }
    const { code } = plan.register;
    if (code === 'J801' && misleads(text.slice(6))) this.#misleading(number);
    this.#take(plan, number, fields);
    if (code === '9999') this.#isAfterEnd = true;
  }

  #take(plan: Plan, number: number, fields: readonly string[]): void {
    const book = this.#book;
    const { register, isKept } = plan;
    if (book.entry !== undefined && register.code !== 'I250') this.#closeEntry();
    this.#count(plan, number);
    if (!this.#hierarchy.enter(register)) this.#broken('REGRA_HIERARQUIA_ARQUIVO', number, undefined, register.code);
    const parent = this.#hierarchy.parentOf(register);
    this.#checkFields(register, number, fields);
    const line = isKept ? book.keep(register, number, fields, parent) : new Line(register, number, fields);
    this.#hierarchy.hold(isKept ? line : undefined, register.level);
    plan.collect(line, book);
    for (const { listed, check } of plan.rules) {
      const wrong = check(line, book);
      if (wrong !== undefined) this.#reporter.broken(listed, wrong, line);
    }
    this.#onLine?.(line, book);
  }

  /** Counts a line, and asks what is asked of counts where the line itself is not read. */
  #count({ register, rules }: Plan, number?: number): void {
    const book = this.#book;
    const { code, block } = register;
    const count = book.countOf(code) + 1;
    book.counts.set(code, count);
    if (count === 1) this.#firstLines.set(code, book.physicalLines);
    if (number === undefined) {
      const line = new Line(register, book.physicalLines, []);
      for (const { listed, check } of rules) if (check(line, book)) this.#reporter.broken(listed, 'REG', line);
      this.isDone = true;
      return;
    }
    book.lines++;
    book.blocks.set(block, (book.blocks.get(block) ?? 0) + 1);
  }

  #checkFields(register: Register, number: number, given: readonly string[]): void {
    const { code, fields } = register;
    const additional = this.#book.additional.size === 0 ? 0 : (this.#book.additional.get(code) ?? 0);
    const count = given.length - 2;
    if (count !== fields.length - 1 + additional && !OPEN.has(code)) {
      if (additional > 0) this.#broken('REGRA_CAMPOS_ADICIONAIS', number, String(count), code);
      else this.#reporter.own('PARTIDAS_NUMERO_DE_CAMPOS', number, code, String(count));
    }
    for (let place = 2; place < fields.length; place++) {
      const field = fields[place]!;
      const text = given[place] ?? '';
      if (text === '' && !field.required) continue;
      const rule = wrongOf(field, text);
      if (rule !== undefined) this.#reporter.everywhere(rule, number, code, field.name, text);
    }
  }

  #closeEntry(): void {
    const { entry } = this.#book;
    if (entry === undefined) return;
    for (const { listed, check } of this.#entryRules) {
      const wrong = check(entry.line, this.#book);
      if (wrong !== undefined) this.#reporter.broken(listed, wrong, entry.line);
    }
    this.#book.entry = undefined;
  }

  #finish(attachment: Attachment): void {
    if (attachment.isMisleading && attachment.fields[1] === 'J801') this.#misleading(attachment.number);
    this.#take(this.#plans.get(attachment.fields[1]!)!, attachment.number, attachment.fields);
  }

  #misleading(line: number): void {
    this.#reporter.broken(
      this.#reporter.rule('J801 REGRA_REGISTRO_NAO_DEVE_EXISTIR_NORTF'),
      { field: 'ARQ_RTF', line },
      undefined,
    );
  }

  #isDocument(text: string): boolean {
    return !this.#isAfterEnd && Attachment.begin(text, 0, true) !== undefined;
  }

  #lookAtEnding(ending: Ending): void {
    if (ending === 'LF' && !this.#isAfterEnd) this.#isBareLineFeed = true;
  }

  #broken(rule: string, line: number, value?: string, register?: string): void {
    this.#reporter.everywhere(rule, line, register, undefined, value);
  }
}

/** The line as it was meant, so that one missing sign is one finding. */
function mend(fields: string[]): void {
  if (fields[0] !== '' && ecdLayout().byCode.has(fields[0]!)) fields.unshift('');
  if (fields.at(-1) !== '') fields.push('');
}

function rulesWhen(when: 'line' | 'entry' | 'later'): { listed: Listed; check: Check }[] {
  return [...listedRules().values()].flatMap((listed) =>
    listed.rule.when === when ? [{ listed, check: listed.rule.check }] : [],
  );
}
