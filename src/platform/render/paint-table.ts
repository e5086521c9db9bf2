import { wrapText } from './fit-text.ts';
import type { Layout } from './layout.ts';
import { type MeasuredCell, measureCell, measuredCells, paintCellLine } from './paint-cells.ts';
import { paintSignatures } from './paint-signatures.ts';
import { GREY, INK, Pen, RULE, ZEBRA } from './pen.ts';
import type { ReportPages } from './report-pages.ts';
import { formatCell, type TableRow } from './rows.ts';
import type { Sheet } from './sheet.ts';
import type { Faces, Typeface } from './typeface.ts';

/** Paints rows one below the other over the pages of a report; carries sums and headings from page to page. */
export class TablePainter {
  private readonly pages: ReportPages;
  private readonly layout: Layout;
  private readonly faces: Faces;
  private readonly sheet: Sheet;
  private readonly pen: Pen;
  private readonly tableTop: number;
  private y = 0;
  private inTable = false;
  private striped = false;
  private carried: Readonly<Record<string, string>> | undefined;
  /** The heading that the rows being painted belong to. */
  private group: string | undefined;

  constructor(pages: ReportPages, layout: Layout) {
    this.pages = pages;
    this.layout = layout;
    this.faces = pages.faces;
    this.sheet = pages.sheet;
    this.pen = pages.pen;
    this.tableTop = pages.tableTop;
  }

  paintRow(row: TableRow): void {
    if (!this.inTable) this.beginPage();
    if (row.kind === 'section' || row.kind === 'group' || row.kind === 'note') this.paintHeading(row);
    else this.paintCells(row);
    if (row.carry) this.carried = row.carry;
    if (row.kind === 'detail') this.pages.noteDetail(row);
  }

  /** A table without rows still shows its heads, unless pages of text are all there is. */
  end(): void {
    if (!this.inTable && this.pages.count === 0) this.beginPage();
    if (!this.inTable) return;
    this.pen.rule(this.sheet.left, this.sheet.right, this.y + 1);
    this.paintSignatures();
    this.pages.endPage();
  }

  /** All of them on one page, set smaller where they are too many. */
  private paintSignatures(): void {
    const { signatures = [] } = this.pages;
    if (signatures.length === 0) return;
    const { sheet, faces } = this;
    const paint = (scale: number, pen: Pen, top: number) =>
      paintSignatures(scale, pen, faces.regular, sheet, sheet.left, top, signatures);
    let scale = 1;
    while (scale > SMALLEST_SIGNATURE && paint(scale, new Pen(), this.tableTop) > sheet.bottom) scale -= 0.05;
    this.makeRoom(paint(scale, new Pen(), 0));
    paint(scale, this.pen, this.y);
  }

  private beginPage(): void {
    this.inTable = true;
    this.y = this.tableTop + this.pages.addTablePage();
    this.striped = false;
  }

  private turnPage(): void {
    const { layout, sheet, pen } = this;
    if (this.carries()) {
      pen.rule(sheet.left, sheet.right, sheet.bottom + 0.6);
      this.paintCarry(layout.carry!.to, sheet.bottom);
    }
    this.pages.endPage();
    this.pages.turnVolume();
    this.beginPage();
    if (layout.repeatGroup && this.group !== undefined) {
      const [text = ''] = wrapText(this.faces.bold, sheet.size, this.group, sheet.right - sheet.left - 80);
      this.y += sheet.line;
      pen.text(this.faces.bold, sheet.size, sheet.left, this.y - sheet.line * 0.28, `${text} (continuação)`);
    }
    if (this.carries()) {
      this.paintCarry(layout.carry!.from, this.y);
      this.y += sheet.carryHeight;
      pen.rule(sheet.left, sheet.right, this.y - 0.4);
    }
  }

  private paintHeading(row: TableRow): void {
    const { sheet } = this;
    const isNote = row.kind === 'note';
    const face = isNote ? this.faces.regular : this.faces.bold;
    const size = row.kind === 'section' ? sheet.size + 1.5 : sheet.size;
    const text = formatCell(row.cells.text ?? '');
    const lines = wrapText(face, size, text, sheet.right - sheet.left);
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
      if (sum !== '') paintCellLine(pen, face, sheet.size, measureCell(face, sheet, placed, sum), 0, baseline);
    }
  }

  private makeRoom(height: number): void {
    if (this.y + height > this.sheet.bottom) this.turnPage();
  }

  private addBookmark(title: string): void {
    this.pages.addBookmark(title, Math.max(0, this.y - this.sheet.line));
  }
}

const SMALLEST_SIGNATURE = 0.3;

/** What a strong row takes beside its lines. */
const ROW_GAP = 2.5;
