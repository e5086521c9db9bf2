import type { AccountId, CompanyId } from '../../../accounting/ids.ts';
import { type Centavos, decimalOf } from '../../../accounting/money.ts';
import type { Day } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import { ENTRY_COLUMNS, type EntryRow } from './entries.read.sql.ts';

/** The lines of one logical entry, with row locks. */
export function lockEntryLines(
  sql: Sql,
  companyId: CompanyId,
  documentId: number,
  number: string,
): Promise<EntryRow[]> {
  return sql.rows<EntryRow>(SQL`
    SELECT ${ENTRY_COLUMNS} FROM entry_line
     WHERE entry_line.company_id = ${companyId} AND entry_line.document_id = ${documentId}
       AND natural_sort_key(entry_line.entry_number) = natural_sort_key(${number})
     ORDER BY entry_line.sequence FOR UPDATE`);
}

/** The lines of a document's entries that nothing has reversed yet, with row locks. */
export function lockUnreversedLines(sql: Sql, companyId: CompanyId, documentId: number): Promise<EntryRow[]> {
  return sql.rows<EntryRow>(SQL`
    SELECT ${ENTRY_COLUMNS} FROM entry_line
     WHERE entry_line.company_id = ${companyId} AND entry_line.document_id = ${documentId}
       AND NOT EXISTS (SELECT 1 FROM entry_reversal
                        WHERE entry_reversal.company_id = entry_line.company_id
                          AND entry_reversal.document_id = entry_line.document_id
                          AND entry_reversal.entry_number = entry_line.entry_number)
     ORDER BY natural_sort_key(entry_line.entry_number), entry_line.sequence FOR UPDATE OF entry_line`);
}

export interface ChangedLine {
  readonly id: number;
  readonly accountId: AccountId;
  readonly offsetAccountId: AccountId | null;
  readonly side: 'D' | 'C';
  readonly amount: Centavos;
}

/** Replaces what may change of an entry's lines in one statement, so that they balance before and after. */
export function updateEntryLines(
  sql: Sql,
  companyId: CompanyId,
  entry: { day: Day; narration: string | null; narrationCode: string | null; factDay: Day | null; by: string },
  lines: readonly ChangedLine[],
): Promise<EntryRow[]> {
  return sql.rows<EntryRow>(SQL`
    WITH changed AS (
      UPDATE entry_line
         SET day = ${entry.day}, narration = ${entry.narration}, narration_code = ${entry.narrationCode},
             fact_day = ${entry.factDay},
             printed_narration = CASE WHEN entry_line.narration IS NOT DISTINCT FROM ${entry.narration}
                               AND entry_line.narration_code IS NOT DISTINCT FROM ${entry.narrationCode}
                               AND entry_line.fact_day IS NOT DISTINCT FROM ${entry.factDay}::date
                              THEN entry_line.printed_narration
                              ELSE compose_printed_narration(
                                     (SELECT standard.description
                                        FROM standard_narrations(${companyId}, entry_line.branch_id,
                                          ARRAY[${entry.narrationCode}]) AS standard),
                                     ${entry.narration}, ${entry.factDay}::date)
                         END,
             account_id = given.account_id,
             offset_account_id = given.offset_account_id, side = given.side::"char", amount = given.amount,
             updated_at = now(), updated_by = ${entry.by}
        FROM unnest(${lines.map((line) => line.id)}::bigint[], ${lines.map((line) => line.accountId)}::bigint[],
          ${lines.map((line) => line.offsetAccountId)}::bigint[], ${lines.map((line) => line.side)}::text[],
          ${lines.map((line) => decimalOf(line.amount))}::numeric[])
             AS given (id, account_id, offset_account_id, side, amount)
       WHERE entry_line.company_id = ${companyId} AND entry_line.id = given.id
      RETURNING entry_line.*
    )
    SELECT ${ENTRY_COLUMNS} FROM changed AS entry_line ORDER BY entry_line.sequence`);
}

export interface Reversal {
  readonly documentId: number;
  readonly number: string;
  readonly reversalDocumentId: number;
  readonly reversalNumber: string;
  readonly day: Day;
  readonly reversalDay: Day;
  readonly reason: string;
}

/** False when the entry has been reversed already. */
export async function insertReversal(sql: Sql, companyId: CompanyId, reversal: Reversal): Promise<boolean> {
  const inserted = await sql.run(SQL`
    INSERT INTO entry_reversal (company_id, document_id, entry_number, batch_number, document_number, day,
                                reversal_document_id, reversal_entry_number, reversal_batch_number,
                                reversal_document_number, reversal_day, reason)
    SELECT ${companyId}, document.id, ${reversal.number}, batch.number, document.number, ${reversal.day},
           mirror.id, ${reversal.reversalNumber}, mirror_batch.number, mirror.number, ${reversal.reversalDay},
           ${reversal.reason}
      FROM document
      JOIN batch ON batch.company_id = document.company_id AND batch.id = document.batch_id
      JOIN document AS mirror ON mirror.company_id = document.company_id AND mirror.id = ${reversal.reversalDocumentId}
      JOIN batch AS mirror_batch ON mirror_batch.company_id = mirror.company_id AND mirror_batch.id = mirror.batch_id
     WHERE document.company_id = ${companyId} AND document.id = ${reversal.documentId}
    ON CONFLICT DO NOTHING`);
  return inserted === 1;
}
