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
      return value === undefined ? '' : `${amountText(value)}${side ? ' D' : ''}`;
    },
    draw: (row) => <Amount value={amount(row)} side={side} dash={dash} />,
  };
}

/** The widest of some amounts as `widest` of a column: of 0 and 1.234,56 it is '1.234,56'. */
export function widestAmount(amounts: Iterable<Centavos>, side = false): string {
  let largest = 0n;
  for (const amount of amounts) if (magnitudeOf(amount) > largest) largest = magnitudeOf(amount);
  return `${amountText(largest)}${side ? ' D' : ''}`;
}

/** Characters of the widest text of each column that does not grow. */
export function widthsOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly number[] {
  return columns.map((column) => {
    let widest = Math.max(column.title.length * TITLE_SHARE, column.widest?.length ?? 0);
    if (column.grows) return column.atLeast ?? SMALLEST_GROWING;
    for (const row of rows) widest = Math.max(widest, column.text(row).length);
    return Math.ceil(widest);
  });
}

/** A title is set smaller than the rows. */
const TITLE_SHARE = 0.95;
const SMALLEST_GROWING = 12;

/** Tracks of the grid. Points and commas are narrower than a figure, which leaves room enough beside the number. */
export function tracksOf<Row>(columns: readonly Column<Row>[], widths: readonly number[]): string {
  return columns
    .map((column, at) => (column.grows ? `minmax(${widths[at]}ch, 1fr)` : `${widths[at]! + 1}ch`))
    .join(' ');
}
