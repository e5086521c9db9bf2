import { type Day, lastDay } from '../../../accounting/period.ts';
import { balanceLeaf, lineLeaf, type SealedBalance, type SealedLine } from '../../../accounting/seal-leaf.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import { type Hash, leafHash, MerkleTree } from '../../../platform/merkle-tree.ts';
import { LineLeaves, type SealedDocument } from './line-leaves.ts';
import {
  copySealedLines,
  type SealedMonth,
  selectSealedAccounts,
  selectSealedBalances,
  selectSealedDocuments,
} from './seal-leaves.read.sql.ts';

/** What the seal of a month says of its books. */
export interface MonthRoots {
  readonly lines: number;
  readonly linesRoot: Hash;
  readonly balances: number;
  readonly balancesRoot: Hash;
}

/** What a close has written and nobody else can see yet, as leaves. */
export interface UncommittedLeaves {
  /** Of closing entries; undefined: there are none. */
  readonly closing:
    | (Omit<SealedDocument, 'id'> & { readonly day: Day; readonly leaves: readonly string[] })
    | undefined;
  readonly balances: readonly string[];
}

export function uncommittedLeaves(
  month: SealedMonth['month'],
  closing: readonly SealedLine[],
  balances: readonly SealedBalance[],
): UncommittedLeaves {
  const [first] = closing;
  return {
    closing: first && {
      batch: first.batch,
      document: first.document,
      day: lastDay(month),
      leaves: closing.map(lineLeaf),
    },
    balances: balances.map(balanceLeaf),
  };
}

/** Of a closed month, as the tables have it: equal to those of its seal while nobody has changed it. */
export async function readMonthRoots(sql: Transaction, month: SealedMonth): Promise<MonthRoots> {
  const lines = await readLineLeaves(sql, month);
  return rootsOf(lines, (await selectSealedBalances(sql, month)).map(balanceLeaf));
}

/** The leaf hashes of the month's lines; in a snapshot. */
export async function readLineLeaves(sql: Transaction, month: SealedMonth): Promise<LineLeaves> {
  const documents = await selectSealedDocuments(sql, month);
  const accounts = await selectSealedAccounts(sql, month);
  const leaves = new LineLeaves(documents, new Map(accounts.map(({ id, code }) => [id, code])));
  await copySealedLines(sql, month, (bytes, start, end) => leaves.add(bytes, start, end));
  return leaves;
}

/** Of lines that are all there, and of the leaves of the balances in the order of the accounts. */
export function rootsOf(lines: LineLeaves, balances: readonly string[]): MonthRoots {
  const tree = new MerkleTree();
  for (const leaf of balances) tree.append(leafHash(Buffer.from(leaf)));
  return {
    lines: lines.count,
    linesRoot: lines.root(),
    balances: balances.length,
    balancesRoot: tree.root(),
  };
}
