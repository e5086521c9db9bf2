import type { Book } from './book.ts';
import type { Line } from './line.ts';

/** What is wrong with a line: the name of its field, or more. */
export interface Wrong {
  readonly field?: string;
  readonly value?: string;
  readonly expected?: string;
  /** The line; where a check is of a line, that one. */
  readonly line?: number;
}

export type Check = (line: Line, book: Book) => string | Wrong | undefined;

/** How a rule of the manual is checked; `text` says what is wrong, as an accountant would. */
export type Rule =
  /** When its line is read: what stood before it is known. */
  | { readonly when: 'line'; readonly text: string; readonly check: Check }
  /** When the lines of its entry, day or balance are read. */
  | { readonly when: 'entry'; readonly text: string; readonly check: Check }
  /** When the whole file is read, for each kept line of its register. */
  | { readonly when: 'later'; readonly text: string; readonly check: Check }
  /** When the whole file is read, once. */
  | { readonly when: 'end'; readonly text: string; readonly check: (book: Book) => Iterable<Wrong> }
  /** By the reader itself, which finds it before a line has fields. */
  | { readonly when: 'reading'; readonly text: string }
  /** By its parts, rules with codes of their own, under which it is reported. */
  | { readonly when: 'parts'; readonly parts: readonly string[] };

/** By register and code: 'I050 REGRA_TABELA_NATUREZA'. */
export type Rules = Readonly<Record<string, Rule>>;

export const each = (text: string, check: Check): Rule => ({ when: 'line', text, check });
export const ofEntry = (text: string, check: Check): Rule => ({ when: 'entry', text, check });
export const later = (text: string, check: Check): Rule => ({ when: 'later', text, check });
export const atEnd = (text: string, check: (book: Book) => Iterable<Wrong>): Rule => ({ when: 'end', text, check });
export const reading = (text: string): Rule => ({ when: 'reading', text });
export const composed = (...parts: string[]): Rule => ({ when: 'parts', parts });
