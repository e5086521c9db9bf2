/** Bytes of the text in UTF-8; counting stops above `enough`, so that a huge text costs no more than the bound. */
export function utf8Length(text: string, enough = Number.POSITIVE_INFINITY): number {
  let bytes = 0;
  for (let at = 0; at < text.length && bytes <= enough; at++) {
    bytes += bytesOfUnit(text.charCodeAt(at));
  }
  return bytes;
}

/** The text itself when it fits, else its beginning and an ellipsis, together within the bound. */
export function cutToBytes(text: string, maximum: number): string {
  if (utf8Length(text, maximum) <= maximum) return text;
  let bytes = utf8Length('…');
  let end = 0;
  while (end < text.length) {
    const character = String.fromCodePoint(text.codePointAt(end)!);
    bytes += utf8Length(character);
    if (bytes > maximum) break;
    end += character.length;
  }
  return `${text.slice(0, end)}…`;
}

/** Each half of a surrogate pair counts two of the pair's four bytes. */
function bytesOfUnit(unit: number): number {
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  return unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
}
