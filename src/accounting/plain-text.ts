/**
 * Names and codes that look the same must be the same: an administrator must be able to trust `admin` or `COSIF` as
 * displayed. Codes are normalized or rejected; names may use any script, but not two in one word.
 */

/** Control characters and lone surrogates cannot be stored or shown. */
export function isPlainText(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point
  return value.isWellFormed() && !/[\u0000-\u001f\u007f-\u009f]/.test(value);
}

/** The form in which codes are stored: full-width and other compatibility forms become the plain characters. */
export function codeForm(value: string): string {
  return value.normalize('NFKC').trim();
}

/** Letters A to Z, with or without accents, digits 0 to 9 and the signs of a keyboard. */
export function isPlainCode(value: string): boolean {
  if (ASCII.test(value)) return true;
  return [...value].every((character) => /^[\x20-\x7e]$/.test(character.normalize('NFD').replace(/\p{Mn}/gu, '')));
}

/** Fast path for nearly every code: a file of a million rows checks each of them. */
const ASCII = /^[\x20-\x7e]*$/;

/** Equal for codes that people confuse: capitals, accents, spaces, O and 0, I, L and 1. */
export function confusableSkeleton(code: string): string {
  const bare = code
    .normalize('NFD')
    .replace(/[\p{Mn}\s]/gu, '')
    .toLowerCase();
  return bare.replaceAll('o', '0').replace(/[il|]/g, '1');
}

/** No invisible character, and no word with letters of two scripts. */
export function isPlainName(value: string): boolean {
  if (INVISIBLE.test(value)) return false;
  return (value.match(/[\p{L}\p{M}]+/gu) ?? []).every(
    (word) => !(/\p{Script=Latin}/u.test(word) && OTHER_SCRIPT.test(word)),
  );
}

/** Format characters, fillers that are drawn as blanks, and code points without a meaning. */
const INVISIBLE = /[\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;

const OTHER_SCRIPT = /[^\P{L}\p{Script=Latin}\p{Script=Common}]/u;
