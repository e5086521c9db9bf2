import { wrapText } from './fit-text.ts';
import { interpolate, type Layout } from './layout.ts';
import { GREY, INK, type Pen } from './pen.ts';
import { formatCell } from './rows.ts';
import { COLUMN_GAP, type Sheet } from './sheet.ts';
import type { Faces, Typeface } from './typeface.ts';

export const HEAD_SIZE = 8;
/** Kept free in the first line at the right for the page's number, which begins above the time of printing. */
export const NUMBER_ROOM = 100;

/** Company, title, notice, period and time of printing: the same on every page. Returns the y where the page continues. */
export function paintHead(
  pen: Pen,
  { regular, bold }: Faces,
  sheet: Sheet,
  layout: Layout,
  values: Readonly<Record<string, string>>,
): number {
  const { right } = sheet;
  const beside = (face: Typeface, size: number, y: number, text: string, room: number, ink = INK) =>
    paintBeside(pen, sheet, face, size, y, text, room, ink);
  const emittedAt = formatCell(values.emittedAt ?? '');
  const subtitles = layout.subtitle.map((line) => formatCell(interpolate(line, values))).filter((line) => line !== '');
  let y = beside(bold, 10.5, numberLine(sheet), values.company ?? '', NUMBER_ROOM) + 12;
  pen.text(regular, HEAD_SIZE, right - NUMBER_ROOM, y, emittedAt, GREY);
  y = beside(regular, HEAD_SIZE, y, values.identification ?? '', NUMBER_ROOM, GREY) + 20;
  const widest = Math.max(0, ...subtitles.map((line) => regular.width(line, 9)));
  let left = beside(bold, 13, y, layout.title, widest);
  for (const [face, line = ''] of [[bold, values.notice] as const, [regular, values.description] as const]) {
    if (line !== '') left = beside(face, 9, left + 12, line, widest);
  }
  for (const line of subtitles) {
    pen.textRight(regular, 9, right, y, line);
    y += 11;
  }
  if (layout.footer !== '') {
    const footer = formatCell(interpolate(layout.footer, values));
    pen.text(regular, 7, sheet.left, sheet.height - sheet.top, footer, GREY);
  }
  return Math.max(y, left + 11) - 2;
}

/** Baseline of the page's number. */
export function numberLine(sheet: Sheet): number {
  return sheet.top + 9;
}

/** The titles of the columns between two rules. Returns where the first row begins. */
export function paintColumnTitles(pen: Pen, { bold }: Faces, sheet: Sheet, top: number): number {
  const size = sheet.size - 0.4;
  pen.rule(sheet.left, sheet.right, top, INK, 0.8);
  let lines = 1;
  for (const { column, x, width, align } of sheet.columns) {
    const texts = wrapText(bold, size, formatCell(column.title), width);
    lines = Math.max(lines, texts.length);
    texts.forEach((text, at) => {
      const room = width - bold.width(text, size);
      const indent = align === 'left' ? 0 : align === 'right' ? room : room / 2;
      pen.text(bold, size, x + indent, top + sheet.line * (at + 1), text);
    });
  }
  const end = top + sheet.line * lines + 4;
  pen.rule(sheet.left, sheet.right, end, INK, 0.4);
  return end + 2;
}

/** Left of what takes `room` at the right; a name too long goes on below. Answers its last baseline. */
function paintBeside(
  pen: Pen,
  sheet: Sheet,
  face: Typeface,
  size: number,
  y: number,
  text: string,
  room: number,
  ink: string,
): number {
  const width = Math.max(NUMBER_ROOM, sheet.right - sheet.left - room - 2 * COLUMN_GAP);
  const lines = wrapText(face, size, formatCell(text), width);
  lines.forEach((line, at) => {
    pen.text(face, size, sheet.left, y + at * size * 1.15, line, ink);
  });
  return y + (lines.length - 1) * size * 1.15;
}
