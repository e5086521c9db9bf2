import { wrapText } from './fit-text.ts';
import { paintSignatures } from './paint-signatures.ts';
import { Pen } from './pen.ts';
import { formatCell, type TextPage } from './rows.ts';
import type { Sheet } from './sheet.ts';
import type { Faces } from './typeface.ts';

const TEXT_SIZE = 11;
const TITLE_SIZE = 16;
/** Longer lines are hard to read. */
const TEXT_WIDTH = 440;

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
  return paintSignatures(scale, pen, regular, sheet, left, y, page.signatures);
}
