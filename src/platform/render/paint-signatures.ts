import { wrapText } from './fit-text.ts';
import { INK, type Pen } from './pen.ts';
import { formatCell } from './rows.ts';
import type { Sheet } from './sheet.ts';
import type { Faces } from './typeface.ts';

const SIGNATURE_SIZE = 9.5;
const SIGNATURE_WIDTH = 205;
const SIGNATURE_GAP = 30;
/** Room above a line for the hand that signs. */
const SIGNING_ROOM = 58;

/** Places to sign, side by side from `left`; many of them over the whole width. Returns where they end. */
export function paintSignatures(
  scale: number,
  pen: Pen,
  face: Faces['regular'],
  sheet: Sheet,
  left: number,
  top: number,
  signatures: readonly (readonly string[])[],
): number {
  let y = top;
  const perRow = signatures.length > MAX_SIGNATURES_IN_A_ROW ? signaturesPerRow(sheet, scale) : 2;
  const step = (SIGNATURE_WIDTH + SIGNATURE_GAP) * (perRow === 2 ? 1 : scale);
  const first = perRow === 2 ? left : (sheet.width - perRow * step + SIGNATURE_GAP * scale) / 2;
  for (let at = 0; at < signatures.length; at += perRow) {
    y += SIGNING_ROOM * scale;
    const row = signatures.slice(at, at + perRow);
    const ends = row.map((signature, place) =>
      paintSignature(scale, pen, face, first + place * step, y, step - SIGNATURE_GAP * scale, signature),
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
