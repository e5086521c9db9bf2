import type { Layout } from './layout.ts';
import { HEAD_SIZE, NUMBER_ROOM, numberLine, paintColumnTitles, paintHead } from './page-head.ts';
import { paintPlot } from './paint-plot.ts';
import { paintTextPage } from './paint-text-page.ts';
import { endEntriesBelow, endPage, openForm, type PdfForm } from './pdf-objects.ts';
import { GREY, Pen } from './pen.ts';
import { formatCell, type Printable, type TableRow, type TextPage, type Volume } from './rows.ts';
import { type Sheet, sheetOf } from './sheet.ts';
import type { Faces } from './typeface.ts';

/** A document under way and its fonts, which all its reports share. */
export interface Pdf {
  readonly document: PDFKit.PDFDocument;
  readonly faces: Faces;
}

/** The outline would grow with the book; readers do not need more entries than this. */
const MAX_BOOKMARKS = 5_000;

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
  /** Its entry in the outline, where it has one. */
  bookmark: PDFKit.PDFOutline | undefined;
}

/**
 * The pages of one report: heads and numbers, volumes between their terms, entries of the outline. Those of an annex
 * are pages of its book's volumes.
 */
export class ReportPages {
  readonly faces: Faces;
  readonly sheet: Sheet;
  /** Paints the page under way. */
  readonly pen = new Pen();
  /** Where the first row of a page begins. */
  readonly tableTop: number;
  count = 0;
  private readonly document: PDFKit.PDFDocument;
  private readonly layout: Layout;
  private readonly content: Printable;
  private readonly title: string | undefined;
  /** The book that this is bound with; the report itself where it is no annex. */
  private readonly book: ReportPages;
  /** What every page shows, written once. */
  private readonly head: PdfForm;
  private readonly columnTitles: PdfForm;
  private readonly headEnd: number;
  /** The report's own entry in the outline, where it has a title there. */
  private entry: PDFKit.PDFOutline | undefined;
  private bookmarks = 0;
  private volume: OpenVolume | undefined;

  /** `title` is that of its entry in the outline, below which its own entries then stand. */
  constructor({ document, faces }: Pdf, layout: Layout, content: Printable, title?: string, book?: ReportPages) {
    this.book = book ?? this;
    this.document = document;
    this.faces = faces;
    this.layout = layout;
    this.content = content;
    this.title = title;
    this.sheet = sheetOf(layout);
    this.head = this.openForm();
    this.headEnd = paintHead(this.pen, faces, this.sheet, layout, content.values);
    this.head.end(this.pen.take());
    this.columnTitles = this.openForm();
    this.tableTop = paintColumnTitles(this.pen, faces, this.sheet, this.headEnd);
    this.columnTitles.end(this.pen.take());
  }

  paintText(page: TextPage): void {
    this.addPage(page.folha);
    paintTextPage(this.pen, this.faces, this.sheet, this.headEnd, page);
    this.endPage();
  }

  /** Places to sign below the last row. */
  get signatures(): Printable['signatures'] {
    return this.content.signatures;
  }

  /** Begins a page with the titles of the columns; returns how much lower they stand below the plot of the first one. */
  addTablePage(): number {
    const { pen, faces, sheet, headEnd, content } = this;
    const plot = this.count === 0 ? content.plot : undefined;
    this.addPage();
    const taken = plot === undefined ? 0 : paintPlot(pen, faces, sheet, headEnd, plot);
    pen.form('ColumnTitles', 0, taken);
    return taken;
  }

  endPage(): void {
    endPage(this.document, this.pen.take());
  }

  /** Begins the next volume when this one has no room for another page. */
  turnVolume(): void {
    if (this.book !== this) return this.book.turnVolume();
    const { pagesPerVolume = Number.POSITIVE_INFINITY } = this.content.binding ?? {};
    // Besides the next page there must be room for the closing one.
    if (this.volume && this.volume.pages + 2 > pagesPerVolume) {
      this.endVolume(this.volume, false);
      this.beginVolume();
    }
  }

  /** The terms of a volume say of what its details are. */
  noteDetail(row: TableRow): void {
    // Those of an annex do not say which days a volume is of.
    if (this.volume === undefined) return;
    this.volume.firstDetail ??= row;
    this.volume.lastDetail = row;
  }

  /** An entry of the outline that leads to this height of the page under way. */
  addBookmark(title: string, top: number): void {
    if (this.bookmarks++ >= MAX_BOOKMARKS) return;
    this.parentEntry().addItem(titleText(title), { top } as never);
  }

  /** Ends the last volume; nothing comes after it. */
  end(): void {
    if (this.volume) this.endVolume(this.volume, true);
    if (this.entry) endEntriesBelow(this.entry);
  }

  /** The entry of the outline below which new ones stand. */
  private parentEntry(): PDFKit.PDFOutline {
    return (
      this.volume?.bookmark ?? this.entry ?? (this.book === this ? this.document.outline : this.book.parentEntry())
    );
  }

  private addPage(folha?: number): void {
    const { book } = this;
    const { volume = book.beginVolume() } = book;
    volume.pages++;
    this.count++;
    if (book !== this) book.count++;
    const { orientation } = this.layout;
    const { page } = this.document.addPage({ size: 'A4', layout: orientation, margin: 0 });
    for (const face of Object.values(this.faces)) face.use(page);
    this.head.use(page, 'Head');
    this.columnTitles.use(page, 'ColumnTitles');
    volume.total.use(page, 'Total');
    if (this.count === 1 && this.title !== undefined) {
      const parent = book === this ? this.document.outline : book.parentEntry();
      this.entry = parent.addItem(titleText(this.title), { fit: true } as never);
    }
    this.pen.form('Head');
    this.paintPageNumber(folha ?? volume.firstPage + volume.pages - 1, folha !== undefined);
  }

  private beginVolume(): OpenVolume {
    const { binding } = this.content;
    const number = (this.volume?.number ?? 0) + 1;
    const firstPage = number > 1 ? 1 : (binding?.firstPage ?? this.content.firstPage ?? 1);
    const volume: OpenVolume = {
      number,
      firstPage,
      pages: 0,
      firstDetail: undefined,
      lastDetail: undefined,
      total: this.openForm([0, -12, 60, 4]),
      opening: binding ? this.openForm() : undefined,
      bookmark: undefined,
    };
    this.volume = volume;
    if (binding === undefined) return volume;
    this.addPage();
    volume.opening!.use(this.document.page, 'Opening');
    this.pen.form('Opening');
    if (binding.pagesPerVolume !== undefined) {
      volume.bookmark = (this.entry ?? this.document.outline).addItem(formatCell(binding.bookmark(number)));
    }
    this.endPage();
    return volume;
  }

  /** Paints the volume's last page and what its others say of the whole. */
  private endVolume(volume: OpenVolume, isLast: boolean): void {
    const { content, pen, faces, sheet, headEnd } = this;
    if (content.binding) this.addPage();
    const { number, firstPage, pages, firstDetail, lastDetail } = volume;
    const complete: Volume = { number, firstPage, pages, isLast, firstDetail, lastDetail };
    if (content.binding) {
      paintTextPage(pen, faces, sheet, headEnd, content.binding.closing(complete));
      this.endPage();
      paintTextPage(pen, faces, sheet, headEnd, content.binding.opening(complete));
      volume.opening!.end(pen.take());
    }
    pen.text(faces.regular, HEAD_SIZE, 0, 0, String(firstPage + pages - 1), GREY);
    volume.total.end(pen.take());
  }

  private paintPageNumber(number: number, isFolha: boolean): void {
    const { pen, sheet } = this;
    const face = this.faces.regular;
    const y = numberLine(sheet);
    // M has as many digits as it will have: the whole begins at one place instead of ending there.
    const x = sheet.right - NUMBER_ROOM;
    if (isFolha || this.book.layout.numbering === 'folha' || this.book.content.binding) {
      pen.text(face, HEAD_SIZE, x, y, `Folha ${number}`, GREY);
      return;
    }
    const label = `Página ${number} de `;
    pen.text(face, HEAD_SIZE, x, y, label, GREY);
    pen.form('Total', x + face.width(label, HEAD_SIZE), y);
  }

  private openForm(box: readonly number[] = [0, 0, this.sheet.width, this.sheet.height]): PdfForm {
    return openForm(this.document, Object.values(this.faces), box);
  }
}

function titleText(title: string): string {
  return formatCell(title).slice(0, 200);
}
