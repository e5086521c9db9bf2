import { hash } from 'node:crypto';
import type { BulkEntry } from './bulk-entry.ts';

/** SHA-256, in hexadecimal, of what the entry says, however it was spelled: two of the same are one fact sent twice. */
export function contentHash({
  tenant,
  month,
  place,
  number,
  dayNumber,
  narrationCode,
  source,
  lines,
}: BulkEntry): string {
  const { documentId, batchId, batch, document } = place as Record<string, unknown>;
  return hash(
    'sha256',
    JSON.stringify([
      [tenant.companyId, tenant.branchId, month, documentId, batchId, batch, document, number, dayNumber],
      narrationCode,
      source?.metadata,
      lines.map(({ side, account, amount, narration }) => [side, account, String(amount), narration]),
    ]),
  );
}
