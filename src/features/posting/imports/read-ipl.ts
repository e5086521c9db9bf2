import { dayFromIso, type Month, monthOf, monthOfDay } from '../../../accounting/period.ts';
import { narrationProblem } from '../../../accounting/posting.ts';
import { type Problem, problem, type Reason, reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import { yieldToEventLoop } from '../../../platform/yield-to-event-loop.ts';
import { type Cells, type Places, stageRow } from './cells.ts';
import type { ReadingTools } from './import-movements.ts';
import { type SpooledFile, textOf } from './spool.ts';
import type { FileProblems, StagedRow } from './staged-row.ts';
import type { WrittenFile, WrittenRow } from './written-row.ts';

const LINE_LENGTH = 156;
const CHUNK = 250;
/** Bytes read at a time. */
const PIECE = 65_536;
/** A longer line is not of the layout and is not collected further. */
const MAX_LINE = 4_096;
/** Lines between two looks at the clock. */
const SMALL_FILE_LINES = 100;
/** Lines of a file for each entry line that it may have: complements, documents, and what is wrong. */
const LINES_PER_ENTRY = 4;

/** First and last column of a field, from 1, as the layout counts them. */
type Columns = readonly [number, number];

const COMPANY: Columns = [2, 6];
const BRANCH: Columns = [7, 11];
const BATCH: Columns = [12, 17];
const HEADER = { year: [18, 21], month: [22, 23], description: [24, 63] } as const;
const DOCUMENT = { number: [18, 27], date: [28, 35], narration: [36, 40], text: [41, 156] } as const;
const LINE = {
  document: [18, 27],
  day: [28, 35],
  entry: [36, 41],
  side: [42, 42],
  account: [43, 62],
  offsetAccount: [63, 82],
  amount: [83, 99],
  narrationCode: [100, 104],
  narration: [105, 156],
} as const satisfies Record<Exclude<keyof Cells, 'factDay'>, Columns>;
const C1_CONTROL = /[\u0080-\u009f]/;
const COMPLEMENT: Columns = [43, 156];
const TRAILER = { lines: [18, 25], debits: [26, 42], credits: [43, 59], all: [60, 67] } as const;

/** The columns of each cell of an entry line. */
export const PLACES = Object.fromEntries(
  Object.entries(LINE).map(([field, columns]) => [field, placeOf(columns)]),
) as Places;

/** What an IPL file says besides its lines; filled while it is read. */
export interface IplEnvelope {
  description: string | undefined;
  /** Documents of type-1 records by number. */
  readonly documents: Map<string, { day: number | undefined; standardNarration: string; text: string }>;
  trailer: { row: number; lines: number; debits: string; credits: string } | undefined;
  typeTwoLines: number;
}

/** Batch number and month of the file: of its header, else of its first entry line. Undefined when it has neither. */
export async function iplPlace(file: SpooledFile): Promise<{ batch: string; month: Month } | undefined> {
  for await (const line of linesOf(file)) {
    const month =
      line[0] === '0'
        ? monthOfHeader(line)
        : line[0] === '1' || line[0] === '2'
          ? monthOfFixed(field(line, LINE.day))
          : undefined;
    const batch = numberText(field(line, BATCH));
    return month === undefined || batch === undefined ? undefined : { batch, month };
  }
  return undefined;
}

/** The batch that the file must be of, and how many entry lines it may have. */
interface Expected {
  readonly company: string;
  readonly branch: string;
  readonly batch: string;
  readonly maxRows: number;
}

/** Adds a problem of the line that is being read. */
type ReportWrong = (columns: Columns, found: Problem) => void;

/** Reads a file of one batch and month (domain: imports and bulk); problems carry line and columns. */
export async function* readIpl(
  file: SpooledFile,
  tools: ReadingTools,
  expected: Expected,
  envelope: IplEnvelope,
  counted: (rows: number) => void,
): AsyncGenerator<StagedRow[]> {
  const reader = new LineReader(file, tools, expected, envelope);
  for await (const line of linesOf(file)) {
    if (!reader.read(line)) return;
    if (reader.chunk.length >= CHUNK) {
      counted(envelope.typeTwoLines);
      yield reader.chunk;
      reader.chunk = [];
    }
  }
  reader.end();
  counted(envelope.typeTwoLines);
  yield reader.chunk;
}

/** Reads line by line: entry lines become the chunk's rows, the other records fill the envelope. */
class LineReader {
  chunk: StagedRow[] = [];
  private readonly file: SpooledFile;
  private readonly tools: ReadingTools;
  private readonly expected: Expected;
  private readonly envelope: IplEnvelope;
  private row = 0;
  // A line is kept until its possible complements are read.
  private pending: { row: number; line: string; narration: string; isReadable: boolean } | undefined;

  constructor(file: SpooledFile, tools: ReadingTools, expected: Expected, envelope: IplEnvelope) {
    this.file = file;
    this.tools = tools;
    this.expected = expected;
    this.envelope = envelope;
  }

  /** False when the file has too many lines: the others are not read. */
  read(line: string): boolean {
    this.row++;
    const { maxRows } = this.expected;
    if (this.row > maxRows * LINES_PER_ENTRY) return this.stopAt(maxRows * LINES_PER_ENTRY);
    if (line.length !== LINE_LENGTH) {
      this.wrong([1, line.length], invalid({ reason: 'OTHER_LINE_LENGTH', found: line.length, length: LINE_LENGTH }));
      return true;
    }
    const { length: told } = this.tools.problems.told;
    this.checkLine(line);
    const goesOn = this.readRecord(line);
    this.tools.problems.addValues(told, (place) => valueAt(line, place));
    return goesOn;
  }

  /** After the last line. */
  end(): void {
    this.settle();
    if (this.envelope.typeTwoLines > 0) return;
    this.tools.problems.add({ row: Math.max(this.row, 1), place: placeOf([1, 1]), problem: problem('NO_ROWS') });
  }

  private readonly wrong: ReportWrong = (columns, found) =>
    this.tools.problems.add({ row: this.row, place: placeOf(columns), problem: found });

  private stopAt(limit: number): false {
    this.wrong([1, 1], problem('TOO_MANY_ROWS', { limit }));
    return false;
  }

  /** The checks that are the same for every type of record. */
  private checkLine(line: string): void {
    if (this.file.encoding === 'latin1') {
      // Every byte is a character of ISO-8859-1, but control characters mean another format.
      const at = line.search(C1_CONTROL);
      if (at >= 0) this.wrong([at + 1, at + 1], invalid({ reason: 'UNKNOWN_ENCODING' }));
    }
    if (this.envelope.trailer) this.wrong([1, 1], invalid({ reason: 'LINE_AFTER_TRAILER' }));
    checkEnvelope(line, this.expected, this.wrong);
  }

  /** False when it is an entry line too many. */
  private readRecord(line: string): boolean {
    switch (line[0]) {
      case '0':
        this.readHeader(line);
        break;
      case '1':
        this.settle();
        readDocument(line, this.tools, this.envelope, this.wrong);
        break;
      case '2':
        this.settle();
        return this.readEntryLine(line);
      case '3':
        this.readComplement(line);
        break;
      case '9':
        this.settle();
        readTrailer(line, this.row, this.envelope, this.wrong);
        break;
      default:
        this.wrong([1, 1], invalid({ reason: 'UNKNOWN_RECORD_TYPE' }));
    }
    return true;
  }

  private readHeader(line: string): void {
    if (this.row !== 1) this.wrong([1, 1], invalid({ reason: 'HEADER_NOT_FIRST' }));
    if (hasDigits(line, [HEADER.year, HEADER.month], this.wrong) && monthOfHeader(line) !== this.tools.month) {
      this.wrong([18, 23], invalid({ reason: 'OTHER_MONTH' }));
    }
    this.envelope.description = field(line, HEADER.description) || undefined;
  }

  private readEntryLine(line: string): boolean {
    const { envelope, expected } = this;
    envelope.typeTwoLines++;
    if (envelope.typeTwoLines > expected.maxRows) return this.stopAt(expected.maxRows);
    this.pending = {
      row: this.row,
      line,
      narration: field(line, LINE.narration),
      isReadable: hasDigits(line, [LINE.day, LINE.entry, LINE.amount], this.wrong),
    };
    return true;
  }

  private readComplement(line: string): void {
    const { pending } = this;
    if (!pending || line.slice(1, 41) !== pending.line.slice(1, 41)) {
      this.wrong([1, 41], invalid({ reason: 'NOTHING_TO_COMPLETE' }));
    } else pending.narration = `${pending.narration} ${field(line, COMPLEMENT)}`.trim();
  }

  /** The pending line is complete: a row of the chunk, or an entry at fault. */
  private settle(): void {
    const { pending } = this;
    if (!pending) return;
    const cells = cellsOf(pending.line, pending.narration);
    const { length: told } = this.tools.problems.told;
    const staged = pending.isReadable ? stageRow(pending.row, cells, PLACES, this.tools) : undefined;
    if (staged) this.chunk.push(staged);
    else {
      this.tools.problems.addValues(told, (place) => valueAt(pending.line, place));
      this.tools.problems.addFaultyEntry(cells.document, cells.entry);
    }
    this.pending = undefined;
  }
}

/** The trailer's counts and sums against those of the lines, offset accounts expanded. */
export function checkTrailer(
  envelope: IplEnvelope,
  totals: { debits: string; credits: string },
  problems: FileProblems,
): void {
  const { trailer } = envelope;
  if (!trailer) return;
  const wrong = (columns: Columns, said: string | number, found: string | number) =>
    problems.add({
      row: trailer.row,
      place: placeOf(columns),
      problem: invalid({ reason: 'TRAILER_DIFFERS', said, found }),
    });
  if (trailer.lines !== envelope.typeTwoLines) wrong(TRAILER.lines, trailer.lines, envelope.typeTwoLines);
  if (Number(problems.count) > 0) return;
  if (centsOf(totals.debits) !== BigInt(trailer.debits))
    wrong(TRAILER.debits, trailer.debits, String(centsOf(totals.debits)));
  if (centsOf(totals.credits) !== BigInt(trailer.credits))
    wrong(TRAILER.credits, trailer.credits, String(centsOf(totals.credits)));
}

function checkEnvelope(line: string, expected: Expected, wrong: ReportWrong): void {
  for (const [columns, value] of [
    [COMPANY, expected.company],
    [BRANCH, expected.branch],
  ] as const) {
    const given = field(line, columns);
    if (given !== '' && given !== value)
      wrong(columns, invalid({ reason: 'OTHER_THAN_EXPECTED', found: given, expected: value }));
  }
  if (hasDigits(line, [BATCH], wrong) && numberText(field(line, BATCH)) !== expected.batch) {
    wrong(BATCH, invalid({ reason: 'OTHER_BATCH' }));
  }
}

function readDocument(line: string, { month, posting }: ReadingTools, envelope: IplEnvelope, wrong: ReportWrong): void {
  const number = field(line, DOCUMENT.number);
  const date = field(line, DOCUMENT.date);
  if (number === '') wrong(DOCUMENT.number, problem('MISSING_VALUE'));
  if (date !== '' && monthOfFixed(date) !== month) wrong(DOCUMENT.date, invalid({ reason: 'NO_DATE_OF_THE_MONTH' }));
  if (envelope.documents.has(number)) wrong(DOCUMENT.number, problem('DUPLICATE', recordRef('Document', number)));
  const standardNarration = field(line, DOCUMENT.narration);
  const unusable = standardNarration && narrationProblem(standardNarration, posting.narration(standardNarration));
  if (unusable) wrong(DOCUMENT.narration, unusable);
  envelope.documents.set(number, {
    day: date === '' ? undefined : Number(date.slice(6)),
    standardNarration,
    text: field(line, DOCUMENT.text),
  });
}

function readTrailer(line: string, row: number, envelope: IplEnvelope, wrong: ReportWrong): void {
  if (!hasDigits(line, Object.values(TRAILER), wrong)) return;
  const [lines = '', debits = '', credits = '', all = ''] = Object.values(TRAILER).map((columns) =>
    field(line, columns),
  );
  if (Number(all) !== row) wrong(TRAILER.all, invalid({ reason: 'OTHER_LINE_COUNT', rows: row }));
  envelope.trailer = { row, lines: Number(lines), debits, credits };
}

function cellsOf(line: string, narration: string): Cells {
  const cents = field(line, LINE.amount);
  const entry = field(line, LINE.entry);
  return {
    document: field(line, LINE.document),
    entry: numberText(entry) ?? entry,
    day: field(line, LINE.day).replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'),
    side: field(line, LINE.side),
    account: field(line, LINE.account),
    offsetAccount: field(line, LINE.offsetAccount),
    amount: /^\d{17}$/.test(cents) && cents.startsWith('00') ? `${cents.slice(2, 15)}.${cents.slice(15)}` : undefined,
    narration,
    narrationCode: field(line, LINE.narrationCode),
    // The layout has no place for it.
    factDay: '',
  };
}

/** Fields of an entry line, called as the columns of a CSV. */
const WRITTEN = [
  ['documento', 'document'],
  ['lancamento', 'entry'],
  ['dia', 'day'],
  ['debcre', 'side'],
  ['conta', 'account'],
  ['contrapartida', 'offsetAccount'],
  ['valor', 'amount'],
  ['historico', 'narration'],
  ['cdhistorico', 'narrationCode'],
] as const satisfies readonly (readonly [string, keyof Cells])[];

/** All lines of a file; those of entries have cells. */
export function iplWrittenRows(file: SpooledFile): WrittenFile {
  return { columns: WRITTEN.map(([name]) => name), rows: writtenLines(file) };
}

async function* writtenLines(file: SpooledFile): AsyncGenerator<WrittenRow[]> {
  let row = 0;
  let rows: WrittenRow[] = [];
  for await (const text of linesOf(file)) {
    row++;
    const cells = text[0] === '2' ? cellsOf(text, field(text, LINE.narration)) : undefined;
    rows.push({ row, cells: cells ? WRITTEN.map(([, name]) => cells[name] ?? '') : [], text });
    if (rows.length < CHUNK) continue;
    yield rows;
    rows = [];
  }
  yield rows;
}

/** The file's lines without their ends. The event loop gets its turn between lines, however short they are. */
async function* linesOf(file: SpooledFile): AsyncGenerator<string> {
  const breathe = yieldToEventLoop();
  let rest = '';
  let row = 0;
  for await (const piece of textOf(file, PIECE) as AsyncIterable<string>) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop()!;
    if (rest.length > MAX_LINE)
      reject('FILE_UNREADABLE', { reason: 'ENDLESS_LINE', row: row + lines.length + 1, length: LINE_LENGTH }, 'file');
    for (const line of lines) {
      if (row++ % SMALL_FILE_LINES === 0) await breathe();
      yield line.endsWith('\r') ? line.slice(0, -1) : line;
    }
  }
  if (rest !== '') yield rest.endsWith('\r') ? rest.slice(0, -1) : rest;
}

function field(line: string, [first, last]: Columns): string {
  return line.slice(first - 1, last).trim();
}

/** What stands at a place of the line. */
function valueAt(line: string, place: string): string | undefined {
  const [, first, last] = /^columns (\d+)–(\d+)$/.exec(place) ?? [];
  return first === undefined ? undefined : field(line, [Number(first), Number(last)]);
}

function placeOf([first, last]: Columns): string {
  return `columns ${first}–${last}`;
}

/** Whether numeric fields (N of the layout) are digits throughout, without blanks; says where they are not. */
function hasDigits(line: string, fields: readonly Columns[], wrong: ReportWrong): boolean {
  const bad = fields.filter(([first, last]) => !/^\d+$/.test(line.slice(first - 1, last)));
  for (const columns of bad) {
    wrong(columns, invalid({ reason: 'NOT_ONLY_DIGITS' }));
  }
  return bad.length === 0;
}

/** Digits without leading zeros; undefined for anything else. */
function numberText(text: string): string | undefined {
  return /^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : undefined;
}

function monthOfHeader(line: string): Month | undefined {
  const [year, month] = [HEADER.year, HEADER.month].map((columns) => numberText(field(line, columns)));
  return year === undefined || month === undefined ? undefined : monthOf(Number(year), Number(month));
}

function monthOfFixed(date: string): Month | undefined {
  const day = /^\d{8}$/.test(date) ? dayFromIso(`${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`) : undefined;
  return day === undefined ? undefined : monthOfDay(day);
}

function centsOf(decimal: string): bigint {
  return BigInt(decimal.replace('.', ''));
}

function invalid(reason: Reason): Problem {
  return problem('INVALID_FIELD', reason);
}
