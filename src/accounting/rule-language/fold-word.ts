/**
 * A word as keywords and function names are compared: upper case, no accents. Undefined when something other than plain
 * letters, digits and underscores remains, so that no foreign letter whose capital happens to be 'S' makes a keyword.
 */
export function foldWord(word: string): string | undefined {
  if (PLAIN.test(word)) return word.toUpperCase();
  const bare = word.normalize('NFD').replace(/\p{M}/gu, '');
  return PLAIN.test(bare) ? bare.toUpperCase() : undefined;
}

const PLAIN = /^\w+$/;
