import { wrapText } from './fit-text.ts';
import { INK, Pen } from './pen.ts';
import { formatCell, type TextPage } from './rows.ts';
import type { Sheet } from './sheet.ts';
import type { Faces } from './typeface.ts';

const TEXT_SIZE = 11;
const TITLE_SIZE = 16;
const SIGNATURE_SIZE = 9.5;
/** Longer lines are hard to read. */
const TEXT_WIDTH = 440;
const SIGNATURE_WIDTH = 205;
const SIGNATURE_GAP = 30;
/** Room above a line for the hand that signs. */
const SIGNING_ROOM = 58;

/** Everything on one page, however many sign: what does not fit is set smaller, to this part at the least. */
const SMALLEST = 0.3;

/** Title, paragraphs and places to sign, below `top`, signatures side by side. */
export function paintTextPage(pen: Pen, faces: Faces, sheet: Sheet, top: number, page: TextPage): void {
  let scale = 1;
  while (scale > SMALLEST && paintAt(scale, new Pen(), faces, sheet, top, page) > sheet.bottom) scale -= 0.05;
  paintAt(scale, pen, faces, sheet, top, page);
}

/** Returns where the page ends. */
function paintAt(scale: number, pen: Pen, { regular, bold }: Faces, sheet: Sheet, top: number, page: TextPage): number {
  const left = (sheet.width - TEXT_WIDTH) / 2;
  const size = TEXT_SIZE * scale;
  let y = top + (sheet.height - top) * 0.11 * scale;
  for (const line of wrapText(bold, TITLE_SIZE * scale, formatCell(page.title), TEXT_WIDTH)) {
    pen.text(bold, TITLE_SIZE * scale, (sheet.width - bold.width(line, TITLE_SIZE * scale)) / 2, y, line);
    y += TITLE_SIZE * 1.2 * scale;
  }
  y += 26.8 * scale;
  for (const paragraph of page.paragraphs) {
    for (const line of wrapText(regular, size, formatCell(paragraph), TEXT_WIDTH)) {
      pen.text(regular, size, left, y, line);
      y += size * 1.55;
    }
    y += size * 0.8;
  }
  const perRow = page.signatures.length > MAX_SIGNATURES_IN_A_ROW ? signaturesPerRow(sheet, scale) : 2;
  const step = (SIGNATURE_WIDTH + SIGNATURE_GAP) * (perRow === 2 ? 1 : scale);
  const first = perRow === 2 ? left : (sheet.width - perRow * step + SIGNATURE_GAP * scale) / 2;
  for (let at = 0; at < page.signatures.length; at += perRow) {
    y += SIGNING_ROOM * scale;
    const row = page.signatures.slice(at, at + perRow);
    const ends = row.map((signature, place) =>
      paintSignature(scale, pen, regular, first + place * step, y, step - SIGNATURE_GAP * scale, signature),
    );
    y = Math.max(...ends);
  }
  return y;
}

/** Up to this many are set in two columns. */
const MAX_SIGNATURES_IN_A_ROW = 4;

function signaturesPerRow({ left, right }: Sheet, scale: number): number {
  return Math.floor((right - left + SIGNATURE_GAP * scale) / ((SIGNATURE_WIDTH + SIGNATURE_GAP) * scale));
}

function paintSignature(
  scale: number,
  pen: Pen,
  face: Faces['regular'],
  x: number,
  top: number,
  width: number,
  signature: readonly string[],
): number {
  pen.rule(x, x + width, top, INK, 0.6);
  const size = SIGNATURE_SIZE * scale;
  let y = top + 13 * scale;
  for (const text of signature) {
    for (const line of wrapText(face, size, formatCell(text), width)) {
      pen.text(face, size, x, y, line);
      y += 12.5 * scale;
    }
  }
  return y;
}
