import type { Day } from '../../../accounting/period.ts';
import { BusinessError, reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import { type Context, withTransaction } from '../../../platform/context.ts';
import type { Tenant } from '../../access/access.ts';
import type { BulkLine, BulkOutcome } from '../bulk/bulk-entry.ts';
import { BulkRejected, postBulk } from '../bulk/post-bulk.ts';
import { lockPostingPlace } from './entries.sql.ts';
import { selectWholeEntry, type WholeEntry } from './whole-entries.read.sql.ts';

/** A logical entry of two lines or more, as it is typed. */
export interface WholeEntryInput {
  /** Absent: the number after the document's highest. */
  readonly number: string | undefined;
  readonly dayNumber: number;
  readonly narrationCode: string | null;
  readonly factDay: Day | undefined;
  readonly lines: readonly BulkLine[];
}

/** Posts one entry into a document, as a request of many entries posts each of its own; answers it with its lines. */
export function postWholeEntry(
  context: Context,
  tenant: Tenant,
  documentId: number,
  entry: WholeEntryInput,
): Promise<WholeEntry> {
  return context.transaction(async (sql) => {
    const { month } =
      (await lockPostingPlace(sql, tenant.companyId, documentId)) ??
      reject('NOT_FOUND', recordRef('Document', documentId), 'document');
    const posted = { ...entry, tenant, month, place: { documentId }, source: undefined };
    const [outcome] = await postBulk(withTransaction(context, sql), [posted], 'ALL_OR_NONE').catch(throwProblems);
    const { number } = outcome as BulkOutcome & { readonly status: 'CREATED' };
    return (await selectWholeEntry(sql, tenant.companyId, { documentId, number }))!;
  });
}

/** Of a request of one entry, what is wrong with that entry. */
function throwProblems(error: unknown): never {
  const [outcome] = error instanceof BulkRejected ? error.outcomes : [];
  if (outcome?.status === 'REJECTED') throw new BusinessError(outcome.problems);
  throw error;
}
