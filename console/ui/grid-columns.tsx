import type { ReactNode } from 'react';
import type { Centavos } from '../../src/accounting/money.ts';
import { magnitudeOf } from '../../src/accounting/money.ts';
import { Amount } from './amount.tsx';
import { amountText } from './format.ts';

/** A column of a DataGrid. */
export interface Column<Row> {
  readonly id: string;
  readonly title: string;
  /** What the column shows as text: measured for its width, and shown where there is no `draw`. */
  readonly text: (row: Row) => string;
  readonly draw?: (row: Row) => ReactNode;
  readonly align?: 'start' | 'end' | 'center';
  /** code and amount have figures of one width; strong stands out, faint steps back. */
  readonly look?: 'code' | 'strong' | 'faint';
  /** Takes the room that is left and gives way: names, narrations. The others are as wide as their widest text. */
  readonly grows?: boolean;
  /** Narrowest width in ch of a column that grows. */
  readonly atLeast?: number;
  /** Widest text that will be shown, where not all rows are there to be measured. */
  readonly widest?: string;
  /** Stays where the page is narrower than 720 px. */
  readonly narrow?: boolean;
  /** Carries the sign that opens and closes a row of a tree. */
  readonly tree?: boolean;
}

interface AmountColumn<Row> extends Partial<Omit<Column<Row>, 'id' | 'title' | 'text' | 'draw'>> {
  readonly id: string;
  readonly title: string;
  /** Debit-positive centavos; undefined leaves the cell empty. */
  readonly amount: (row: Row) => Centavos | undefined;
  /** D or C in its own narrow place. */
  readonly side?: boolean;
  /** A dash for zero. */
  readonly dash?: boolean;
}

/** A column of amounts: right-aligned, never cut, cents below each other. */
export function amountColumn<Row>({ amount, side = false, dash = true, ...rest }: AmountColumn<Row>): Column<Row> {
  return {
    align: 'end',
    ...rest,
    text: (row) => {
      const value = amount(row);
      return value === undefined ? '' : `${amountText(value)}${side ? ' ·D' : ''}`;
    },
    draw: (row) => <Amount value={amount(row)} side={side} dash={dash} />,
  };
}

/** The widest of some amounts as `widest` of a column: of 0 and 1.234,56 it is '1.234,56'. */
export function widestAmount(amounts: Iterable<Centavos>, side = false): string {
  let largest = 0n;
  for (const amount of amounts) if (magnitudeOf(amount) > largest) largest = magnitudeOf(amount);
  return `${amountText(largest)}${side ? ' ·D' : ''}`;
}

/** Width in ch of each column: of the widest text that it shows; those that grow say their least. */
export function widthsOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly number[] {
  return columns.map((column) => {
    if (column.grows) return column.atLeast ?? SMALLEST_GROWING;
    let longest = column.widest ?? '';
    for (const row of rows) {
      const text = column.text(row);
      if (text.length > longest.length) longest = text;
    }
    const share = column.look === 'code' ? CODE_SHARE : 1;
    return Math.max(widthOf(longest) * share, widthOf(column.title) * TITLE_SHARE);
  });
}

/** A title is set smaller than the rows, a code narrower. */
const TITLE_SHARE = 0.94;
const CODE_SHARE = 0.96;
const SMALLEST_GROWING = 12;

/** In ch: figures have one width in every weight, points and commas half of it; letters are about as wide. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text)
    width += /[.,:;·|!' -]/.test(character) ? 0.52 : /[A-ZÀ-ÝMW%]/.test(character) ? 1.15 : 1;
  return width;
}

/** Tracks of the grid, with a little room beside the widest text. */
export function tracksOf<Row>(columns: readonly Column<Row>[], widths: readonly number[]): string {
  const track = (column: Column<Row>, width: number) =>
    column.grows ? `minmax(${width}ch, 1fr)` : `${(width + 0.6).toFixed(2)}ch`;
  return columns.map((column, at) => track(column, widths[at]!)).join(' ');
}
