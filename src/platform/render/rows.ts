import { type Column, interpolate, type Layout } from './layout.ts';

/** section and group are headings over the whole width; subtotal and total stand out; note is plain text. */
export type RowKind = 'section' | 'group' | 'detail' | 'subtotal' | 'total' | 'note';

export interface TableRow {
  readonly kind: RowKind;
  /** By column key; headings and notes use `text`. */
  readonly cells: Readonly<Record<string, string>>;
  readonly level?: number;
  /** The day that the row is of, as YYYY-MM-DD: a volume begins with that of its first detail. */
  readonly date?: string;
  /** Title of an outline entry that leads to this row. */
  readonly bookmark?: string;
  /** Running sums after this row, by the keys of the layout's carried columns. */
  readonly carry?: Readonly<Record<string, string>>;
}

/** A curve above the table of the first page; on paper alone, for its figures stand in the table. */
export interface Plot {
  readonly title: string;
  /** From left to right; two at least. `at` is the distance from the first one. */
  readonly points: readonly {
    readonly at: number;
    readonly value: number;
    /** What stands below it. */
    readonly label: string;
    /** Its value as it is read. */
    readonly text: string;
  }[];
}

export type Rows = AsyncIterable<readonly TableRow[]>;

/** A page of paragraphs: the terms that open and close a book. */
export interface TextPage {
  readonly title: string;
  /** Its number in the book, where it is not printed with the book. */
  readonly folha?: number;
  readonly paragraphs: readonly string[];
  /** Name and capacity under each signature line. */
  readonly signatures: readonly (readonly string[])[];
}

/** A part of a book that is bound by itself. */
export interface Volume {
  /** 1 for the first. */
  readonly number: number;
  /** Its own pages, the terms among them. */
  readonly pages: number;
  /** Number of its first page. */
  readonly firstPage: number;
  readonly isLast: boolean;
  readonly firstDetail: TableRow | undefined;
  readonly lastDetail: TableRow | undefined;
}

/** How a book is bound: one volume or several, each with a first and a last page that know all of it. */
export interface Binding {
  /** Number of the first volume's first page; further volumes begin with 1. */
  readonly firstPage: number;
  /** At least three: two terms and what they are around. Without it, one volume holds the whole book. */
  readonly pagesPerVolume?: number | undefined;
  /** Both are asked when the volume is complete. */
  readonly opening: (volume: Volume) => TextPage;
  readonly closing: (volume: Volume) => TextPage;
  /** Title of the volume's entry in the outline. */
  readonly bookmark: (volume: number) => string;
}

/** What every format is printed from. */
export interface Printable {
  /**
   * Values for the header: company, identification, period, emittedAt; a `description` and a `notice`, which stands
   * out, are lines of their own on every page.
   */
  readonly values: Readonly<Record<string, string>>;
  readonly rows: Rows;
  readonly plot?: Plot | undefined;
  /** Pages of text before the table; a table without rows is then left out. */
  readonly texts?: readonly TextPage[];
  readonly binding?: Binding | undefined;
  /** Bound before the last closing page, on pages whose numbers run on; PDF and TXT only. */
  readonly annexes?: AsyncIterable<Annex> | undefined;
  /** Keys of columns that this one has nothing for; the others take their room. */
  readonly without?: readonly string[];
  /** The same on pages alone: in tables without pages, which programs read, they stay. */
  readonly withoutOnPages?: readonly string[];
  /** Number of the first page (the folha of a book) that is not bound; 1 by default. */
  readonly firstPage?: number;
  /** Places to sign below the last row, where there are pages: the lines under each. */
  readonly signatures?: readonly (readonly string[])[] | undefined;
}

/** A report that is bound with a book. */
export interface Annex {
  readonly layout: Layout;
  readonly content: Printable;
}

export interface Printed {
  /** Those of annexes among them. */
  readonly pages: number;
  /** Pages of each annex. */
  readonly annexes?: readonly number[];
  /** Characters that the fonts lack, each once; they are printed as a box. */
  readonly missingCharacters: readonly string[];
}

export interface DocumentOptions {
  /** Each report is under its title, as one of several: in the outline of a PDF, in a line of a CSV. */
  readonly titled?: boolean;
  /** A CSV begins with what the head of a page says, in a line that starts with `# `. */
  readonly head?: boolean | undefined;
  /** Receives the bytes of a report that are not in the stream yet; what it throws ends the printing. */
  readonly watch?: ((bytes: number) => void) | undefined;
}

/** A file of one report or several. */
export interface ReportWriter {
  /** Prints a report after the others. When it throws, the file is broken and must be begun anew. */
  add(layout: Layout, content: Printable): Promise<Printed>;
  /** Ends the stream and resolves when all of it is out. There must be a report. */
  end(): Promise<void>;
}

/** What the head of a page says, for tables without pages. */
export function headTexts({ title, subtitle }: Layout, values: Printable['values']): string[] {
  const { company = '', identification = '', description = '', notice = '' } = values;
  const lines = subtitle.map((line) => interpolate(line, values));
  return [company, identification, title, ...lines, description, notice].filter((text) => text !== '');
}

/** Text of a cell for people: '1.234,56', '1.234,56 D'. */
export function cellText(column: Column, value: string | undefined): string {
  if (value === undefined || value === '') return '';
  switch (column.kind) {
    case 'money':
    case 'decimal':
      return brazilian(value);
    case 'balance':
      return formatSided(value);
    default:
      return value;
  }
}

/** '-1234.5' → '-1.234,50'. */
export function brazilian(decimal: string): string {
  const negative = decimal.startsWith('-');
  const [whole = '0', fraction = ''] = (negative ? decimal.slice(1) : decimal).split('.');
  let grouped = '';
  for (let end = whole.length; end > 0; end -= 3) {
    grouped = whole.slice(Math.max(0, end - 3), end) + (grouped === '' ? '' : `.${grouped}`);
  }
  return `${negative ? '-' : ''}${grouped},${fraction.padEnd(2, '0')}`;
}

/** A debit-positive balance with its side; zero has none, and a blank in its place. */
function formatSided(decimal: string): string {
  return `${brazilian(decimal.startsWith('-') ? decimal.slice(1) : decimal)} ${sideOf(decimal)}`;
}

export function sideOf(decimal: string): 'D' | 'C' | ' ' {
  if (/^[-0.]*$/.test(decimal)) return ' ';
  return decimal.startsWith('-') ? 'C' : 'D';
}

/** Numbers are right, everything else left. */
export function alignmentOf(column: Column): 'left' | 'right' | 'center' {
  return column.align ?? (['money', 'decimal', 'balance', 'integer'].includes(column.kind) ? 'right' : 'left');
}

/**
 * Text as it is printed: NFC; blanks for controls, direction marks and spaces of other widths; without soft hyphens and
 * joiners, which nobody sees; hyphens and ligatures that are letters of their own as those that fonts have.
 */
export function formatCell(text: string): string {
  return text
    .normalize('NFC')
    .replace(INVISIBLE, '')
    .replace(BLANKS, ' ')
    .replace(HYPHENS, '-')
    .replace(LIGATURES, (each) => each.normalize('NFKC'));
}

const INVISIBLE = /[\u00ad\u200b-\u200d\u2060\ufeff]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the point
const BLANKS = /[\u0000-\u001f\u007f-\u009f\u2000-\u200a\u200e\u200f\u2028-\u202f\u205f\u2061-\u2069\u3000]/g;
const HYPHENS = /[\u2010\u2011]/g;
const LIGATURES = /[\ufb00-\ufb06]/g;
