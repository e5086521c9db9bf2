import type { Centavos } from '../../../../accounting/money.ts';
import type { Transaction } from '../../../../platform/database/sql.ts';
import { Bytes, CopiedColumns, copiedText, numberAt } from './bytes.ts';
import type { EcdBooks } from './ecd-books.ts';
import { type CountedLines, copyLines, type EcdMonth } from './ecd-entries.read.sql.ts';
import type { EcdFindings } from './ecd-findings.ts';
import { fileAmount, lostCharacter } from './ecd-line.ts';
import type { EcdOutput } from './ecd-output.ts';
import type { FileCodes } from './file-codes.ts';

const [PIPE, DOT, ONE, DEBIT, ZERO, POINT] = [124, 46, 49, 68, 48, 46];
const [NORMAL, CLOSING, LATE] = [78, 69, 88];
const ENTRY = Buffer.from('|I200|');
const LINE = Buffer.from('|I250|');
const END = Buffer.from('|\r\n');
/** Between the side and the narration: no number of a paper, then its code. */
const NO_PAPER = Buffer.from('||');
/** Of a line besides its codes and texts. */
const ROOM = 200;
/** What is gathered of an entry whose total is known goes on from here. */
const PORTION = 65_536;
/** Sums of centavos stay exact in a double below it. */
const EXACT = 4e15;

/** Places of the columns of `copyLines`. */
const COLUMN = {
  ...{ document: 0, entry: 1, day: 2, closing: 3, factDay: 4, batchNumber: 5, documentNumber: 6, account: 7 },
  ...{ side: 8, amount: 9, code: 10, text: 11 },
} as const;

/** Registers I200 and I250: the entries of the file, in the order of their numbers. */
export async function writeEntries(
  sql: Transaction,
  books: EcdBooks,
  counted: CountedLines,
  codes: FileCodes,
  output: EcdOutput,
  findings: EcdFindings,
): Promise<void> {
  const writer = new EntryWriter(books, counted, codes, output, findings);
  for (const month of books.branchMonths) {
    writer.begin(month);
    await copyLines(
      sql,
      books.rows,
      month,
      (row, start, end) => writer.take(row, start, end),
      () => output.passOn(),
    );
    writer.end();
  }
}

class EntryWriter {
  readonly #books: EcdBooks;
  readonly #codes: FileCodes;
  readonly #output: EcdOutput;
  readonly #findings: EcdFindings;
  readonly #long: ReadonlyMap<string, Centavos>;
  /** Texts of standard narrations as the server prints them, by their codes. */
  readonly #narrations: ReadonlyMap<string, Buffer>;
  readonly #columns = new CopiedColumns();
  readonly #from: string;
  /** The entry under way: its number, and its lines so far. */
  readonly #number = new Bytes(512);
  readonly #lines = new Bytes(PORTION);
  /** Document and number as the server prints them. */
  readonly #key = new Bytes(512);
  readonly #day = Buffer.alloc(10);
  #count = 0;
  #total = 0;
  #largeTotal = 0n;
  #isClosing = false;
  #isLate = false;
  #factDay = '';
  #hasResult = false;
  #isOnTwoDays = false;
  #isHeadWritten = false;
  #prefix: Buffer = Buffer.alloc(0);
  #centre: Buffer = Buffer.alloc(0);

  constructor(books: EcdBooks, counted: CountedLines, codes: FileCodes, output: EcdOutput, findings: EcdFindings) {
    this.#books = books;
    this.#codes = codes;
    this.#output = output;
    this.#findings = findings;
    this.#long = counted.long;
    this.#narrations = new Map(
      counted.narrations.map(({ code, text }) => [printed(code).toString('latin1'), printed(text)]),
    );
    this.#from = books.request.from;
  }

  /** Entries of a month of a branch: their numbers begin alike. */
  begin({ branchId, month }: EcdMonth): void {
    const { institution, branchCodes, rows } = this.#books;
    const branch = institution.members.length > 1 ? `${branchCodes.get(branchId)}.` : '';
    this.#prefix = Buffer.from(`${branch}${month.replace('-', '')}.`, 'latin1');
    this.#centre = this.#codes.centre(rows.byBranch ? branchId : 0);
  }

  take(row: Buffer, start: number, end: number): void {
    const columns = this.#columns;
    columns.read(row, start, end);
    const { starts, ends } = columns;
    const key = this.#key;
    const keyEnd = ends[COLUMN.entry]!;
    const isSame = key.length === keyEnd - start && row.compare(key.buffer, 0, key.length, start, keyEnd) === 0;
    if (!isSame) {
      this.end();
      this.#beginEntry(row, start);
    } else if (row.compare(this.#day, 0, 10, starts[COLUMN.day], ends[COLUMN.day]) !== 0) this.#isOnTwoDays = true;
    this.#addLine(row);
    if (this.#isHeadWritten && this.#lines.length > PORTION) this.#passLines();
  }

  #beginEntry(row: Buffer, start: number): void {
    const { starts, ends } = this.#columns;
    const key = this.#key;
    key.clear();
    key.reserve(ends[COLUMN.entry]! - start);
    key.put(row, start, ends[COLUMN.entry]!);
    row.copy(this.#day, 0, starts[COLUMN.day], ends[COLUMN.day]);
    const number = this.#number;
    number.clear();
    number.reserve(ROOM + this.#prefix.length + ends[COLUMN.documentNumber]! - start);
    number.put(this.#prefix);
    number.text(row, starts[COLUMN.batchNumber]!, ends[COLUMN.batchNumber]!);
    number.byte(DOT);
    number.text(row, starts[COLUMN.documentNumber]!, ends[COLUMN.documentNumber]!);
    number.byte(DOT);
    number.text(row, starts[COLUMN.entry]!, ends[COLUMN.entry]!);
    this.#isClosing = row[starts[COLUMN.closing]!] === ONE;
    this.#factDay = row.toString('latin1', starts[COLUMN.factDay], ends[COLUMN.factDay]);
    this.#isLate = this.#factDay !== '' && this.#factDay < this.#from;
    const total = this.#long.size === 0 ? undefined : this.#long.get(copiedText(row, start, ends[COLUMN.entry]!));
    if (total === undefined) return;
    this.#hasResult = true;
    this.#writeHead(total);
    this.#isHeadWritten = true;
  }

  #addLine(row: Buffer): void {
    const { starts, ends } = this.#columns;
    const lines = this.#lines;
    const [amountStart, amountEnd] = [starts[COLUMN.amount]!, ends[COLUMN.amount]!];
    const [textStart, textEnd] = [starts[COLUMN.text]!, ends[COLUMN.text]!];
    const account = this.#codes.account(numberAt(row, starts[COLUMN.account]!, ends[COLUMN.account]!));
    const side = row[starts[COLUMN.side]!]!;
    if (account.isResult) this.#hasResult = true;
    if (side === DEBIT) this.#addAmount(row, amountStart, amountEnd);
    lines.reserve(ROOM + account.code.length + this.#centre.length + ends[COLUMN.text]! - amountStart);
    lines.put(LINE);
    lines.put(account.code);
    lines.byte(PIPE);
    lines.put(this.#centre);
    lines.byte(PIPE);
    lines.amount(row, amountStart, amountEnd);
    lines.byte(PIPE);
    lines.byte(side);
    lines.put(NO_PAPER);
    const [codeStart, codeEnd] = [starts[COLUMN.code]!, ends[COLUMN.code]!];
    if (codeEnd > codeStart && this.#isStandard(row, codeStart, codeEnd, textStart, textEnd)) {
      lines.text(row, codeStart, codeEnd);
      lines.byte(PIPE);
    } else {
      lines.byte(PIPE);
      if (!lines.text(row, textStart, textEnd))
        this.#findings.add(lostCharacter('I250', copiedText(row, textStart, textEnd)));
    }
    lines.byte(PIPE);
    lines.put(END);
    this.#count++;
  }

  /** The line prints its standard narration and nothing else. */
  #isStandard(row: Buffer, codeStart: number, codeEnd: number, start: number, end: number): boolean {
    const text = this.#narrations.get(row.toString('latin1', codeStart, codeEnd));
    return text !== undefined && row.compare(text, 0, text.length, start, end) === 0;
  }

  #addAmount(row: Buffer, start: number, end: number): void {
    let centavos = 0;
    for (let at = start; at < end; at++) if (row[at] !== POINT) centavos = centavos * 10 + row[at]! - ZERO;
    this.#total += centavos;
    if (this.#total < EXACT) return;
    this.#largeTotal += BigInt(this.#total);
    this.#total = 0;
  }

  /** The entry is whole. */
  end(): void {
    if (this.#count === 0) return;
    if (this.#isOnTwoDays) this.#findTwoDays();
    if (!this.#isHeadWritten) this.#writeHead(this.#largeTotal + BigInt(this.#total));
    this.#passLines();
    this.#key.clear();
    this.#total = 0;
    this.#largeTotal = 0n;
    this.#hasResult = false;
    this.#isOnTwoDays = false;
    this.#isHeadWritten = false;
  }

  #writeHead(total: Centavos): void {
    const { bytes } = this.#output;
    // An entry of a fact before the file may not touch results: those of that year were closed.
    const isLate = this.#isLate && !this.#hasResult && !this.#isClosing;
    bytes.reserve(ROOM + this.#number.length);
    bytes.put(ENTRY);
    bytes.append(this.#number);
    bytes.byte(PIPE);
    bytes.day(this.#day, 0);
    bytes.byte(PIPE);
    bytes.latin1(amountText(total));
    bytes.byte(PIPE);
    bytes.byte(this.#isClosing ? CLOSING : isLate ? LATE : NORMAL);
    bytes.byte(PIPE);
    if (isLate) bytes.day(Buffer.from(this.#factDay), 0);
    bytes.put(END);
    this.#output.count('I200');
  }

  #passLines(): void {
    this.#output.bytes.append(this.#lines);
    this.#output.count('I250', this.#count);
    this.#lines.clear();
    this.#count = 0;
  }

  #findTwoDays(): void {
    const number = this.#number;
    this.#findings.add({
      ...{ rule: 'PARTIDAS_LANCAMENTO_EM_DOIS_DIAS', severity: 'AVISO', register: 'I200', field: 'DT_LCTO' },
      value: number.buffer.toString('latin1', 0, number.length),
      message: 'O lançamento tem partidas em mais de um dia; o arquivo o mostra no dia da primeira.',
    });
  }
}

function amountText(total: Centavos): string {
  return total <= BigInt(Number.MAX_SAFE_INTEGER) ? smallAmount(Number(total)) : fileAmount(total);
}

function smallAmount(centavos: number): string {
  const digits = String(centavos);
  return digits.length > 2 ? `${digits.slice(0, -2)},${digits.slice(-2)}` : `0,${digits.padStart(2, '0')}`;
}

const ESCAPED: Readonly<Record<string, string>> = {
  ...{ '\\': '\\\\', '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\v': '\\v' },
};

/** A text as COPY prints it. */
function printed(text: string): Buffer {
  return Buffer.from(text.replace(/[\\\b\f\n\r\t\v]/g, (mark) => ESCAPED[mark]!));
}
