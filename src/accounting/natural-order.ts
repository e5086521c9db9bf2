/**
 * A key whose byte order puts numeric codes by value first and the others after them as text. SQL writes the same as
 * `CASE WHEN code ~ '^[0-9]{1,20}$' THEN '0' || lpad(code, 20, '0') ELSE '1' || code END COLLATE "C"`.
 */
export function naturalKey(text: string): string {
  return /^[0-9]{1,20}$/.test(text) ? `0${text.padStart(20, '0')}` : `1${text}`;
}

export function compareNatural(a: string, b: string): number {
  return compareBytes(naturalKey(a), naturalKey(b));
}

/** UTF-8 byte order is code point order; `<` on strings is not, beyond the basic plane. */
function compareBytes(a: string, b: string): number {
  for (let at = 0; at < a.length && at < b.length; at++) {
    // Equal units before `at` mean that both strings are at the same half of a pair.
    const difference = a.codePointAt(at)! - b.codePointAt(at)!;
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(a.length - b.length);
}
