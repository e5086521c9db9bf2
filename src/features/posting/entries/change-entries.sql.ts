import { type Centavos, decimalOf } from '../../../accounting/money.ts';
import type { Day } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { ENTRY_COLUMNS, type EntryRow } from './entries.read.sql.ts';

/** The lines of one logical entry, held against other changes. */
export function lockEntryLines(sql: Sql, companyId: number, documentId: number, number: string): Promise<EntryRow[]> {
  return sql.rows<EntryRow>({
    text: `SELECT ${ENTRY_COLUMNS} FROM entry_line
            WHERE entry_line.company_id = $1 AND entry_line.document_id = $2
              AND natural_sort_key(entry_line.entry_number) = natural_sort_key($3)
            ORDER BY entry_line.sequence FOR UPDATE`,
    values: [companyId, documentId, number],
  });
}

export interface ChangedLine {
  readonly id: number;
  readonly accountId: number;
  readonly offsetAccountId: number | null;
  readonly side: 'D' | 'C';
  readonly amount: Centavos;
}

/** Replaces what may change of an entry's lines in one statement, so that they balance before and after. */
export function updateEntryLines(
  sql: Sql,
  companyId: number,
  entry: { day: Day; narration: string | null; narrationCode: string | null; by: string },
  lines: readonly ChangedLine[],
): Promise<EntryRow[]> {
  return sql.rows<EntryRow>({
    text: `WITH changed AS (
             UPDATE entry_line
                SET day = $2, narration = $3, narration_code = $4,
                    printed_narration = CASE WHEN entry_line.narration IS NOT DISTINCT FROM $3
                                      AND entry_line.narration_code IS NOT DISTINCT FROM $4 THEN entry_line.printed_narration
                                     ELSE (SELECT compose_narration(standard.description, $3)
                                             FROM standard_narrations($1, entry_line.branch_id, ARRAY[$4]) AS standard)
                                END,
                    account_id = given.account_id,
                    offset_account_id = given.offset_account_id, side = given.side::"char", amount = given.amount,
                    updated_at = now(), updated_by = $10
               FROM unnest($5::bigint[], $6::bigint[], $7::bigint[], $8::text[], $9::numeric[])
                    AS given (id, account_id, offset_account_id, side, amount)
              WHERE entry_line.company_id = $1 AND entry_line.id = given.id
             RETURNING entry_line.*
           )
           SELECT ${ENTRY_COLUMNS} FROM changed AS entry_line ORDER BY entry_line.sequence`,
    values: [
      companyId,
      entry.day,
      entry.narration,
      entry.narrationCode,
      lines.map((line) => line.id),
      lines.map((line) => line.accountId),
      lines.map((line) => line.offsetAccountId),
      lines.map((line) => line.side),
      lines.map((line) => decimalOf(line.amount)),
      entry.by,
    ],
  });
}

export interface Reversal {
  readonly documentId: number;
  readonly number: string;
  readonly reversalDocumentId: number;
  readonly reversalNumber: string;
}

/** False when the entry has been reversed already. */
export async function insertReversal(sql: Sql, companyId: number, reversal: Reversal): Promise<boolean> {
  const inserted = await sql.run({
    text: `INSERT INTO entry_reversal (company_id, document_id, entry_number, reversal_document_id, reversal_entry_number)
           VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`,
    values: [companyId, reversal.documentId, reversal.number, reversal.reversalDocumentId, reversal.reversalNumber],
  });
  return inserted === 1;
}
