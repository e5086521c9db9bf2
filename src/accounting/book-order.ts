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

/** Natural keys of a document and of its batch. */
export interface DocumentKeys {
  readonly batchKey: string;
  readonly documentKey: string;
}

/** Lines column by column, for the program's own sorting. */
export interface BookColumns {
  readonly days: readonly (Day | number)[];
  readonly documents: readonly DocumentKeys[];
  readonly entries: readonly string[];
  readonly sequences: readonly number[];
}

/**
 * Where each line stands in the columns, in the order of the books: the keys of the list above one by one, as a loop over
 * them takes four times as long. Lines of one day and document are few: only theirs get a key of their entry.
 */
export function linesInBookOrder({ days, documents, entries, sequences }: BookColumns): number[] {
  const entryKeys: string[] = [];
  const keyOf = (at: number) => {
    entryKeys[at] ??= naturalKey(entries[at]!);
    return entryKeys[at];
  };
  const compare = (a: number, b: number) =>
    comparePlain(days[a]!, days[b]!) ||
    compareDocuments(documents[a]!, documents[b]!) ||
    comparePlain(keyOf(a), keyOf(b)) ||
    sequences[a]! - sequences[b]!;
  return entries.map((_, at) => at).sort(compare);
}

/** The order of documents in the books. */
export function compareDocuments(a: DocumentKeys, b: DocumentKeys): number {
  return a === b ? 0 : comparePlain(a.batchKey, b.batchKey) || comparePlain(a.documentKey, b.documentKey);
}

const MAX_DIGITS = 20;

/**
 * Texts that compare as codes do in natural order, 1 before 01 before 2 before A: natural_sort_key() in SQL under COLLATE
 * "C", in which U+10000 and above come after U+E000.
 */
export function naturalKey(code: string): string {
  if (code.length <= MAX_DIGITS && /^[0-9]+$/.test(code))
    return code.padStart(MAX_DIGITS + 1, '0') + String.fromCharCode(0x40 + code.length);
  return `1${code.replace(/[\ud800-\uffff]/g, inCodePointOrder)}`;
}

/** JavaScript compares halves of code points, and those of the higher ones come before U+E000. */
function inCodePointOrder(unit: string): string {
  const code = unit.charCodeAt(0);
  return String.fromCharCode(code >= 0xe000 ? code - 0x800 : code + 0x2000);
}

function comparePlain(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
