import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import { type Day, firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';
import type { DocumentPlace } from '../../operations/events/event-data.ts';
import { BATCH_COLUMNS, type BatchRow, DOCUMENT_COLUMNS, type DocumentRow } from './batches.read.sql.ts';

export interface NewBatch {
  readonly companyId: CompanyId;
  readonly branchId: BranchId;
  readonly month: Month;
  readonly number: string;
  readonly description: string | undefined;
  /** Name of the user who makes it. */
  readonly by: string;
}

/** The number after the branch's highest of the month. Two transactions that look for it wait for each other. */
export async function lockNextBatchNumber(
  sql: Sql,
  { companyId, branchId, month }: Pick<NewBatch, 'companyId' | 'branchId' | 'month'>,
): Promise<string> {
  await sql.rows(SQL`
    SELECT branch.id FROM branch WHERE branch.company_id = ${companyId}
    AND branch.id = ${branchId} FOR NO KEY UPDATE`);
  const { next } = await sql.one<{ next: string }>(SQL`
    SELECT (coalesce(max(batch.number::numeric), 0) + 1)::text AS next FROM batch
     WHERE batch.company_id = ${companyId} AND batch.branch_id = ${branchId} AND batch.month = ${firstDay(month)}
       AND batch.number ~ '^[0-9]{1,10}$'`);
  return next;
}

export function insertBatch(sql: Sql, batch: NewBatch): Promise<BatchRow> {
  return sql.one<BatchRow>(SQL`
    WITH created AS (
      INSERT INTO batch (company_id, branch_id, month, number, description, created_by)
      VALUES (${batch.companyId}, ${batch.branchId}, ${firstDay(batch.month)}, ${batch.number},
              ${batch.description ?? null}, ${batch.by})
      RETURNING batch.*
    )
    SELECT ${BATCH_COLUMNS} FROM created AS batch
      JOIN company ON company.id = batch.company_id
      JOIN branch ON branch.company_id = batch.company_id AND branch.id = batch.branch_id`);
}

export interface NewDocument {
  readonly companyId: CompanyId;
  readonly batchId: number;
  readonly number: string;
  readonly referenceDay: number | undefined;
  readonly text: string | undefined;
  readonly standardNarration: string | undefined;
  /** Name of the user who makes it. */
  readonly by: string;
}

/** Locks the batch of a new document against deletion, alone while its next number is found; false: it was deleted. */
export async function lockBatch(
  sql: Sql,
  { companyId, batchId }: Pick<NewDocument, 'companyId' | 'batchId'>,
  how: 'KEY SHARE' | 'NO KEY UPDATE',
): Promise<boolean> {
  const held = await sql.run(SQL`
    SELECT batch.id FROM batch WHERE batch.company_id = ${companyId} AND batch.id = ${batchId}
       FOR ${how === 'KEY SHARE' ? SQL`KEY SHARE` : SQL`NO KEY UPDATE`}`);
  return held === 1;
}

/** The number after the highest of the batch, which the caller has locked. */
export async function selectNextDocumentNumber(
  sql: Sql,
  { companyId, batchId }: Pick<NewDocument, 'companyId' | 'batchId'>,
): Promise<string> {
  const { next } = await sql.one<{ next: string }>(SQL`
    SELECT (coalesce(max(document.number::numeric), 0) + 1)::text AS next FROM document
     WHERE document.company_id = ${companyId} AND document.batch_id = ${batchId}
       AND document.number ~ '^[0-9]{1,20}$'`);
  return next;
}

/**
 * The month's batch of that number, created when absent and locked FOR UPDATE: numbers in it are assigned one by one.
 */
export async function lockNamedBatch(sql: Sql, batch: NewBatch): Promise<number> {
  const row = await sql.one<{ id: number }>(SQL`
    INSERT INTO batch (company_id, branch_id, month, number, created_by)
    VALUES (${batch.companyId}, ${batch.branchId}, ${firstDay(batch.month)}, ${batch.number}, ${batch.by})
    ON CONFLICT (company_id, branch_id, month, number) DO UPDATE SET updated_at = batch.updated_at
    RETURNING batch.id`);
  return row.id;
}

/** Branch and month come from the batch. */
export function insertDocument(sql: Sql, document: NewDocument): Promise<DocumentRow> {
  return sql.one<DocumentRow>(SQL`
    INSERT INTO document (company_id, branch_id, month, batch_id, number, reference_day, text, standard_narration,
                          created_by)
    SELECT batch.company_id, batch.branch_id, batch.month, batch.id, ${document.number},
           ${document.referenceDay ?? null}, ${document.text ?? null}, ${document.standardNarration ?? null}, ${document.by}
      FROM batch
     WHERE batch.company_id = ${document.companyId} AND batch.id = ${document.batchId}
    RETURNING ${DOCUMENT_COLUMNS}`);
}

/** The months of records that are about to change, in key order: they are locked in this order. */
export function selectMonthsOf(
  sql: Sql,
  table: 'batch' | 'document' | 'entry_line',
  ids: readonly number[],
): Promise<{ companyId: CompanyId; branchId: BranchId; month: Month }[]> {
  return sql.rows(SQL`
    SELECT DISTINCT ${SQL.identifier(table)}.company_id AS "companyId",
           ${SQL.identifier(table)}.branch_id AS "branchId",
           to_char(${SQL.identifier(table)}.month, 'YYYY-MM') AS month
      FROM ${SQL.identifier(table)}
     WHERE ${SQL.identifier(table)}.company_id = ANY (ARRAY(SELECT company.id FROM company))
       AND ${SQL.identifier(table)}.id = ANY (${ids}::bigint[])
     ORDER BY 1, 2, 3`);
}

/** The existing ones among the records. */
export function selectPresent(
  sql: Sql,
  table: 'batch' | 'document',
  ids: readonly number[],
): Promise<{ id: number }[]> {
  return sql.rows(SQL`
    SELECT present.id FROM ${SQL.identifier(table)} AS present
     WHERE present.company_id = ANY (ARRAY(SELECT company.id FROM company)) AND present.id = ANY (${ids}::bigint[])`);
}

/** Writers lock their document FOR KEY SHARE: this waits for them, and they find it deleted afterwards. Ids of other companies are left out. */
export async function lockDocuments(
  sql: Sql,
  companyId: CompanyId,
  where: 'batch' | 'document',
  ids: readonly number[],
): Promise<number[]> {
  if (where === 'batch') {
    await sql.rows(SQL`
      SELECT batch.id FROM batch
       WHERE batch.company_id = ${companyId} AND batch.id = ANY (${ids}::bigint[])
       ORDER BY batch.id FOR UPDATE`);
  }
  const column = where === 'batch' ? 'batch_id' : 'id';
  const rows = await sql.rows<{ id: number }>(SQL`
    SELECT document.id FROM document
     WHERE document.company_id = ${companyId} AND document.${SQL.identifier(column)} = ANY (${ids}::bigint[])
     ORDER BY document.id FOR UPDATE`);
  return rows.map((row) => row.id);
}

/** The places of the documents with their branches, in the order of their ids. */
export function selectPlacesOfDocuments(
  sql: Sql,
  documentIds: readonly number[],
): Promise<(BranchKey & DocumentPlace)[]> {
  return sql.rows<BranchKey & DocumentPlace>(SQL`
    SELECT document.company_id AS "companyId", document.branch_id AS "branchId",
           to_char(document.month, 'YYYY-MM') AS month, batch.id AS "batchId", batch.number AS batch,
           document.id AS "documentId", document.number AS document
      FROM document
      JOIN batch ON batch.company_id = document.company_id AND batch.id = document.batch_id
     WHERE document.company_id = ANY (ARRAY(SELECT company.id FROM company))
       AND document.id = ANY (${documentIds}::bigint[])
     ORDER BY document.id`);
}

/** A closed day on which the documents of the company have lines, if any. */
export function selectClosedDay(
  sql: Sql,
  companyId: CompanyId,
  documentIds: readonly number[],
): Promise<{ day: Day } | undefined> {
  return sql.maybe(SQL`
    SELECT calendar_day.day
      FROM calendar_day
     WHERE calendar_day.company_id = ${companyId} AND calendar_day.closed
       AND EXISTS (SELECT 1 FROM document
                     JOIN entry_line ON entry_line.company_id = document.company_id
                      AND entry_line.document_id = document.id
                    WHERE document.company_id = ${companyId} AND document.branch_id = calendar_day.branch_id
                      AND document.id = ANY (${documentIds}::bigint[]) AND entry_line.day = calendar_day.day)
       AND calendar_day.branch_id IN (
             SELECT document.branch_id FROM document
              WHERE document.company_id = ${companyId} AND document.id = ANY (${documentIds}::bigint[]))
       AND date_trunc('month', calendar_day.day) IN (
             SELECT document.month FROM document
              WHERE document.company_id = ${companyId} AND document.id = ANY (${documentIds}::bigint[]))
     LIMIT 1`);
}

/** Removes documents with their lines. */
export async function deleteDocuments(sql: Sql, companyId: CompanyId, documentIds: readonly number[]): Promise<void> {
  await sql.run(SQL`
    DELETE FROM entry_line
     WHERE entry_line.company_id = ${companyId} AND entry_line.document_id = ANY (${documentIds}::bigint[])`);
  await sql.run(SQL`
    DELETE FROM entry_reversal
     WHERE entry_reversal.company_id = ${companyId}
       AND (entry_reversal.document_id = ANY (${documentIds}::bigint[])
            OR entry_reversal.reversal_document_id = ANY (${documentIds}::bigint[]))`);
  await sql.run(SQL`
    DELETE FROM document
     WHERE document.company_id = ${companyId} AND document.id = ANY (${documentIds}::bigint[])`);
}

/** Ids of other companies are left out. */
export async function deleteBatchRows(sql: Sql, companyId: CompanyId, batchIds: readonly number[]): Promise<void> {
  await sql.run(SQL`
    DELETE FROM batch WHERE batch.company_id = ${companyId} AND batch.id = ANY (${batchIds}::bigint[])`);
}
