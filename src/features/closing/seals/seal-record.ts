import { type Hash, leafHash } from '../../../platform/merkle-tree.ts';

/** What is signed of a closed month. Hashes are hexadecimal text. */
export interface SealRecord {
  readonly company: string;
  readonly branch: string;
  readonly year: string;
  readonly month: string;
  readonly version: number;
  readonly lines: number;
  readonly linesRoot: string;
  readonly balances: number;
  readonly balancesRoot: string;
  /** The seal before it in the branch's log; null: it is the first. */
  readonly previous: string | null;
  /** ISO, to the millisecond, in UTC. */
  readonly sealedAt: string;
  readonly sealedBy: string;
  /** The seal that the month had before it was opened again. */
  readonly replaces: string | null;
  /** Why it was opened again. */
  readonly reason: string | null;
}

/** The record as it is hashed and signed: JSON by RFC 8785, whose texts and whole numbers are those of JSON.stringify. */
export function recordBytes(record: SealRecord): Buffer {
  const { balances, balancesRoot, branch, company, lines, linesRoot, month } = record;
  const { previous, reason, replaces, sealedAt, sealedBy, version, year } = record;
  const sorted = {
    balances,
    balancesRoot,
    branch,
    company,
    lines,
    linesRoot,
    month,
    previous,
    reason,
    replaces,
    sealedAt,
    sealedBy,
    version,
    year,
  };
  return Buffer.from(JSON.stringify(sorted));
}

/** The seal itself: the record's leaf in the log of its branch. */
export function sealOf(record: SealRecord): Hash {
  return leafHash(recordBytes(record));
}
