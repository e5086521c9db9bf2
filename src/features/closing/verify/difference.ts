/**
 * What `verify` finds, in the words of docs/operator.md, which says what each means and what to do. They are a promise: a
 * script that watches them goes on working.
 */
export const DIFFERENCE_KINDS = [
  'BALANCE',
  'DAILY_BALANCE',
  'KEPT_SUM',
  'BASE_BALANCE',
  'CLOSING_ENTRY',
  'ENTRY_UNBALANCED',
  'REFERENCE',
  'DUPLICATE',
  'ORPHAN',
  'MONTH',
  'MONTH_FIGURES',
  'QUOTA',
  'SEAL',
  'SEAL_CHAIN',
  'SEAL_RECORD',
  'SEAL_SIGNATURE',
  'SEAL_MISSING',
  'SEAL_AGAINST',
  'AUDIT_CHANGED',
  'AUDIT_MISSING',
  'AUDIT_ADDED',
  'AUDIT_CHAIN',
  'AUDIT_HEAD',
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** One thing that is not as it should be. */
export interface Difference {
  /** Code of the company; null: of the platform as a whole. */
  readonly company: string | null;
  readonly branch: string | null;
  /** 'YYYY-MM' */
  readonly month: string | null;
  readonly kind: DifferenceKind;
  /** What it is about: an account, an entry, a row. */
  readonly what: string;
  readonly expected: string | null;
  readonly found: string | null;
}

/** A difference whose place is known already. */
export type Finding = Pick<Difference, 'kind' | 'what'> & Partial<Pick<Difference, 'expected' | 'found'>>;

/** At most so many findings of one statement: of books in which all is wrong the first rows. */
export const MOST_ROWS = 1_000;
