import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';
import { type Column, filled, type Layout } from './layout.ts';
import {
  alignmentOf,
  type Printable,
  type Printed,
  printable,
  shownText,
  type TableRow,
  type TextPage,
} from './rows.ts';
import { openTypeface, type Typeface } from './typeface.ts';

const REGULAR = fileURLToPath(new URL('fonts/IBMPlexSansCondensed-Regular.ttf', import.meta.url));
const BOLD = fileURLToPath(new URL('fonts/IBMPlexSansCondensed-SemiBold.ttf', import.meta.url));

const MARGIN = 34;
const CELL_GAP = 5;
const PAGE_NUMBER_ROOM = 100;
const INDENT = 7;
const LEADING = 1.3;
/** A text a little too long is set narrower before it is broken. */
const NARROWEST = 86;
const INK = '0.13 0.14 0.16';
const GREY = '0.42 0.44 0.48';
const RULE = '0.78 0.79 0.82';
const ZEBRA = '0.965 0.968 0.975';
/** Behind pdfkit's back the outline grows with the book; nobody reads more entries than this. */
const MAX_BOOKMARKS = 5_000;

/**
 * Paints the table as PDF into the stream: pages leave as they fill, so memory does not grow with the book. Texts are
 * written as glyph codes by our own operators through pdfkit, which keeps fonts, outline and structure.
 */
export async function paintPdf(layout: Layout, content: Printable, output: Writable): Promise<Printed> {
  const painter = new Painter(layout, content, output);
  if (content.opening) painter.paintText(content.opening);
  for await (const chunk of content.rows) {
    for (const row of chunk) painter.paintRow(row);
    await painter.flush();
  }
  painter.endTable();
  return painter.finish();
}

class Painter {
  private readonly layout: Layout;
  private readonly content: Printable;
  private readonly output: Writable;
  private readonly document: PDFKit.PDFDocument;
  private readonly regular: Typeface;
  private readonly bold: Typeface;
  private readonly columns: { column: Column; x: number; width: number; align: 'left' | 'right' | 'center' }[];
  private readonly pageWidth: number;
  private readonly bottom: number;
  private readonly size: number;
  private readonly line: number;
  private readonly total: { readonly data: Record<string, unknown>; write(text: string): void; end(): void };
  private operators: string[] = [];
  private y = 0;
  private pages = 0;
  private inTable = false;
  private striped = false;
  private bookmarks = 0;
  private carried: Readonly<Record<string, string>> | undefined;

  constructor(layout: Layout, content: Printable, output: Writable) {
    this.layout = layout;
    this.content = content;
    this.output = output;
    this.document = new PDFDocument({
      size: 'A4',
      layout: layout.orientation,
      margin: 0,
      autoFirstPage: false,
      info: {
        Title: `${layout.title} ${content.values.period ?? ''}`.trim(),
        Author: content.values.company ?? '',
        Creator: 'Partidas',
      },
      lang: 'pt-BR',
    });
    this.document.pipe(output);
    this.regular = openTypeface(this.document, REGULAR);
    this.bold = openTypeface(this.document, BOLD);
    const [width, height] = layout.orientation === 'portrait' ? [595.28, 841.89] : [841.89, 595.28];
    this.pageWidth = width;
    this.size = layout.fontSize;
    this.line = this.size * LEADING;
    this.bottom = height - MARGIN - (layout.carry ? this.line * 1.6 : 0);
    this.columns = placedColumns(layout, width - 2 * MARGIN);
    // "de M": one form that every page shows and that is written when M is known.
    this.total = this.document.ref({ Type: 'XObject', Subtype: 'Form', BBox: [0, -4, 60, 12] }) as never;
  }

  paintRow(row: TableRow): void {
    if (!this.inTable) this.startTable();
    if (row.kind === 'newPage') return this.turnPage();
    if (row.kind === 'section' || row.kind === 'group' || row.kind === 'note') this.paintHeading(row);
    else this.paintCells(row);
    if (row.carry) this.carried = row.carry;
  }

  /** A table without rows still shows its heads, unless the text pages are all there is. */
  endTable(): void {
    if (!this.inTable && this.pages > 0) return;
    if (!this.inTable) this.startTable();
    this.rule(this.y + 1);
    this.endPage();
  }

  /** Lets the finished pages leave and waits while their reader is behind. */
  async flush(): Promise<void> {
    // Rows that stand in memory come without a turn of the event loop, and only in one do pages leave.
    await setImmediate();
    if (this.output.writableNeedDrain) await once(this.output, 'drain');
  }

  async finish(): Promise<Printed> {
    const closing = this.content.closing?.(this.pages + 1);
    if (closing) this.paintText(closing);
    const last = (this.content.firstPage ?? 1) + this.pages - 1;
    this.writeTotal(String(last));
    const done = finished(this.output);
    this.document.end();
    await done;
    return { pages: this.pages, missingCharacters: [...new Set([...this.regular.missing, ...this.bold.missing])] };
  }

  paintText(page: TextPage): void {
    this.addPage();
    let y = this.y + 60;
    const size = 11;
    const width = this.pageWidth - 2 * (MARGIN + 40);
    this.text(this.bold, 16, (this.pageWidth - this.bold.width(page.title, 16)) / 2, y, page.title);
    y += 44;
    for (const paragraph of page.paragraphs) {
      for (const line of wrapped(this.regular, size, printable(paragraph), width)) {
        this.text(this.regular, size, MARGIN + 40, y, line);
        y += size * 1.55;
      }
      y += size;
    }
    y += 50;
    for (const signature of page.signatures) {
      const x = MARGIN + 40;
      this.operators.push(`${RULE} RG 0.6 w ${x} ${fixed(y)} m ${x + 260} ${fixed(y)} l S`);
      y += 14;
      for (const line of signature) {
        this.text(this.regular, 9.5, x, y, printable(line));
        y += 13;
      }
      y += 46;
    }
    this.endPage();
  }

  private writeTotal(pages: string): void {
    const form = this.total;
    form.data.Resources = { Font: { [this.regular.id]: this.regular.reference() } };
    form.write(`BT ${GREY} rg /${this.regular.id} 8 Tf 0 0 Td <${this.regular.encode(pages)}> Tj ET`);
    form.end();
  }

  private addPage(): void {
    this.document.addPage();
    this.pages++;
    const page = this.document.page as unknown as { xobjects: Record<string, unknown> };
    this.regular.use(this.document.page);
    this.bold.use(this.document.page);
    page.xobjects.Total = this.total;
    this.operators = [];
    this.striped = false;
    this.paintHeader();
  }

  private endPage(): void {
    this.document.addContent(this.operators.join('\n'));
    this.operators = [];
  }

  private startTable(): void {
    this.inTable = true;
    this.addPage();
    this.paintHeads();
  }

  private turnPage(): void {
    if (this.carries()) this.paintCarry(this.layout.carry!.to, this.bottom + this.line * 0.3);
    this.endPage();
    this.addPage();
    this.paintHeads();
    if (this.carries()) {
      this.paintCarry(this.layout.carry!.from, this.y);
      this.y += this.line * 1.3;
    }
  }

  /** Are there sums to carry? Between two accounts of a ledger there are none. */
  private carries(): boolean {
    return (this.layout.carry?.columns ?? []).some((key) => (this.carried?.[key] ?? '') !== '');
  }

  private paintHeader(): void {
    const { values } = this.content;
    const right = this.pageWidth - MARGIN;
    let y = MARGIN + 9;
    const emittedAt = printable(values.emittedAt ?? '');
    const subtitles = this.layout.subtitle.map((line) => printable(filled(line, values)));
    this.paintPageNumber(right, y);
    y = this.paintBeside(this.bold, 10.5, y, values.company ?? '', PAGE_NUMBER_ROOM) + 12;
    this.textRight(this.regular, 8, right, y, emittedAt, GREY);
    y = this.paintBeside(this.regular, 8, y, values.identification ?? '', this.regular.width(emittedAt, 8), GREY) + 20;
    const widest = Math.max(0, ...subtitles.map((line) => this.regular.width(line, 9)));
    const titleEnd = this.paintBeside(this.bold, 13, y, filled(this.layout.title, values), widest);
    for (const line of subtitles) {
      this.textRight(this.regular, 9, right, y, line);
      y += 11;
    }
    this.y = Math.max(y, titleEnd + 11) - 2;
  }

  /** Left of what takes `beside` at the right; a name too long for the room goes on below. Answers its last baseline. */
  private paintBeside(face: Typeface, size: number, y: number, text: string, beside: number, ink = INK): number {
    const room = Math.max(PAGE_NUMBER_ROOM, this.pageWidth - 2 * MARGIN - beside - 2 * CELL_GAP);
    const lines = wrapped(face, size, printable(text), room);
    lines.forEach((line, at) => {
      this.text(face, size, MARGIN, y + at * size * 1.15, line, ink);
    });
    return y + (lines.length - 1) * size * 1.15;
  }

  private paintPageNumber(right: number, y: number): void {
    const number = String((this.content.firstPage ?? 1) + this.pages - 1);
    if (this.layout.numbering === 'folha') {
      this.textRight(this.regular, 8, right, y, `Folha ${number}`, GREY);
      return;
    }
    const label = `Página ${number} de `;
    const room = 26;
    this.textRight(this.regular, 8, right - room, y, label, GREY);
    this.operators.push(`q 1 0 0 -1 ${fixed(right - room)} ${fixed(y)} cm /Total Do Q`);
  }

  private paintHeads(): void {
    this.rule(this.y, INK, 0.8);
    const size = this.size - 0.4;
    const heads = this.columns.map(({ column, width }) => wrapped(this.bold, size, column.title, width));
    const lines = Math.max(1, ...heads.map((each) => each.length));
    const top = this.y;
    this.columns.forEach((placed, index) => {
      heads[index]!.forEach((text, at) => {
        this.aligned(this.bold, size, placed, top + this.line * (at + 1), text, 0, INK);
      });
    });
    this.y = top + this.line * lines + 4;
    this.rule(this.y, INK, 0.4);
    this.y += 2;
  }

  private paintHeading(row: TableRow): void {
    const isNote = row.kind === 'note';
    const face = isNote ? this.regular : this.bold;
    const size = row.kind === 'section' ? this.size + 1.5 : this.size;
    const lines = wrapped(face, size, printable(row.cells.text ?? ''), this.pageWidth - 2 * MARGIN);
    const before = isNote ? 1 : row.kind === 'section' ? 8 : 5;
    // A heading stays with at least two of its rows.
    this.makeRoom(before + lines.length * this.line + (isNote ? 0 : this.line * 2.5));
    this.y += before;
    if (row.bookmark) this.addBookmark(row.bookmark);
    for (const text of lines) {
      this.y += this.line;
      this.text(face, size, MARGIN, this.y - this.line * 0.28, text, isNote ? GREY : INK);
    }
    this.striped = false;
  }

  private paintCells(row: TableRow): void {
    const strong = row.kind !== 'detail';
    const face = strong ? this.bold : this.regular;
    let lines = 1;
    const cells = this.columns.map((placed) => {
      const raw = shownText(placed.column, row.cells[placed.column.key]);
      if (raw === '') return undefined;
      // However deep the level, half of the column is left for the text.
      const indent = placed.column.indent ? Math.min(placed.width / 2, Math.max(0, (row.level ?? 1) - 1) * INDENT) : 0;
      const cell = this.fitted(face, plain(raw), placed.width - indent);
      if (cell.lines.length > lines) lines = cell.lines.length;
      return { ...cell, indent };
    });
    const height = lines * this.line + (strong ? 2.5 : 0.6);
    // A text longer than a page is the only thing that is broken between pages.
    const most = Math.floor((this.bottom - 160) / this.line);
    if (lines > most) return this.paintLongCells(cells, lines);
    this.makeRoom(height);
    if (strong) this.rule(this.y + 0.6, RULE, 0.5);
    else if (this.layout.zebra && this.striped) {
      this.operators.push(
        `${ZEBRA} rg ${MARGIN} ${fixed(this.y)} ${fixed(this.pageWidth - 2 * MARGIN)} ${fixed(height)} re f`,
      );
    }
    this.striped = !this.striped;
    if (row.bookmark) this.addBookmark(row.bookmark);
    const baseline = this.y + this.line * 0.76 + (strong ? 1.5 : 0);
    this.columns.forEach((placed, index) => {
      const cell = cells[index];
      cell?.lines.forEach((text, at) => {
        this.aligned(face, this.size, placed, baseline + at * this.line, text, cell.indent, INK, cell.scale);
      });
    });
    this.y += height;
  }

  private paintLongCells(
    cells: readonly ({ lines: string[]; scale: number; indent: number } | undefined)[],
    lines: number,
  ): void {
    for (let at = 0; at < lines; at++) {
      this.makeRoom(this.line);
      this.columns.forEach((placed, index) => {
        const cell = cells[index];
        const text = cell?.lines[at];
        if (cell && text !== undefined) {
          this.aligned(this.regular, this.size, placed, this.y + this.line * 0.76, text, cell.indent, INK, cell.scale);
        }
      });
      this.y += this.line;
    }
  }

  /** As it is, a little narrower, or broken into lines. */
  private fitted(face: Typeface, text: string, width: number): { lines: string[]; scale: number } {
    const natural = face.width(text, this.size);
    if (natural <= width) return { lines: [text], scale: 100 };
    const scale = Math.floor((width / natural) * 100);
    if (scale >= NARROWEST) return { lines: [text], scale };
    return { lines: wrapped(face, this.size, text, width / (NARROWEST / 100)), scale: NARROWEST };
  }

  private paintCarry(label: string, y: number): void {
    const baseline = y + this.line * 0.8;
    const carriedKeys = this.layout.carry!.columns;
    const first = this.columns.findIndex((placed) => carriedKeys.includes(placed.column.key));
    const before = this.columns[Math.max(0, first - 1)]!;
    this.textRight(this.bold, this.size, before.x + before.width, baseline, label);
    for (const placed of this.columns) {
      if (!carriedKeys.includes(placed.column.key)) continue;
      const text = shownText(placed.column, this.carried?.[placed.column.key]);
      const { scale } = this.fitted(this.bold, text, placed.width);
      this.aligned(this.bold, this.size, placed, baseline, text, 0, INK, scale);
    }
  }

  private makeRoom(height: number): void {
    if (this.y + height > this.bottom) this.turnPage();
  }

  private addBookmark(title: string): void {
    if (this.bookmarks++ >= MAX_BOOKMARKS) return;
    this.document.outline.addItem(printable(title).slice(0, 200));
  }

  private aligned(
    face: Typeface,
    size: number,
    placed: { x: number; width: number; align: 'left' | 'right' | 'center' },
    y: number,
    text: string,
    indent: number,
    ink: string,
    scale = 100,
  ): void {
    if (placed.align === 'left') return this.text(face, size, placed.x + indent, y, text, ink, scale);
    const width = (face.width(text, size) * scale) / 100;
    const room = placed.width - width;
    this.text(face, size, placed.x + (placed.align === 'right' ? room : room / 2), y, text, ink, scale);
  }

  private textRight(face: Typeface, size: number, right: number, y: number, text: string, ink = INK): void {
    this.text(face, size, right - face.width(text, size), y, text, ink);
  }

  /** pdfkit's pages are turned upside down; the text matrix turns the letters back. */
  private text(face: Typeface, size: number, x: number, y: number, text: string, ink = INK, scale = 100): void {
    if (text === '') return;
    const narrower = scale === 100 ? '' : ` ${scale} Tz`;
    this.operators.push(
      `BT ${ink} rg /${face.id} ${size} Tf${narrower} 1 0 0 -1 ${fixed(x)} ${fixed(y)} Tm <${face.encode(text)}> Tj${
        scale === 100 ? '' : ' 100 Tz'
      } ET`,
    );
  }

  private rule(y: number, ink = RULE, width = 0.4): void {
    this.operators.push(
      `${ink} RG ${width} w ${MARGIN} ${fixed(y)} m ${fixed(this.pageWidth - MARGIN)} ${fixed(y)} l S`,
    );
  }
}

function placedColumns(layout: Layout, room: number) {
  const shares = layout.columns.reduce((sum, column) => sum + column.width, 0);
  const usable = room - CELL_GAP * (layout.columns.length - 1);
  let x = MARGIN;
  return layout.columns.map((column) => {
    const width = (column.width / shares) * usable;
    const placed = { column, x, width, align: alignmentOf(column) };
    x += width + CELL_GAP;
    return placed;
  });
}

/** Lines no wider than asked, broken at blanks; a word wider than a line is broken inside. */
function wrapped(face: Typeface, size: number, text: string, width: number): string[] {
  if (face.width(text, size) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  let lineWidth = 0;
  const blank = face.width(' ', size);
  for (const word of text.split(' ')) {
    const wordWidth = face.width(word, size);
    if (line !== '' && lineWidth + blank + wordWidth <= width) {
      line += ` ${word}`;
      lineWidth += blank + wordWidth;
      continue;
    }
    if (line !== '') lines.push(line);
    [line, lineWidth] = [word, wordWidth];
    while (line !== '' && lineWidth > width) {
      const cut = longestPrefix(face, size, line, width);
      lines.push(line.slice(0, cut));
      line = line.slice(cut);
      lineWidth = face.width(line, size);
    }
  }
  lines.push(line);
  return lines;
}

function longestPrefix(face: Typeface, size: number, text: string, width: number): number {
  let used = 0;
  let at = 0;
  for (const character of text) {
    used += face.width(character, size);
    if (used > width && at > 0) return at;
    at += character.length;
  }
  return at;
}

/** Most cells are plain and cheap to recognise. */
function plain(text: string): string {
  return /^[\x20-\x7e\u00a1-\u024f]*$/.test(text) ? text : printable(text);
}

function fixed(value: number): string {
  return String(Math.round(value * 100) / 100);
}
