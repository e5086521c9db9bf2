import type { CompanyId } from '../../../accounting/ids.ts';
import type { Day, Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';

/** The import's status, locked until the commit; undefined when there is no such import. */
export async function lockImportRecord(sql: Sql, companyId: CompanyId, id: number): Promise<string | undefined> {
  const row = await sql.maybe<{ status: string }>(SQL`
    SELECT import_record.status FROM import_record
     WHERE import_record.company_id = ${companyId} AND import_record.id = ${id} FOR NO KEY UPDATE`);
  return row?.status;
}

export interface ImportState {
  /** Lines of the import that still exist, and how many of them were changed or reversed. */
  readonly lines: number;
  readonly changed: number;
  readonly reversed: number;
  /** A closed day with lines of the import. */
  readonly closedDay: Day | null;
}

/** What has become of the import's lines in the documents of its batch. */
export function selectImportState(
  sql: Sql,
  companyId: CompanyId,
  importId: number,
  documentIds: readonly number[],
): Promise<ImportState> {
  return sql.one<ImportState>(SQL`
    SELECT count(*) AS lines, count(*) FILTER (WHERE entry_line.updated_at IS NOT NULL) AS changed,
           count(*) FILTER (WHERE entry_reversal.document_id IS NOT NULL) AS reversed,
           min(calendar_day.day) AS "closedDay"
      FROM entry_line
      LEFT JOIN entry_reversal ON entry_reversal.company_id = entry_line.company_id
       AND entry_reversal.document_id = entry_line.document_id
       AND entry_reversal.entry_number = entry_line.entry_number
      LEFT JOIN calendar_day ON calendar_day.company_id = entry_line.company_id
       AND calendar_day.branch_id = entry_line.branch_id AND calendar_day.day = entry_line.day AND calendar_day.closed
     WHERE entry_line.company_id = ${companyId} AND entry_line.document_id = ANY (${documentIds}::bigint[])
       AND entry_line.import_id = ${importId}`);
}

/** Deletes the import's lines, then what it made and is empty: documents, and of these batches those that are. */
export async function deleteImported(
  sql: Sql,
  companyId: CompanyId,
  id: number,
  documentIds: readonly number[],
  batchIds: readonly number[],
): Promise<void> {
  await sql.run(SQL`
    DELETE FROM entry_line
     WHERE entry_line.company_id = ${companyId} AND entry_line.document_id = ANY (${documentIds}::bigint[])
       AND entry_line.import_id = ${id}`);
  await sql.run(SQL`
    DELETE FROM document
     WHERE document.company_id = ${companyId} AND document.id = ANY (${documentIds}::bigint[])
       AND document.import_id = ${id}
       AND NOT EXISTS (SELECT 1 FROM entry_line
                        WHERE entry_line.company_id = ${companyId} AND entry_line.document_id = document.id)`);
  if (batchIds.length === 0) return;
  await sql.run(SQL`
    DELETE FROM batch
     WHERE batch.company_id = ${companyId} AND batch.id = ANY (${batchIds}::bigint[])
       AND NOT EXISTS (SELECT 1 FROM document
                        WHERE document.company_id = ${companyId} AND document.batch_id = batch.id)`);
}

/** The documents of an import that made many batches, with these and their months. */
export function selectImported(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  importId: number,
): Promise<{ documentId: number; batchId: number; month: Month }[]> {
  return sql.rows(SQL`
    SELECT document.id AS "documentId", document.batch_id AS "batchId", to_char(document.month, 'YYYY-MM') AS month
      FROM document
     WHERE document.company_id = ${companyId} AND document.branch_id = ${branchId} AND document.import_id = ${importId}
     ORDER BY document.id`);
}

export async function markUndone(sql: Sql, companyId: CompanyId, id: number, by: string): Promise<void> {
  await sql.run(SQL`
    UPDATE import_record SET status = 'UNDONE', undone_at = now(), undone_by = ${by}
     WHERE import_record.company_id = ${companyId} AND import_record.id = ${id}`);
}
