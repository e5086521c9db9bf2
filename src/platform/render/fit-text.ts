import { formatCell } from './rows.ts';
import type { Typeface } from './typeface.ts';

/** Minimum horizontal scale in percent of a text that is a little too long, before it is broken into lines. */
const NARROWEST = 86;

export interface FittedText {
  readonly lines: readonly string[];
  /** Width of the letters, 100 as they are. */
  readonly scale: number;
}

/** As it is, a little narrower, or broken into lines; nothing is left out. */
export function fitText(face: Typeface, size: number, text: string, width: number): FittedText {
  const natural = face.width(text, size);
  if (natural <= width) return { lines: [text], scale: 100 };
  const scale = Math.floor((width / natural) * 100);
  if (scale >= NARROWEST) return { lines: [text], scale };
  return { lines: wrapText(face, size, text, width / (NARROWEST / 100)), scale: NARROWEST };
}

/** On one line at any scale: a broken number would read as two numbers. */
export function squeezeText(face: Typeface, size: number, text: string, width: number): FittedText {
  const natural = face.width(text, size);
  return { lines: [text], scale: natural <= width ? 100 : Math.floor((width / natural) * 100) };
}

/** Lines no wider than asked, broken at blanks; a word wider than a line is broken inside. */
export function wrapText(face: Typeface, size: number, text: string, width: number): string[] {
  if (face.width(text, size) <= width) return [text];
  const lines: string[] = [];
  let line = '';
  let lineWidth = 0;
  const blank = face.width(' ', size);
  for (const word of text.split(' ')) {
    const wordWidth = face.width(word, size);
    if (line !== '' && lineWidth + blank + wordWidth <= width) {
      line += ` ${word}`;
      lineWidth += blank + wordWidth;
      continue;
    }
    if (line !== '') lines.push(line);
    [line, lineWidth] = [word, wordWidth];
    while (line !== '' && lineWidth > width) {
      const cut = longestPrefix(face, size, line, width);
      lines.push(line.slice(0, cut));
      line = line.slice(cut);
      lineWidth = face.width(line, size);
    }
  }
  lines.push(line);
  return lines;
}

function longestPrefix(face: Typeface, size: number, text: string, width: number): number {
  let used = 0;
  let at = 0;
  for (const character of text) {
    used += face.width(character, size);
    if (used > width && at > 0) return at;
    at += character.length;
  }
  return at;
}

/** The same as `printable`; most cells are plain, which is cheap to see. */
export function toDrawable(text: string): string {
  return /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u024f]*$/.test(text) ? text : formatCell(text);
}
