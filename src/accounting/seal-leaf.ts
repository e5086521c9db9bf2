import type { BookPlace } from './book-order.ts';
import type { Side } from './entry.ts';

/** A line as its leaf says it, column by column as the database prints them. */
export interface SealedLine extends BookPlace {
  /** Its code. */
  readonly account: string;
  /** The one that was given; null: none. */
  readonly offset: string | null;
  readonly side: Side;
  /** NUMERIC text of two decimals, here and below. */
  readonly amount: string;
  /** A closing entry's. */
  readonly closing: boolean;
  readonly printedNarration: string;
}

/** What an account brought, moved and holds at the end of its month, debit-positive. */
export interface SealedBalance {
  /** Its code. */
  readonly account: string;
  readonly opening: string;
  readonly debit: string;
  readonly credit: string;
  readonly closingDebit: string;
  readonly closingCredit: string;
  readonly balance: string;
}

/** Of leaf bytes and records (docs/seals.md). */
export const SEAL_VERSION = 1;

/** The leaf of a line: UTF-8 text in the tree of the month's lines. */
export function lineLeaf(line: SealedLine): string {
  const { day, batch, document, entry, sequence, account, offset, side, amount, closing, printedNarration } = line;
  const mark = closing ? '1' : '0';
  return leaf([
    day,
    batch,
    document,
    entry,
    `${sequence}`,
    account,
    offset ?? '',
    side,
    amount,
    mark,
    printedNarration,
  ]);
}

/** The leaf of a balance: UTF-8 text in the tree of the month's balances. */
export function balanceLeaf(row: SealedBalance): string {
  return leaf([row.account, row.opening, row.debit, row.credit, row.closingDebit, row.closingCredit, row.balance]);
}

function leaf(fields: readonly string[]): string {
  return fields.map(leafField).join('\t');
}

/** A field as leaves write it: none has a tab of its own. */
export function leafField(text: string): string {
  return /[\b\t\n\v\f\r\\]/.test(text) ? text.replace(/[\b\t\n\v\f\r\\]/g, (found) => ESCAPES[found]!) : text;
}

/** What `leafField` wrote. */
export function textOfField(field: string): string {
  return field.includes('\\') ? field.replace(/\\[btnvfr\\]/g, (found) => CHARACTERS[found]!) : field;
}

/** Those of COPY in PostgreSQL, whose text of a row is a leaf as it stands. */
const ESCAPES: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\\': '\\\\',
};

const CHARACTERS = Object.fromEntries(Object.entries(ESCAPES).map(([character, written]) => [written, character]));
