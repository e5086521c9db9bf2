import type { Month } from '../../../accounting/period.ts';
import { type Problem, problem } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { type FoundPlace, insertBatches, insertDocuments, selectPlaces, type WantedPlace } from './bulk.sql.ts';
import type { BulkEntry, BulkPlace } from './bulk-entry.ts';

/** A document of a request: several entries, and several spellings of its place, may mean the same. */
export interface TargetDocument {
  readonly wanted: WantedPlace;
  found: FoundPlace;
}

/** The document of each entry as it is now, or why there can be none. */
export async function findDocuments(
  sql: Transaction,
  entries: readonly BulkEntry[],
): Promise<(entry: BulkEntry) => TargetDocument | Problem> {
  const wanted = new Map(entries.map((entry) => [keyOf(entry), wantedOf(entry)]));
  const found = await selectPlaces(sql, [...wanted.values()]);
  const targets = new Map<string, TargetDocument>();
  const byKey = new Map<string, TargetDocument | Problem>();
  for (const [at, [key, place]] of [...wanted].entries()) {
    const target = { wanted: place, found: found[at]! };
    const absent = absenceOf(target);
    if (absent) {
      byKey.set(key, absent);
      continue;
    }
    const same = sameKey(target);
    const known = targets.get(same) ?? target;
    targets.set(same, known);
    byKey.set(key, known);
  }
  return (entry) => byKey.get(keyOf(entry))!;
}

/** Makes the batches and documents that are named and absent. */
export async function createDocuments(sql: Transaction, targets: readonly TargetDocument[], by: string): Promise<void> {
  const absent = targets.filter(({ found }) => found.documentId === null);
  if (absent.length === 0) return;
  const withoutBatch = absent.filter(({ found }) => found.batchId === null);
  if (withoutBatch.length > 0) {
    await insertBatches(
      sql,
      withoutBatch.map(({ wanted }) => ({ ...wanted, batch: wanted.batch! })),
      by,
    );
    await findAgain(sql, withoutBatch);
  }
  await insertDocuments(
    sql,
    absent
      .filter(({ found }) => found.documentId === null)
      .map(({ wanted, found }) => ({ ...wanted, batchId: found.batchId!, document: wanted.document! })),
    by,
  );
  await findAgain(sql, absent);
}

async function findAgain(sql: Transaction, targets: readonly TargetDocument[]): Promise<void> {
  const found = await selectPlaces(
    sql,
    targets.map(({ wanted }) => wanted),
  );
  for (const [at, target] of targets.entries()) target.found = found[at]!;
}

function wantedOf({ tenant: { companyId, branchId }, month, place }: BulkEntry): WantedPlace {
  const { documentId = null, batchId = null, batch = null, document = null } = place as Partial<PlaceFields>;
  return { companyId, branchId, month, documentId, batchId, batch, document };
}

interface PlaceFields {
  readonly documentId: number;
  readonly batchId: number;
  readonly batch: string;
  readonly document: string;
}

function keyOf({ tenant, month, place }: { tenant: Tenant; month: Month; place: BulkPlace }): string {
  if ('documentId' in place) return `${tenant.branchId} ${month} ${place.documentId}`;
  const batch = 'batchId' in place ? `#${place.batchId}` : `/${place.batch}`;
  return `${tenant.branchId} ${month} ${batch} /${place.document}`;
}

/** Only what is named by its id must be there. */
function absenceOf({ wanted, found: { batchId, documentId } }: TargetDocument): Problem | undefined {
  if (wanted.documentId !== null) {
    return documentId === null ? problem('NOT_FOUND', recordRef('Document', wanted.documentId), 'document') : undefined;
  }
  if (wanted.batchId === null || batchId !== null) return undefined;
  return problem('NOT_FOUND', recordRef('Batch', wanted.batchId), 'batch');
}

function sameKey({ wanted, found: { batchId, documentId } }: TargetDocument): string {
  if (documentId !== null) return `${wanted.companyId} ${documentId}`;
  const batch = batchId === null ? `${wanted.branchId} ${wanted.month} ${wanted.batch}` : `#${batchId}`;
  return `${wanted.companyId} ${batch} /${wanted.document}`;
}
