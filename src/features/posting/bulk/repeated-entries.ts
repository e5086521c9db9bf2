import { type Problem, problem } from '../../../accounting/problem.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { BulkEntry, BulkOutcome } from './bulk-entry.ts';
import { contentHash } from './content-hash.ts';
import { type EarlierEntry, type ExternalKey, selectEarlierEntries } from './entry-sources.sql.ts';

/** What the external ids of a request say before anything is looked up in the books. */
export interface Repeats {
  /** In the order of the entries; undefined where the entry is new, or repeats one of the request. */
  readonly outcomes: (BulkOutcome | undefined)[];
  /** Of an entry that another of the request repeats, the index of the first. */
  readonly twins: ReadonlyMap<number, number>;
  /** SHA-256 of each entry that says where it came from. */
  readonly hashes: ReadonlyMap<BulkEntry, string>;
}

/** Entries that were sent before, in an earlier request or in this one: the same content, or another under their id. */
export async function findRepeats(sql: Transaction, entries: readonly BulkEntry[]): Promise<Repeats> {
  const hashes = new Map<BulkEntry, string>();
  const outcomes: (BulkOutcome | undefined)[] = new Array(entries.length);
  const twins = new Map<number, number>();
  const firsts = new Map<string, number>();
  for (const [at, entry] of entries.entries()) {
    if (entry.source === undefined) continue;
    hashes.set(entry, contentHash(entry));
    const key = externalKeyOf(entry);
    if (key === undefined) continue;
    const first = firsts.get(textOf(key));
    if (first === undefined) firsts.set(textOf(key), at);
    else if (hashes.get(entries[first]!) === hashes.get(entry)) twins.set(at, first);
    else outcomes[at] = { status: 'REJECTED', problems: [reused(key)] };
  }
  const keys = [...firsts.values()].map((at) => externalKeyOf(entries[at]!)!);
  const earlier = keys.length === 0 ? [] : await selectEarlierEntries(sql, keys);
  const known = new Map(earlier.map((each) => [textOf(each), each]));
  if (known.size > 0) {
    for (const [at, entry] of entries.entries()) outcomes[at] = earlierOutcome(entry, hashes, known) ?? outcomes[at];
  }
  return { outcomes, twins, hashes };
}

function earlierOutcome(
  entry: BulkEntry,
  hashes: ReadonlyMap<BulkEntry, string>,
  known: ReadonlyMap<string, EarlierEntry>,
): BulkOutcome | undefined {
  const key = externalKeyOf(entry);
  const first = key && known.get(textOf(key));
  if (!first) return undefined;
  if (first.hash !== hashes.get(entry)) return { status: 'REJECTED', problems: [reused(first)] };
  return { status: 'REPEATED', documentId: first.documentId, number: first.number };
}

function externalKeyOf({ tenant, source }: BulkEntry): ExternalKey | undefined {
  if (source?.externalId === undefined) return undefined;
  return { companyId: tenant.companyId, origin: source.origin, externalId: source.externalId };
}

function textOf({ companyId, origin, externalId }: ExternalKey): string {
  return JSON.stringify([companyId, origin, externalId]);
}

function reused({ origin, externalId }: ExternalKey): Problem {
  return problem('EXTERNAL_ID_REUSED', { origin, externalId }, 'externalId');
}
