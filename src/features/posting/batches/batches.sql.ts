import { firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { BATCH_COLUMNS, type BatchRow, DOCUMENT_COLUMNS, type DocumentRow } from './batches.read.sql.ts';

export interface NewBatch {
  readonly companyId: number;
  readonly branchId: number;
  readonly month: Month;
  /** Absent: the number after the branch's highest of the month. */
  readonly number: string | undefined;
  readonly description: string | undefined;
  /** Name of the user who makes it. */
  readonly by: string;
}

/** Held while the next number of a batch is found, so that two do not choose the same. */
export async function lockBatchNumbers(sql: Sql, { companyId, branchId }: NewBatch): Promise<void> {
  await sql.rows({
    text: 'SELECT branch.id FROM branch WHERE branch.company_id = $1 AND branch.id = $2 FOR NO KEY UPDATE',
    values: [companyId, branchId],
  });
}

export function insertBatch(sql: Sql, batch: NewBatch): Promise<BatchRow> {
  return sql.one<BatchRow>({
    text: `WITH created AS (
             INSERT INTO batch (company_id, branch_id, month, number, description, created_by)
             VALUES ($1, $2, $3, coalesce($4, (
                      SELECT (coalesce(max(other.number::numeric), 0) + 1)::text FROM batch AS other
                       WHERE other.company_id = $1 AND other.branch_id = $2 AND other.month = $3
                         AND other.number ~ '^[0-9]{1,10}$')), $5, $6)
             RETURNING batch.*
           )
           SELECT ${BATCH_COLUMNS} FROM created AS batch
             JOIN company ON company.id = batch.company_id
             JOIN branch ON branch.company_id = batch.company_id AND branch.id = batch.branch_id`,
    values: [
      batch.companyId,
      batch.branchId,
      firstDay(batch.month),
      batch.number ?? null,
      batch.description ?? null,
      batch.by,
    ],
  });
}

export interface NewDocument {
  readonly companyId: number;
  readonly batchId: number;
  /** Absent: the number after the batch's highest. */
  readonly number: string | undefined;
  readonly referenceDay: number | undefined;
  readonly text: string | undefined;
  readonly standardNarration: string | undefined;
  /** Name of the user who makes it. */
  readonly by: string;
}

/** Holds the batch of a new document against deletion, alone while its next number is found; false: it is gone. */
export async function lockBatch(sql: Sql, { companyId, batchId, number }: NewDocument): Promise<boolean> {
  const held = await sql.run({
    text: `SELECT batch.id FROM batch WHERE batch.company_id = $1 AND batch.id = $2
              FOR ${number === undefined ? 'NO KEY UPDATE' : 'KEY SHARE'}`,
    values: [companyId, batchId],
  });
  return held === 1;
}

/** The month's batch of that number, made when it is not there, and held alone: numbers in it are found one by one. */
export async function lockNamedBatch(sql: Sql, batch: NewBatch & { readonly number: string }): Promise<number> {
  const row = await sql.one<{ id: number }>({
    text: `INSERT INTO batch (company_id, branch_id, month, number, created_by) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (company_id, branch_id, month, number) DO UPDATE SET updated_at = batch.updated_at
           RETURNING batch.id`,
    values: [batch.companyId, batch.branchId, firstDay(batch.month), batch.number, batch.by],
  });
  return row.id;
}

/** Branch and month come from the batch. */
export function insertDocument(sql: Sql, document: NewDocument): Promise<DocumentRow> {
  return sql.one<DocumentRow>({
    text: `INSERT INTO document (company_id, branch_id, month, batch_id, number, reference_day, text, standard_narration,
                                 created_by)
           SELECT batch.company_id, batch.branch_id, batch.month, batch.id, coalesce($3, (
                    SELECT (coalesce(max(other.number::numeric), 0) + 1)::text FROM document AS other
                     WHERE other.company_id = $1 AND other.batch_id = $2 AND other.number ~ '^[0-9]{1,20}$')), $4, $5, $6, $7
             FROM batch
            WHERE batch.company_id = $1 AND batch.id = $2
           RETURNING ${DOCUMENT_COLUMNS}`,
    values: [
      document.companyId,
      document.batchId,
      document.number ?? null,
      document.referenceDay ?? null,
      document.text ?? null,
      document.standardNarration ?? null,
      document.by,
    ],
  });
}

/** The months of records that are about to change, in key order: they are locked in this order. */
export function selectMonthsOf(
  sql: Sql,
  table: 'batch' | 'document' | 'entry_line',
  ids: readonly number[],
): Promise<{ companyId: number; branchId: number; month: Month }[]> {
  return sql.rows({
    text: `SELECT DISTINCT ${table}.company_id AS "companyId", ${table}.branch_id AS "branchId",
                  to_char(${table}.month, 'YYYY-MM') AS month
             FROM ${table}
            WHERE ${table}.company_id = ANY (ARRAY(SELECT company.id FROM company)) AND ${table}.id = ANY ($1::bigint[])
            ORDER BY 1, 2, 3`,
    values: [[...ids]],
  });
}

/** Those of the records that are there. */
export function selectPresent(
  sql: Sql,
  table: 'batch' | 'document',
  ids: readonly number[],
): Promise<{ id: number }[]> {
  return sql.rows({
    text: `SELECT ${table}.id FROM ${table}
            WHERE ${table}.company_id = ANY (ARRAY(SELECT company.id FROM company)) AND ${table}.id = ANY ($1::bigint[])`,
    values: [[...ids]],
  });
}

/** Writers hold their document FOR KEY SHARE: this waits for them, and they find the document gone afterwards. */
export async function lockDocuments(sql: Sql, where: 'batch' | 'document', ids: readonly number[]): Promise<number[]> {
  if (where === 'batch') {
    await sql.rows({
      text: `SELECT batch.id FROM batch
              WHERE batch.company_id = ANY (ARRAY(SELECT company.id FROM company)) AND batch.id = ANY ($1::bigint[])
              ORDER BY batch.company_id, batch.id FOR UPDATE`,
      values: [[...ids]],
    });
  }
  const column = where === 'batch' ? 'batch_id' : 'id';
  const rows = await sql.rows<{ id: number }>({
    text: `SELECT document.id FROM document
            WHERE document.company_id = ANY (ARRAY(SELECT company.id FROM company))
              AND document.${column} = ANY ($1::bigint[])
            ORDER BY document.company_id, document.id FOR UPDATE`,
    values: [[...ids]],
  });
  return rows.map((row) => row.id);
}

/** A closed day on which the documents have lines, if any. */
export function selectClosedDay(sql: Sql, documentIds: readonly number[]): Promise<{ day: string } | undefined> {
  return sql.maybe({
    text: `SELECT calendar_day.day
             FROM calendar_day
            WHERE calendar_day.closed
              AND EXISTS (SELECT 1 FROM document
                            JOIN entry_line ON entry_line.company_id = document.company_id
                             AND entry_line.document_id = document.id
                           WHERE document.company_id = calendar_day.company_id
                             AND document.branch_id = calendar_day.branch_id
                             AND document.id = ANY ($1::bigint[]) AND entry_line.day = calendar_day.day)
              AND (calendar_day.company_id, calendar_day.branch_id) IN (
                    SELECT document.company_id, document.branch_id FROM document
                     WHERE document.company_id = ANY (ARRAY(SELECT company.id FROM company))
                       AND document.id = ANY ($1::bigint[]))
              AND date_trunc('month', calendar_day.day) IN (
                    SELECT document.month FROM document
                     WHERE document.company_id = ANY (ARRAY(SELECT company.id FROM company))
                       AND document.id = ANY ($1::bigint[]))
            LIMIT 1`,
    values: [[...documentIds]],
  });
}

/** Removes documents with their lines. */
export async function deleteDocuments(sql: Sql, documentIds: readonly number[]): Promise<void> {
  const values = [[...documentIds]];
  await sql.run({
    text: `DELETE FROM entry_line
            WHERE entry_line.company_id = ANY (ARRAY(SELECT company.id FROM company))
              AND entry_line.document_id = ANY ($1::bigint[])`,
    values,
  });
  await sql.run({
    text: `DELETE FROM entry_reversal
            WHERE entry_reversal.company_id = ANY (ARRAY(SELECT company.id FROM company))
              AND (entry_reversal.document_id = ANY ($1::bigint[])
                   OR entry_reversal.reversal_document_id = ANY ($1::bigint[]))`,
    values,
  });
  await sql.run({
    text: `DELETE FROM document
            WHERE document.company_id = ANY (ARRAY(SELECT company.id FROM company)) AND document.id = ANY ($1::bigint[])`,
    values,
  });
}

export async function deleteBatchRows(sql: Sql, batchIds: readonly number[]): Promise<void> {
  await sql.run({
    text: `DELETE FROM batch
            WHERE batch.company_id = ANY (ARRAY(SELECT company.id FROM company)) AND batch.id = ANY ($1::bigint[])`,
    values: [[...batchIds]],
  });
}
