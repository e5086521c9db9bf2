import type { Day } from './period.ts';

/** The position of a line in the books of a branch; unique. */
export interface BookPlace {
  readonly day: Day;
  readonly batch: string;
  readonly document: string;
  readonly entry: string;
  /** Counts the lines of an entry. */
  readonly sequence: number;
}

interface BookKey {
  readonly of: keyof BookPlace;
  /** A CODE is compared in natural order: numbers by value, all others after them as text. */
  readonly as: 'PLAIN' | 'CODE';
}

/** The order of the books, from what is compared first to what is compared last. SQL orders by the same list. */
export const BOOK_ORDER: readonly BookKey[] = [
  { of: 'day', as: 'PLAIN' },
  { of: 'batch', as: 'CODE' },
  { of: 'document', as: 'CODE' },
  { of: 'entry', as: 'CODE' },
  { of: 'sequence', as: 'PLAIN' },
];

/**
 * Negative where the first line comes before the second. The program orders in SQL, which is tested against it.
 * @internal
 */
export function compareInBookOrder(a: BookPlace, b: BookPlace): number {
  for (const { of, as } of BOOK_ORDER) {
    const order = as === 'CODE' ? compareNaturally(String(a[of]), String(b[of])) : comparePlain(a[of], b[of]);
    if (order !== 0) return order;
  }
  return 0;
}

const MAX_DIGITS = 20;

/** Codes in natural order, 1 before 01 before 2 before A: what natural_sort_key() orders by in SQL. */
function compareNaturally(a: string, b: string): number {
  const [left, right] = [isNumeric(a), isNumeric(b)];
  if (left !== right) return left ? -1 : 1;
  if (!left) return compareCodePoints(a, b);
  return comparePlain(a.padStart(MAX_DIGITS, '0'), b.padStart(MAX_DIGITS, '0')) || a.length - b.length;
}

function isNumeric(code: string): boolean {
  return code.length <= MAX_DIGITS && /^[0-9]+$/.test(code);
}

/** As PostgreSQL compares under COLLATE "C"; JavaScript's own comparison puts U+10000 and above before U+E000. */
function compareCodePoints(a: string, b: string): number {
  for (let at = 0; at < a.length && at < b.length; at++) {
    if (a.charCodeAt(at) !== b.charCodeAt(at)) return a.codePointAt(at)! - b.codePointAt(at)!;
  }
  return a.length - b.length;
}

function comparePlain(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
