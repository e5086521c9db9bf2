import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type Column, interpolate, type Layout } from './layout.ts';
import {
  alignmentOf,
  cellText,
  type DocumentOptions,
  formatCell,
  type Printable,
  type Printed,
  type ReportWriter,
  type TableRow,
  type TextPage,
  type Volume,
} from './rows.ts';

/** Columns of a line and lines of a page, as line printers and archives of printed books expect them. */
const LINE_WIDTH = 132;
const PAGE_LINES = 66;
const INDENT = 2;
const SIGNATURE_WIDTH = 50;
const RULE = '-'.repeat(LINE_WIDTH);

/** Fixed-width pages with a form feed between them; long texts wrap, nothing is cut. */
export function openTxt(output: Writable, { watch }: DocumentOptions): ReportWriter {
  let isFirst = true;
  const write = async (text: string) => {
    if (text !== '' && !output.write(text)) await once(output, 'drain');
  };
  return {
    async add(layout, content) {
      if (!isFirst) await write('\f');
      isFirst = false;
      const spool = await openSpool();
      try {
        const printed = await writeReport(new TextBook(layout, content), content, { spool, write, watch });
        return { ...printed, missingCharacters: [] };
      } finally {
        await spool.remove();
      }
    },
    async end() {
      output.end();
      await finished(output);
    },
  };
}

interface TextOutput {
  readonly spool: Awaited<ReturnType<typeof openSpool>>;
  readonly write: (text: string) => Promise<void>;
  readonly watch: DocumentOptions['watch'];
}

/** Returns how many pages there are. They wait in the spool until their volume is complete and its length known. */
async function writeReport(
  book: TextBook,
  content: Printable,
  { spool, write, watch }: TextOutput,
): Promise<Pick<Printed, 'pages' | 'annexes'>> {
  const drain = async () => {
    for (const part of book.take()) {
      if (typeof part === 'string') await spool.add(part);
      else {
        await write(numberPages(part.opening, part.lastPage));
        for await (const text of spool.drained()) await write(numberPages(text, part.lastPage));
      }
    }
  };
  const add = async (part: TextBook, { texts = [], rows }: Printable) => {
    for (const page of texts) part.addTextPage(page, page.folha);
    for await (const chunk of rows) {
      for (const row of chunk) part.addRow(row);
      await drain();
      watch?.(spool.bytes());
    }
    part.endTable();
  };
  await add(book, content);
  const annexes: number[] = [];
  for await (const annex of content.annexes ?? []) {
    const bound = new TextBook(annex.layout, annex.content, book);
    book.turnVolume();
    await add(bound, annex.content);
    annexes.push(bound.pages);
  }
  book.end();
  await drain();
  return { pages: book.pages, annexes };
}

/** A file that holds the pages of a volume until it is complete. */
async function openSpool() {
  const folder = await mkdtemp(join(tmpdir(), `partidas-spool-${process.pid}-`));
  const path = join(folder, 'volume');
  const file = await open(path, 'w', 0o600);
  let bytes = 0;
  return {
    bytes: () => bytes,
    async add(text: string) {
      bytes += Buffer.byteLength(text);
      await file.appendFile(text);
    },
    /** In portions of whole lines. */
    async *drained(): AsyncGenerator<string> {
      let rest = '';
      for await (const text of createReadStream(path, 'utf8') as AsyncIterable<string>) {
        const end = text.lastIndexOf('\n') + 1;
        if (end > 0) yield rest + text.slice(0, end);
        rest = end > 0 ? text.slice(end) : rest + text;
      }
      yield rest;
      await file.truncate();
    },
    async remove() {
      await file.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Stands for the number of pages until it is known; no text that is printed has such characters. */
const LAST_PAGE = '\u0001'.repeat(7);

/** The places of the number of pages filled, the numbers still ending where the line does. */
function numberPages(text: string, lastPage: number): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it marks the place
  return text.replace(/ {0,7}(Página \d+ de )\u0001{7}/g, (whole, label: string) =>
    `${label}${lastPage}`.padStart(whole.length),
  );
}

interface OpenVolume {
  readonly number: number;
  readonly firstPage: number;
  pages: number;
  firstDetail: TableRow | undefined;
  lastDetail: TableRow | undefined;
}

/** A page, or the end of a volume: its first page, empty where there are no terms, and the number of its last. */
type ReadyPart = string | { readonly opening: string; readonly lastPage: number };

/** The pages of a report; those of an annex are pages of its book's volumes. */
class TextBook {
  pages = 0;
  /** The book that this is bound with; the report itself where it is no annex. */
  private readonly book: TextBook;
  private readonly layout: Layout;
  private readonly content: Printable;
  private readonly widths: readonly number[];
  private lines: string[] = [];
  /** Pages, and the ends of volumes that are complete with the pages before. */
  private ready: ReadyPart[] = [];
  private volume: OpenVolume;
  private inTable = false;
  private carried: Readonly<Record<string, string>> | undefined;
  /** The heading that the next rows belong to. */
  private group: string | undefined;

  constructor(layout: Layout, content: Printable, book?: TextBook) {
    this.book = book ?? this;
    this.layout = layout;
    this.content = content;
    this.widths = columnWidths(layout);
    this.volume = book?.volume ?? this.newVolume(1);
  }

  /** What is complete so far. */
  take(): readonly ReadyPart[] {
    const { ready } = this;
    this.ready = [];
    return ready;
  }

  addRow(row: TableRow): void {
    if (!this.inTable) this.startPage();
    if (row.kind === 'section' || row.kind === 'group' || row.kind === 'total') this.group = undefined;
    const lines = this.linesOf(row);
    // Below the titles of the columns there is a rule already.
    if (lines[0] === RULE && this.lines.at(-1) === RULE) lines.shift();
    const reserved = this.layout.carry ? 1 : 0;
    for (const [at, line] of lines.entries()) {
      const together = at === 0 && lines.length < PAGE_LINES - 12 ? lines.length : 1;
      if (this.lines.length + together + reserved > PAGE_LINES) this.turnPage();
      this.lines.push(line);
    }
    if (row.kind === 'group') this.group = row.cells.text;
    if (row.kind === 'detail' && this.book === this) {
      this.volume.firstDetail ??= row;
      this.volume.lastDetail = row;
    }
    if (row.carry) this.carried = row.carry;
  }

  addTextPage(page: TextPage, folha?: number): void {
    this.countPage();
    this.book.ready.push(this.pageOf(this.textLines(page, folha ?? this.pageNumber())));
  }

  /** A table without rows still shows its heads, unless pages of text are all there is. */
  endTable(): void {
    if (!this.inTable && this.pages === 0) this.startPage();
    if (this.inTable) {
      this.addSignatures();
      this.endPage();
    }
  }

  /** On one page as far as it has room. */
  private addSignatures(): void {
    const lines = signatureLines(this.content.signatures ?? []);
    if (lines.length === 0) return;
    if (this.lines.length + lines.length > PAGE_LINES) this.turnPage();
    for (const line of lines) {
      if (this.lines.length >= PAGE_LINES) this.turnPage();
      this.lines.push(line);
    }
  }

  /** Ends the last volume; nothing comes after it. */
  end(): void {
    this.endVolume(true);
  }

  /** Begins the next volume when this one has no room for another page. */
  turnVolume(): void {
    if (this.book !== this) return this.book.turnVolume();
    const { pagesPerVolume = Number.POSITIVE_INFINITY } = this.content.binding ?? {};
    // Besides the next page there must be room for the closing one.
    if (this.volume.pages + 2 > pagesPerVolume) this.endVolume(false);
  }

  private newVolume(number: number): OpenVolume {
    const { binding, firstPage = 1 } = this.content;
    // The opening term is its first page.
    const pages = binding ? 1 : 0;
    this.pages += pages;
    const first = number > 1 ? 1 : (binding?.firstPage ?? firstPage);
    return { number, firstPage: first, pages, firstDetail: undefined, lastDetail: undefined };
  }

  private endVolume(isLast: boolean): void {
    const { binding } = this.content;
    if (binding === undefined) {
      this.ready.push({ opening: '', lastPage: this.pageNumber() });
      return;
    }
    this.countPage();
    const complete: Volume = { ...this.volume, isLast };
    const { firstPage } = complete;
    this.ready.push(this.pageOf(this.textLines(binding.closing(complete), this.pageNumber())), {
      opening: this.pageOf(this.textLines(binding.opening(complete), firstPage), complete.number === 1),
      lastPage: this.pageNumber(),
    });
    if (!isLast) this.volume = this.newVolume(complete.number + 1);
  }

  private countPage(): void {
    const { book } = this;
    this.pages++;
    if (book !== this) book.pages++;
    book.volume.pages++;
  }

  private pageNumber(): number {
    const { firstPage, pages } = this.book.volume;
    return firstPage + pages - 1;
  }

  private startPage(): void {
    this.inTable = true;
    this.countPage();
    this.lines = [...this.headLines(this.pageNumber()), RULE, ...this.titleLines(), RULE];
  }

  private endPage(): void {
    this.book.ready.push(this.pageOf(this.lines));
    this.lines = [];
  }

  private headLines(number: number): string[] {
    const { values } = this.content;
    const { description = '', notice = '' } = values;
    const isFolha = this.book.layout.numbering === 'folha' || this.book.content.binding;
    const label = isFolha ? `Folha ${number}` : `Página ${number} de ${LAST_PAGE}`;
    return [
      ...splitAround(formatCell(values.company ?? ''), label),
      ...splitAround(formatCell(values.identification ?? ''), formatCell(values.emittedAt ?? '')),
      ...splitAround(
        formatCell(this.layout.title),
        formatCell(
          this.layout.subtitle
            .map((each) => interpolate(each, values))
            .filter((each) => each !== '')
            .join(' · '),
        ),
      ),
      ...(description + notice === '' ? [] : splitAround(formatCell(description), formatCell(notice))),
    ];
  }

  private pageOf(lines: readonly string[], isFirst = this.book.pages === 1): string {
    return `${isFirst ? '' : '\f'}${lines.join('\n')}\n`;
  }

  private textLines(page: TextPage, number: number): string[] {
    const indent = ' '.repeat(10);
    const width = LINE_WIDTH - 2 * indent.length;
    const lines = [...this.headLines(number), '', '', alignText(page.title, LINE_WIDTH, 'center').trimEnd(), '', ''];
    for (const paragraph of page.paragraphs) {
      lines.push(...wrap(formatCell(paragraph), width).map((line) => indent + line), '');
    }
    return [...lines, ...signatureLines(page.signatures)];
  }

  private turnPage(): void {
    const { carry } = this.layout;
    // Between two accounts of a ledger there is nothing to carry.
    const carries = carry?.columns.some((key) => (this.carried?.[key] ?? '') !== '');
    if (carries) this.lines.push(...this.carryLines(carry!.to));
    this.endPage();
    this.turnVolume();
    this.startPage();
    if (this.layout.repeatGroup && this.group !== undefined) {
      this.lines.push(...wrap(formatCell(`${this.group} (continuação)`), LINE_WIDTH));
    }
    if (carries) this.lines.push(...this.carryLines(carry!.from));
  }

  private carryLines(label: string): string[] {
    const keys = this.layout.carry!.columns;
    const first = this.layout.columns.findIndex((column) => keys.includes(column.key));
    return this.cellLines(
      (column, at) =>
        keys.includes(column.key)
          ? cellText(column, this.carried?.[column.key])
          : at === Math.max(0, first - 1)
            ? label
            : '',
      0,
    );
  }

  private linesOf(row: TableRow): string[] {
    if (row.kind === 'section' || row.kind === 'group')
      return ['', ...wrap(formatCell(row.cells.text ?? ''), LINE_WIDTH)];
    if (row.kind === 'note') return wrap(formatCell(row.cells.text ?? ''), LINE_WIDTH);
    const lines = this.rowLines(row);
    return row.kind === 'detail' ? lines : [RULE, ...lines];
  }

  /** A name too long for its column has a line for itself, and the figures stand below it. */
  private rowLines(row: TableRow): string[] {
    const level = row.level ?? 1;
    const textOf = (column: Column) => cellText(column, row.cells[column.key]);
    const at = this.layout.columns.findIndex(({ indent }) => indent);
    const name = at < 0 ? '' : formatCell(textOf(this.layout.columns[at]!));
    const indent = at < 0 ? 0 : this.indentOf(at, level);
    if (at < 0 || name.length <= this.widths[at]! - indent) return this.cellLines(textOf, level);
    const start = this.widths.slice(0, at).reduce((sum, width) => sum + width + 1, indent);
    const before = this.cellLines((column, place) => (place < at ? textOf(column) : ''), level);
    const behind = this.cellLines((column, place) => (place > at ? textOf(column) : ''), level);
    const named = wrap(name, LINE_WIDTH - start).map((line, place) => (before[place] ?? '').padEnd(start) + line);
    return [...named, ...before.slice(named.length), ...behind.filter((line) => line !== '')];
  }

  /** At any depth, half of the column is left for the text. */
  private indentOf(at: number, level: number): number {
    if (!this.layout.columns[at]!.indent) return 0;
    return Math.min(Math.floor(this.widths[at]! / 2), Math.max(0, level - 1) * INDENT);
  }

  private titleLines(): string[] {
    return this.besideEachOther(
      this.layout.columns.map((column, at) => wrap(formatCell(column.title), this.widths[at]!)),
    );
  }

  private cellLines(textOf: (column: Column, at: number) => string, level: number): string[] {
    /** Numbers too long for their columns, each in a line of its own: broken in two it would be two numbers. */
    const wide: string[] = [];
    const cells = this.layout.columns.map((column, at) => {
      const width = this.widths[at]!;
      const text = textOf(column, at);
      if (isNumber(column) && narrowText(column, text, width).length > width) {
        const end = this.widths.slice(0, at + 1).reduce((sum, each) => sum + each, at);
        wide.push(text.padStart(end).trimEnd());
        return [];
      }
      const indent = this.indentOf(at, level);
      return wrap(formatCell(narrowText(column, text, width)), width - indent).map((line) => ' '.repeat(indent) + line);
    });
    return [...this.besideEachOther(cells), ...wide];
  }

  private besideEachOther(cells: readonly (readonly string[])[]): string[] {
    return Array.from({ length: Math.max(1, ...cells.map((cell) => cell.length)) }, (_, line) =>
      this.layout.columns
        .map((column, at) => alignText(cells[at]![line] ?? '', this.widths[at]!, alignmentOf(column)))
        .join(' ')
        .trimEnd(),
    );
  }
}

/** Places to sign, two side by side. */
function signatureLines(signatures: readonly (readonly string[])[]): string[] {
  const places = signatures.map((texts) => [
    '_'.repeat(SIGNATURE_WIDTH),
    ...texts.flatMap((text) => wrap(formatCell(text), SIGNATURE_WIDTH)),
  ]);
  const gap = Math.floor((LINE_WIDTH - 2 * SIGNATURE_WIDTH) / 3);
  const lines: string[] = [];
  for (let at = 0; at < places.length; at += 2) {
    const pair = places.slice(at, at + 2);
    const height = Math.max(...pair.map((place) => place.length));
    lines.push('', '', '');
    for (let line = 0; line < height; line++) {
      const texts = pair.map((place) => ' '.repeat(gap) + (place[line] ?? '').padEnd(SIGNATURE_WIDTH));
      lines.push(texts.join('').trimEnd());
    }
  }
  return lines;
}

function isNumber({ kind }: Column): boolean {
  return kind === 'money' || kind === 'decimal' || kind === 'balance';
}

/** What is not broken: dd/mm/aaaa, amounts below a trillion without their points, with a sign or a side. */
const MIN_WIDTH: Partial<Record<Column['kind'], number>> = { date: 10, money: 16, balance: 17 };
/** A word of a title that is longer may be broken. */
const MAX_FOR_TITLE = 14;
/** What columns of text keep where there are too many columns. */
const MIN_TEXT = 12;

/** The line's width shared out by the layout's shares, a blank between columns; the widest takes and gives the rest. */
function columnWidths(layout: Layout): number[] {
  const room = LINE_WIDTH - (layout.columns.length - 1);
  const shares = layout.columns.reduce((sum, column) => sum + column.width, 0);
  const widths = layout.columns.map(
    (column) =>
      column.characters ??
      Math.max(
        MIN_WIDTH[column.kind] ?? 1,
        // No word of a title is broken.
        ...column.title.split(' ').map((word) => Math.min(word.length, MAX_FOR_TITLE)),
        Math.floor((column.width / shares) * room),
      ),
  );
  let rest = room - widths.reduce((sum, width) => sum + width, 0);
  const widestOf = (of: readonly number[]) => of.indexOf(Math.max(...of));
  const isShared = (at: number) => layout.columns[at]!.characters === undefined;
  const shared = widths.map((width, at) => (isShared(at) ? width : 0));
  if (rest > 0) widths[widestOf(Math.max(...shared) > 0 ? shared : widths)]! += rest;
  const isText = (at: number) => MIN_WIDTH[layout.columns[at]!.kind] === undefined && isShared(at);
  for (; rest < 0; rest++) {
    const texts = widths.map((width, at) => (isText(at) ? width : 0));
    const given = Math.max(...texts) > MIN_TEXT ? texts : widths;
    widths[widestOf(given)]! -= 1;
  }
  return widths;
}

/** An amount too long for its column loses its thousands separators before it is broken. */
function narrowText(column: Column, text: string, width: number): string {
  return isNumber(column) && text.length > width ? text.replaceAll('.', '') : text;
}

function splitAround(left: string, right: string): string[] {
  const gap = LINE_WIDTH - left.length - right.length;
  return gap >= 1
    ? [(left + ' '.repeat(gap) + right).trimEnd()]
    : [...wrap(left, LINE_WIDTH), ...wrap(right, LINE_WIDTH)];
}

function alignText(text: string, width: number, to: 'left' | 'right' | 'center'): string {
  if (to === 'right') return text.padStart(width);
  if (to === 'center') return text.padStart(Math.floor((width + text.length) / 2)).padEnd(width);
  return text.padEnd(width);
}

function wrap(text: string, width: number): string[] {
  if (text.length <= width) return [text];
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length <= width) {
      line += ` ${word}`;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (line.length > width) {
      lines.push(line.slice(0, width));
      line = line.slice(width);
    }
  }
  lines.push(line);
  return lines;
}
