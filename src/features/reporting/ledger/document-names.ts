import { LRUCache } from 'lru-cache';
import { type DocumentKeys, naturalKey } from '../../../accounting/book-order.ts';
import type { CompanyId } from '../../../accounting/ids.ts';
import type { Context } from '../../../platform/context.ts';
import { perDatabase } from '../../../platform/per-database.ts';
import { selectDocumentNumbers } from './posting-account.read.sql.ts';

/** The numbers of a document and of its batch, and their places in the natural order. */
export interface DocumentName extends DocumentKeys {
  readonly companyId: CompanyId;
  readonly batch: string;
  readonly document: string;
}

/** Neither number ever changes, and no id is used twice. */
const namesOf = perDatabase(() => new LRUCache<number, DocumentName>({ max: 50_000 }));

/**
 * The documents of the ids, one for each, most of them remembered by this process; undefined where one was deleted after
 * its lines were read.
 */
export async function nameDocuments(
  context: Context,
  companyId: CompanyId,
  ids: readonly number[],
): Promise<DocumentName[] | undefined> {
  const known = namesOf(context);
  const names = ids.map((id) => known.get(id)).filter((name) => name?.companyId === companyId) as DocumentName[];
  if (names.length === ids.length) return names;
  const read = new Map<number, DocumentName>();
  for (const { id, batch, document } of await selectDocumentNumbers(context.sql, companyId, [...new Set(ids)])) {
    const name = { companyId, batch, document, batchKey: naturalKey(batch), documentKey: naturalKey(document) };
    known.set(id, name);
    read.set(id, name);
  }
  return ids.every((id) => read.has(id)) ? ids.map((id) => read.get(id)!) : undefined;
}
