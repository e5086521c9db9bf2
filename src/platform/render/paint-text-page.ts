import { wrapped } from './fit-text.ts';
import { INK, type Pen } from './pen.ts';
import { printable, type TextPage } from './rows.ts';
import type { Sheet } from './sheet.ts';
import type { Faces } from './typeface.ts';

const TEXT_SIZE = 11;
const TITLE_SIZE = 16;
const SIGNATURE_SIZE = 9.5;
/** A line longer than this tires the eye. */
const TEXT_WIDTH = 440;
const SIGNATURE_WIDTH = 205;
const SIGNATURE_GAP = 30;
/** Room above a line for the hand that signs. */
const SIGNING_ROOM = 58;

/** Title, paragraphs and places to sign, below `top`, two signatures side by side. */
export function paintTextPage(pen: Pen, { regular, bold }: Faces, sheet: Sheet, top: number, page: TextPage): void {
  const left = (sheet.width - TEXT_WIDTH) / 2;
  const title = printable(page.title);
  let y = top + (sheet.height - top) * 0.11;
  pen.text(bold, TITLE_SIZE, (sheet.width - bold.width(title, TITLE_SIZE)) / 2, y, title);
  y += 46;
  for (const paragraph of page.paragraphs) {
    for (const line of wrapped(regular, TEXT_SIZE, printable(paragraph), TEXT_WIDTH)) {
      pen.text(regular, TEXT_SIZE, left, y, line);
      y += TEXT_SIZE * 1.55;
    }
    y += TEXT_SIZE * 0.8;
  }
  for (let at = 0; at < page.signatures.length; at += 2) {
    y += SIGNING_ROOM;
    const pair = page.signatures.slice(at, at + 2);
    const ends = pair.map((signature, place) => {
      const x = left + place * (SIGNATURE_WIDTH + SIGNATURE_GAP);
      return paintSignature(pen, regular, x, y, signature);
    });
    y = Math.max(...ends);
  }
}

function paintSignature(
  pen: Pen,
  face: Faces['regular'],
  x: number,
  top: number,
  signature: readonly string[],
): number {
  pen.rule(x, x + SIGNATURE_WIDTH, top, INK, 0.6);
  let y = top + 13;
  for (const text of signature) {
    for (const line of wrapped(face, SIGNATURE_SIZE, printable(text), SIGNATURE_WIDTH)) {
      pen.text(face, SIGNATURE_SIZE, x, y, line);
      y += 12.5;
    }
  }
  return y;
}
