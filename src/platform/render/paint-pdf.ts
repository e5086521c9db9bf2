import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { wrapped } from './fit-text.ts';
import type { Layout } from './layout.ts';
import { HEAD_SIZE, NUMBER_ROOM, numberLine, paintColumnTitles, paintHead } from './page-head.ts';
import { type MeasuredCell, measuredCell, measuredCells, paintCellLine } from './paint-cells.ts';
import { paintTextPage } from './paint-text-page.ts';
import { endPage, openForm, type PdfForm } from './pdf-objects.ts';
import { GREY, INK, Pen, RULE, ZEBRA } from './pen.ts';
import { type Printable, type Printed, printable, type TableRow, type TextPage, type Volume } from './rows.ts';
import { type Sheet, sheetOf } from './sheet.ts';
import { type Faces, openFaces, type Typeface } from './typeface.ts';

/** Behind pdfkit's back the outline grows with the book; nobody reads more entries than this. */
const MAX_BOOKMARKS = 5_000;

/**
 * Paints the table as PDF into the stream: pages leave as they fill, so memory does not grow with the book. Texts are
 * written as glyph codes by our own operators through pdfkit, which keeps fonts, outline and structure.
 */
export async function paintPdf(layout: Layout, content: Printable, output: Writable): Promise<Printed> {
  const painter = new Painter(layout, content, output);
  for (const page of content.texts ?? []) painter.paintText(page);
  for await (const chunk of content.rows) {
    for (const row of chunk) painter.paintRow(row);
    // Rows that stand in memory come without a turn of the event loop, and only in one do pages leave.
    await setImmediate();
    if (output.writableNeedDrain) await once(output, 'drain');
  }
  return painter.finish();
}

/** What is known of a volume before it is complete. */
interface OpenVolume {
  readonly number: number;
  readonly firstPage: number;
  pages: number;
  firstDetail: TableRow | undefined;
  lastDetail: TableRow | undefined;
  /** "de M", and the text of the first page: shown by the volume's pages and written when it is complete. */
  readonly total: PdfForm;
  readonly opening: PdfForm | undefined;
  readonly bookmark: PDFKit.PDFOutline;
}

class Painter {
  private readonly layout: Layout;
  private readonly content: Printable;
  private readonly output: Writable;
  private readonly document: PDFKit.PDFDocument;
  private readonly faces: Faces;
  private readonly sheet: Sheet;
  private readonly pen = new Pen();
  /** What every page shows, written once. */
  private readonly head: PdfForm;
  private readonly columnTitles: PdfForm;
  private readonly headEnd: number;
  private readonly tableTop: number;
  private volume: OpenVolume | undefined;
  private y = 0;
  private pages = 0;
  private inTable = false;
  private striped = false;
  private bookmarks = 0;
  private carried: Readonly<Record<string, string>> | undefined;
  /** The heading that the rows being painted belong to. */
  private group: string | undefined;

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
    this.faces = openFaces(this.document);
    this.sheet = sheetOf(layout);
    this.head = this.openForm();
    this.headEnd = paintHead(this.pen, this.faces, this.sheet, layout, content.values);
    this.head.end(this.pen.take());
    this.columnTitles = this.openForm();
    this.tableTop = paintColumnTitles(this.pen, this.faces, this.sheet, this.headEnd);
    this.columnTitles.end(this.pen.take());
  }

  paintRow(row: TableRow): void {
    if (!this.inTable) this.startTable();
    if (row.kind === 'section' || row.kind === 'group' || row.kind === 'note') this.paintHeading(row);
    else this.paintCells(row);
    if (row.carry) this.carried = row.carry;
    if (row.kind === 'detail' && this.volume) {
      this.volume.firstDetail ??= row;
      this.volume.lastDetail = row;
    }
  }

  paintText(page: TextPage): void {
    this.addPage(page.folha);
    paintTextPage(this.pen, this.faces, this.sheet, this.headEnd, page);
    this.endPage();
  }

  async finish(): Promise<Printed> {
    // A table without rows still shows its heads, unless pages of text are all there is.
    if (!this.inTable && this.pages === 0) this.startTable();
    if (this.inTable) {
      this.pen.rule(this.sheet.left, this.sheet.right, this.y + 1);
      this.endPage();
    }
    this.endVolume(true);
    const done = finished(this.output);
    this.document.end();
    await done;
    const { regular, bold } = this.faces;
    return { pages: this.pages, missingCharacters: [...new Set([...regular.missing, ...bold.missing])] };
  }

  private startTable(): void {
    this.inTable = true;
    this.addTablePage();
  }

  private addTablePage(): void {
    this.addPage();
    this.pen.form('ColumnTitles');
    this.y = this.tableTop;
  }

  private addPage(folha?: number): void {
    const { volume = this.beginVolume() } = this;
    volume.pages++;
    this.pages++;
    this.striped = false;
    const { page } = this.document.addPage();
    for (const face of Object.values(this.faces)) face.use(page);
    this.head.use(page, 'Head');
    this.columnTitles.use(page, 'ColumnTitles');
    volume.total.use(page, 'Total');
    this.pen.form('Head');
    this.paintPageNumber(folha ?? volume.firstPage + volume.pages - 1, folha !== undefined);
  }

  private endPage(): void {
    endPage(this.document, this.pen.take());
  }

  private turnPage(): void {
    const { layout, sheet, pen } = this;
    if (this.carries()) {
      pen.rule(sheet.left, sheet.right, sheet.bottom + 0.6);
      this.paintCarry(layout.carry!.to, sheet.bottom);
    }
    this.endPage();
    const { pagesPerVolume = Number.POSITIVE_INFINITY } = this.content.binding ?? {};
    // Besides the next page there must be room for the closing one.
    if (this.volume && this.volume.pages + 2 > pagesPerVolume) this.endVolume(false);
    this.addTablePage();
    if (layout.repeatGroup && this.group !== undefined) {
      const [text = ''] = wrapped(this.faces.bold, sheet.size, this.group, sheet.right - sheet.left - 80);
      this.y += sheet.line;
      pen.text(this.faces.bold, sheet.size, sheet.left, this.y - sheet.line * 0.28, `${text} (continuação)`);
    }
    if (this.carries()) {
      this.paintCarry(layout.carry!.from, this.y);
      this.y += sheet.carryHeight;
      pen.rule(sheet.left, sheet.right, this.y - 0.4);
    }
  }

  private beginVolume(): OpenVolume {
    const { binding } = this.content;
    const number = (this.volume?.number ?? 0) + 1;
    const firstPage = number > 1 ? 1 : (binding?.firstPage ?? this.content.firstPage ?? 1);
    const volume = {
      number,
      firstPage,
      pages: 0,
      firstDetail: undefined,
      lastDetail: undefined,
      total: this.openForm([0, -12, 60, 4]),
      opening: binding ? this.openForm() : undefined,
      bookmark: this.document.outline,
    };
    this.volume = volume;
    if (binding === undefined) return volume;
    this.addPage();
    volume.opening!.use(this.document.page, 'Opening');
    this.pen.form('Opening');
    if (binding.pagesPerVolume !== undefined) {
      volume.bookmark = this.document.outline.addItem(printable(binding.bookmark(number)));
    }
    this.endPage();
    return volume;
  }

  /** Paints the volume's last page and what its others say of the whole. */
  private endVolume(isLast: boolean): void {
    const { volume, content, pen, faces } = this;
    if (volume === undefined) return;
    if (content.binding) this.addPage();
    const { number, firstPage, pages, firstDetail, lastDetail } = volume;
    const complete: Volume = { number, firstPage, pages, isLast, firstDetail, lastDetail };
    if (content.binding) {
      paintTextPage(pen, faces, this.sheet, this.headEnd, content.binding.closing(complete));
      this.endPage();
      paintTextPage(pen, faces, this.sheet, this.headEnd, content.binding.opening(complete));
      volume.opening!.end(pen.take());
    }
    pen.text(faces.regular, HEAD_SIZE, 0, 0, String(firstPage + pages - 1), GREY);
    volume.total.end(pen.take());
    if (!isLast) this.beginVolume();
  }

  private paintPageNumber(number: number, isFolha: boolean): void {
    const { pen, sheet } = this;
    const face = this.faces.regular;
    const y = numberLine(sheet);
    // M has as many digits as it will have: the whole begins at one place instead of ending there.
    const x = sheet.right - NUMBER_ROOM;
    if (isFolha || this.layout.numbering === 'folha' || this.content.binding) {
      pen.text(face, HEAD_SIZE, x, y, `Folha ${number}`, GREY);
      return;
    }
    const label = `Página ${number} de `;
    pen.text(face, HEAD_SIZE, x, y, label, GREY);
    pen.form('Total', x + face.width(label, HEAD_SIZE), y);
  }

  private paintHeading(row: TableRow): void {
    const { sheet } = this;
    const isNote = row.kind === 'note';
    const face = isNote ? this.faces.regular : this.faces.bold;
    const size = row.kind === 'section' ? sheet.size + 1.5 : sheet.size;
    const text = printable(row.cells.text ?? '');
    const lines = wrapped(face, size, text, sheet.right - sheet.left);
    const before = isNote ? 1 : row.kind === 'section' ? 8 : 5;
    if (!isNote) this.group = undefined;
    // A heading stays with at least two of its rows.
    this.makeRoom(before + Math.min(lines.length, this.linesOfPage()) * sheet.line + (isNote ? 0 : sheet.line * 2.5));
    if (row.kind === 'group') this.group = text;
    this.y += before;
    if (row.bookmark) this.addBookmark(row.bookmark);
    for (const line of lines) {
      this.makeRoom(sheet.line);
      this.y += sheet.line;
      this.pen.text(face, size, sheet.left, this.y - sheet.line * 0.28, line, isNote ? GREY : INK);
    }
    this.striped = false;
  }

  private paintCells(row: TableRow): void {
    const { sheet, pen } = this;
    const strong = row.kind !== 'detail';
    const face = strong ? this.faces.bold : this.faces.regular;
    const cells = measuredCells(face, sheet, row);
    const lines = Math.max(1, ...cells.map((cell) => cell.lines.length));
    const height = lines * sheet.line + (strong ? 2.5 : 0.6);
    if (row.kind === 'total') this.group = undefined;
    // A text longer than a page is the only thing that is broken between pages.
    if (lines > this.linesOfPage()) return this.paintLongCells(face, cells, lines);
    this.makeRoom(height);
    // Below the titles of the columns there is a rule already.
    if (strong && this.y > this.tableTop) pen.rule(sheet.left, sheet.right, this.y + 0.6, RULE, 0.5);
    else if (strong) this.striped = false;
    else if (this.layout.zebra && this.striped) pen.box(sheet.left, this.y, sheet.right - sheet.left, height, ZEBRA);
    this.striped = !this.striped;
    if (row.bookmark) this.addBookmark(row.bookmark);
    const baseline = this.y + sheet.line * 0.76 + (strong ? 1.5 : 0);
    for (const cell of cells) {
      for (let line = 0; line < cell.lines.length; line++) {
        paintCellLine(pen, face, sheet.size, cell, line, baseline + line * sheet.line);
      }
    }
    this.y += height;
  }

  private paintLongCells(face: Typeface, cells: readonly MeasuredCell[], lines: number): void {
    const { sheet } = this;
    for (let line = 0; line < lines; line++) {
      this.makeRoom(sheet.line);
      for (const cell of cells) {
        paintCellLine(this.pen, face, sheet.size, cell, line, this.y + sheet.line * 0.76);
      }
      this.y += sheet.line;
    }
  }

  /** Lines of one row that an empty page has room for. */
  private linesOfPage(): number {
    const { bottom, carryHeight, line } = this.sheet;
    const repeated = this.layout.repeatGroup ? line : 0;
    return Math.floor((bottom - this.tableTop - carryHeight - repeated - ROW_GAP) / line);
  }

  /** Are there sums to carry? Between two accounts of a ledger there are none. */
  private carries(): boolean {
    return (this.layout.carry?.columns ?? []).some((key) => (this.carried?.[key] ?? '') !== '');
  }

  private paintCarry(label: string, y: number): void {
    const { sheet, pen } = this;
    const face = this.faces.bold;
    const baseline = y + sheet.line * 0.9;
    const keys = this.layout.carry!.columns;
    const first = sheet.columns.findIndex((placed) => keys.includes(placed.column.key));
    const before = sheet.columns[Math.max(0, first - 1)]!;
    pen.textRight(face, sheet.size, before.x + before.width, baseline, label);
    for (const placed of sheet.columns) {
      const sum = keys.includes(placed.column.key) ? (this.carried?.[placed.column.key] ?? '') : '';
      if (sum !== '') paintCellLine(pen, face, sheet.size, measuredCell(face, sheet, placed, sum), 0, baseline);
    }
  }

  private makeRoom(height: number): void {
    if (this.y + height > this.sheet.bottom) this.turnPage();
  }

  private addBookmark(title: string): void {
    if (this.bookmarks++ >= MAX_BOOKMARKS) return;
    const parent = this.volume?.bookmark ?? this.document.outline;
    parent.addItem(printable(title).slice(0, 200), { top: Math.max(0, this.y - this.sheet.line) } as never);
  }

  private openForm(box: readonly number[] = [0, 0, this.sheet.width, this.sheet.height]): PdfForm {
    return openForm(this.document, Object.values(this.faces), box);
  }
}

/** What a strong row takes beside its lines. */
const ROW_GAP = 2.5;
