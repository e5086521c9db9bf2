import { type FittedText, fitText, squeezeText, toDrawable } from './fit-text.ts';
import type { Pen } from './pen.ts';
import { brazilian, sideOf, type TableRow } from './rows.ts';
import type { PlacedColumn, Sheet } from './sheet.ts';
import type { Typeface } from './typeface.ts';

const INDENT = 7;

/** A cell as it will be in its column. */
export interface MeasuredCell extends FittedText {
  readonly placed: PlacedColumn;
  /** Where its texts begin, or end when they are right. */
  readonly edge: number;
  /** D or C, in a place of its own after the amount. */
  readonly side?: string;
}

/** The row's cells that are not empty. */
export function measuredCells(face: Typeface, sheet: Sheet, row: TableRow): MeasuredCell[] {
  const cells: MeasuredCell[] = [];
  for (const placed of sheet.columns) {
    const value = row.cells[placed.column.key];
    if (value !== undefined && value !== '') cells.push(measureCell(face, sheet, placed, value, row.level ?? 1));
  }
  return cells;
}

export function measureCell(
  face: Typeface,
  { size }: Sheet,
  placed: PlacedColumn,
  value: string,
  level = 1,
): MeasuredCell {
  const { column, x, width, align } = placed;
  const edgeIn = (room: number, indent = 0) => (align === 'right' ? x + room : x + indent);
  switch (column.kind) {
    case 'money':
    case 'decimal':
      return { ...squeezeText(face, size, brazilian(value), width), placed, edge: edgeIn(width) };
    case 'balance': {
      const amount = brazilian(value.startsWith('-') ? value.slice(1) : value);
      const room = width - sideRoom(face, size);
      return { ...squeezeText(face, size, amount, room), placed, edge: edgeIn(room), side: sideOf(value) };
    }
    case 'integer':
      return { ...squeezeText(face, size, toDrawable(value), width), placed, edge: edgeIn(width) };
    default: {
      // At any depth, half of the column is left for the text.
      const indent = column.indent ? Math.min(width / 2, Math.max(0, level - 1) * INDENT) : 0;
      return { ...fitText(face, size, toDrawable(value), width - indent), placed, edge: edgeIn(width, indent) };
    }
  }
}

/** One line of a cell at a baseline. */
export function paintCellLine(pen: Pen, face: Typeface, size: number, cell: MeasuredCell, line: number, y: number) {
  const text = cell.lines[line];
  if (text === undefined) return;
  const { placed, edge, scale, side } = cell;
  if (placed.align === 'left') pen.text(face, size, edge, y, text, undefined, scale);
  else if (placed.align === 'right') pen.textRight(face, size, edge, y, text, undefined, scale);
  else {
    const room = placed.width - (face.width(text, size) * scale) / 100;
    pen.text(face, size, placed.x + room / 2, y, text, undefined, scale);
  }
  if (side !== undefined && side !== ' ') {
    pen.text(face, size, placed.x + placed.width - letterRoom(face, size), y, side);
  }
}

/** D and C stand one below the other and the amounts before them do, too. */
function sideRoom(face: Typeface, size: number): number {
  return letterRoom(face, size) + face.width(' ', size);
}

function letterRoom(face: Typeface, size: number): number {
  return Math.max(face.width('D', size), face.width('C', size));
}
