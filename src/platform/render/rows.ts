import type { Column } from './layout.ts';

/** section and group are headings over the whole width; subtotal and total stand out; note is plain text. */
export type RowKind = 'section' | 'group' | 'detail' | 'subtotal' | 'total' | 'note' | 'newPage';

export interface TableRow {
  readonly kind: RowKind;
  /** By column key; headings and notes use `text`. */
  readonly cells: Readonly<Record<string, string>>;
  readonly level?: number;
  /** Title of an outline entry that leads to this row. */
  readonly bookmark?: string;
  /** Running sums behind this row, by the keys of the layout's carried columns. */
  readonly carry?: Readonly<Record<string, string>>;
}

export type Rows = AsyncIterable<readonly TableRow[]>;

/** A page of paragraphs: the terms that open and close a book. */
export interface TextPage {
  readonly title: string;
  readonly paragraphs: readonly string[];
  /** Name and capacity under each signature line. */
  readonly signatures: readonly (readonly string[])[];
}

/** What every format is printed from. */
export interface Printable {
  /** Values for the header: company, document, period, emittedAt … */
  readonly values: Readonly<Record<string, string>>;
  readonly rows: Rows;
  readonly opening?: TextPage;
  /** Made when the number of pages is known. */
  readonly closing?: (pages: number) => TextPage;
  /** Number of the first page (the folha of a book); 1 by default. */
  readonly firstPage?: number;
}

export interface Printed {
  readonly pages: number;
  /** Characters that the fonts lack, each once; they are printed as a box. */
  readonly missingCharacters: readonly string[];
}

/** Text of a cell for people: '1.234,56', '1.234,56 D'. */
export function shownText(column: Column, value: string | undefined): string {
  if (value === undefined || value === '') return '';
  switch (column.kind) {
    case 'money':
      return brazilian(value);
    case 'balance':
      return sided(value);
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

/** A debit-positive balance with its side; zero has none. */
function sided(decimal: string): string {
  const text = brazilian(decimal.startsWith('-') ? decimal.slice(1) : decimal);
  if (/^[0.,]+$/.test(text)) return `${text}  `;
  return `${text} ${decimal.startsWith('-') ? 'C' : 'D'}`;
}

/** Numbers stand right, everything else left. */
export function alignmentOf(column: Column): 'left' | 'right' | 'center' {
  return column.align ?? (['money', 'balance', 'integer'].includes(column.kind) ? 'right' : 'left');
}

/** Text as it is printed: NFC, without controls and direction marks. */
export function printable(text: string): string {
  return text.normalize('NFC').replace(UNPRINTABLE, ' ');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is the point
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
