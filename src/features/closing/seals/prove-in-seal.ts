import { slashOf } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { balanceLeaf, lineLeaf } from '../../../accounting/seal-leaf.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import { type Hash, leafHash, proveLeaves } from '../../../platform/merkle-tree.ts';
import type { MonthKey } from '../../posting/months/months.sql.ts';
import type { Proof } from './check-proof.ts';
import { readLineLeaves } from './month-roots.ts';
import { selectSealedBalances } from './seal-leaves.read.sql.ts';
import { type EntryName, type SealInForce, selectEntryLines, selectSealInForce } from './seal-proofs.read.sql.ts';
import type { SealRecord } from './seal-record.ts';

/** Lines of an entry that are proven at once. */
export const MOST_PROVEN_LINES = 1_000;

type Sealed = Pick<Proof, 'seal' | 'record' | 'jws' | 'timestamp'>;

/** Proves that an entry's lines are among those that the month's seal was made of, in a snapshot. @throws BusinessError */
export async function proveEntry(sql: Transaction, month: MonthKey, entry: EntryName): Promise<Proof> {
  const { sealed, record, archived } = await sealInForce(sql, month);
  const key = { ...month, archived };
  const lines = await selectEntryLines(sql, key, entry, MOST_PROVEN_LINES + 1);
  if (lines.length > MOST_PROVEN_LINES) reject('TOO_MANY_LINES', { limit: MOST_PROVEN_LINES }, 'entry');
  if (lines.length === 0) reject('NOT_IN_SEAL', { month: slashOf(month.month) }, 'entry');
  const tree = { size: record.lines, root: record.linesRoot };
  const items = await proven(month, await readLineLeaves(sql, key), lines, lineLeaf, tree);
  return { kind: 'entry', ...sealed, ...tree, items };
}

/** The same of an account's balance. @throws BusinessError */
export async function proveBalance(sql: Transaction, month: MonthKey, account: string): Promise<Proof> {
  const { sealed, record } = await sealInForce(sql, month);
  const rows = await selectSealedBalances(sql, month);
  const found = rows.filter((row) => row.account === account);
  if (found.length === 0) reject('NOT_IN_SEAL', { month: slashOf(month.month) }, 'account');
  const leaves = rows.map((row) => leafHash(Buffer.from(balanceLeaf(row))));
  const tree = { size: record.balances, root: record.balancesRoot };
  return { kind: 'balance', ...sealed, ...tree, items: await proven(month, leaves, found, balanceLeaf, tree) };
}

async function sealInForce(
  sql: Transaction,
  month: MonthKey,
): Promise<{ sealed: Sealed; record: SealRecord; archived: boolean }> {
  const found: SealInForce =
    (await selectSealInForce(sql, month)) ?? reject('MONTH_NOT_SEALED', { month: slashOf(month.month) });
  const { seal, jws, archived, timestamp } = found;
  // What was signed, not what the columns beside it say.
  const record = JSON.parse(Buffer.from(jws.split('.')[1]!, 'base64url').toString('utf8')) as SealRecord;
  const sealed = {
    seal,
    record: { ...record, version: 1 as const },
    jws,
    timestamp: timestamp?.toString('base64') ?? null,
  };
  return { sealed, record, archived };
}

interface ProvenItem<Content> {
  readonly content: Content;
  readonly leaf: string;
  readonly index: number;
  readonly path: string[];
}

/** Of books that are no longer the sealed ones nothing is proven. */
async function proven<Content>(
  { month }: MonthKey,
  leaves: Iterable<Hash>,
  wanted: readonly Content[],
  leafOf: (content: Content) => string,
  sealed: { readonly size: number; readonly root: string },
): Promise<ProvenItem<Content>[]> {
  const named = wanted.map((content) => {
    const leaf = leafOf(content);
    return { content, leaf, hash: leafHash(Buffer.from(leaf)) };
  });
  const { size, root, places } = await proveLeaves(
    leaves,
    named.map(({ hash }) => hash),
  );
  if (size !== sealed.size || root.toString('hex') !== sealed.root) reject('SEAL_MISMATCH', { month: slashOf(month) });
  return named.map(({ content, leaf, hash }) => {
    const { index, path } = places.get(hash.toString('hex'))!;
    return { content, leaf, index, path: path.map((each) => each.toString('hex')) };
  });
}
