/** Of fields without a size of their own. */
export const TEXT_SIZE = 255;
/** I250.HIST and other long texts. */
export const LONG_TEXT_SIZE = 65_535;

/** Marks that a keyboard writes otherwise; typed in their plain form they are in Latin-1. */
const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/g, '-'],
  [/[\u2018-\u201b\u2032\u2035]/g, "'"],
  [/[\u201c-\u201f\u2033\u2036]/g, '"'],
  [/\u2026/g, '...'],
  [/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' '],
  [/[\u00ad\u200b-\u200d\u2060\ufeff]/g, ''],
  [/\|/g, '/'],
  [/\p{Cc}/gu, ' '],
];

const OUTSIDE = /[^\p{Cc} -ÿ]/gu;

/** A text as the file writes it: what Latin-1 has no sign for becomes a question mark, and is lost. */
export function fileText(text: string, size = TEXT_SIZE): { readonly text: string; readonly isLossy: boolean } {
  let plain = text.normalize('NFC');
  for (const [marks, by] of PLAIN) plain = plain.replace(marks, by);
  const latin = plain.replace(OUTSIDE, '?');
  return { text: latin.trim().slice(0, size).trimEnd(), isLossy: latin !== plain };
}
