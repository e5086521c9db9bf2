import { LRUCache } from 'lru-cache';
import { naturalKey } from '../../../accounting/book-order.ts';
import type { CompanyId } from '../../../accounting/ids.ts';
import type { Context } from '../../../platform/context.ts';
import { perDatabase } from '../../../platform/per-database.ts';
import { selectDocumentNumbers } from './posting-account.read.sql.ts';

/** The numbers of a document and of its batch, and their places in the natural order. */
export interface DocumentName {
  readonly companyId: CompanyId;
  readonly batch: string;
  readonly document: string;
  readonly batchKey: string;
  readonly documentKey: string;
}

/** Neither number ever changes, and no id is used twice. */
const namesOf = perDatabase(() => new LRUCache<number, DocumentName>({ max: 50_000 }));

/**
 * The documents by id, most of them remembered by this process; undefined where one was deleted after its lines were
 * read.
 */
export async function nameDocuments(
  context: Context,
  companyId: CompanyId,
  ids: readonly number[],
): Promise<ReadonlyMap<number, DocumentName> | undefined> {
  const known = namesOf(context);
  const names = new Map<number, DocumentName>();
  const missing = new Set<number>();
  for (const id of ids) {
    if (names.has(id)) continue;
    const name = known.get(id);
    if (name?.companyId === companyId) names.set(id, name);
    else missing.add(id);
  }
  if (missing.size === 0) return names;
  const found = await selectDocumentNumbers(context.sql, companyId, [...missing]);
  for (const { id, batch, document } of found) {
    const name = { companyId, batch, document, batchKey: naturalKey(batch), documentKey: naturalKey(document) };
    known.set(id, name);
    names.set(id, name);
  }
  return found.length === missing.size ? names : undefined;
}
