import { foldWord } from './fold-word.ts';

/** Longer words are not typos, and comparing them would cost time. */
const MAX_COMPARED_LENGTH = 40;

/** The candidate that was probably meant: at most a third of its letters differ, or the word is how it begins. */
export function nearWord(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > MAX_COMPARED_LENGTH) return undefined;
  const folded = (foldWord(word) ?? word).toUpperCase();
  let nearest: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const wanted = (foldWord(candidate) ?? candidate).toUpperCase();
    const distance = distanceWithin(folded, wanted, Math.floor(wanted.length / 3));
    if (distance !== undefined && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) {
      nearest = { candidate, distance };
    }
  }
  return nearest?.candidate ?? beginningWith(folded, candidates);
}

const SHORTEST_BEGINNING = 4;

function beginningWith(folded: string, candidates: Iterable<string>): string | undefined {
  if (folded.length < SHORTEST_BEGINNING) return undefined;
  return [...candidates].find((candidate) => candidate.startsWith(`${folded}_`));
}

/** How many letters must change to make one word of the other; undefined above the bound. */
function distanceWithin(word: string, other: string, bound: number): number | undefined {
  if (Math.abs(word.length - other.length) > bound) return undefined;
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= word.length; i++) {
    const current = [i];
    for (let j = 1; j <= other.length; j++) {
      const substitution = previous[j - 1]! + (word[i - 1] === other[j - 1] ? 0 : 1);
      current.push(Math.min(substitution, previous[j]! + 1, current[j - 1]! + 1));
    }
    previous = current;
  }
  const distance = previous[other.length]!;
  return distance <= bound ? distance : undefined;
}
