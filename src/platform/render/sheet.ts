import type { Column, Layout } from './layout.ts';
import { alignmentOf } from './rows.ts';

export interface PlacedColumn {
  readonly column: Column;
  readonly x: number;
  readonly width: number;
  readonly align: 'left' | 'right' | 'center';
}

/** Where things are on every page of a layout, in points from the top left of an A4 page. */
export interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  /** Lowest place of a row; below it are the carried sums and the footer. */
  readonly bottom: number;
  /** Text size and height of a line of the table. */
  readonly size: number;
  readonly line: number;
  /** Height of a row of carried sums, where the layout has them. */
  readonly carryHeight: number;
  readonly columns: readonly PlacedColumn[];
}

const MARGIN = 34;
export const COLUMN_GAP = 5;
const LEADING = 1.3;
const FOOTER_HEIGHT = 12;

export function sheetOf(layout: Layout): Sheet {
  const [width, height] = layout.orientation === 'portrait' ? [595.28, 841.89] : [841.89, 595.28];
  const line = layout.fontSize * LEADING;
  const carryHeight = layout.carry ? line * 1.3 : 0;
  return {
    width,
    height,
    left: MARGIN,
    right: width - MARGIN,
    top: MARGIN,
    bottom: height - MARGIN - carryHeight - (layout.footer === '' ? 0 : FOOTER_HEIGHT),
    size: layout.fontSize,
    line,
    carryHeight,
    columns: placeColumns(layout, width - 2 * MARGIN),
  };
}

function placeColumns(layout: Layout, room: number): PlacedColumn[] {
  const shares = layout.columns.reduce((sum, column) => sum + column.width, 0);
  const usable = room - COLUMN_GAP * (layout.columns.length - 1);
  let x = MARGIN;
  return layout.columns.map((column) => {
    const width = (column.width / shares) * usable;
    const placed = { column, x, width, align: alignmentOf(column) };
    x += width + COLUMN_GAP;
    return placed;
  });
}
