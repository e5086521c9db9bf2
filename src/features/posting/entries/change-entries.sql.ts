import type { AccountId, CompanyId } from '../../../accounting/ids.ts';
import { type Centavos, decimalOf } from '../../../accounting/money.ts';
import { type Day, firstDay, monthOfDay } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';
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
                        WHERE entry_reversal.company_id = ${companyId}
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
export async function updateEntryLines(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  entry: { day: Day; narration: string | null; narrationCode: string | null; factDay: Day | null; by: string },
  lines: readonly ChangedLine[],
): Promise<EntryRow[]> {
  const { printed } = await sql.one<{ printed: string | null }>(SQL`
    SELECT compose_printed_narration(
             (SELECT standard.description
                FROM standard_narrations(${companyId}, ${branchId}, ARRAY[${entry.narrationCode}]) AS standard),
             ${entry.narration}, ${entry.factDay}::date) AS printed`);
  return sql.rows<EntryRow>(SQL`
    WITH changed AS (
      UPDATE entry_line
         SET day = ${entry.day}, narration = ${entry.narration}, narration_code = ${entry.narrationCode},
             fact_day = ${entry.factDay},
             printed_narration = CASE WHEN entry_line.narration IS NOT DISTINCT FROM ${entry.narration}
                               AND entry_line.narration_code IS NOT DISTINCT FROM ${entry.narrationCode}
                               AND entry_line.fact_day IS NOT DISTINCT FROM ${entry.factDay}::date
                              THEN entry_line.printed_narration
                              ELSE ${printed}
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

/** An entry as it is to be. */
export interface ReplacedEntry {
  readonly day: Day;
  readonly narrationCode: string | null;
  readonly factDay: Day | null;
  readonly by: string;
  readonly lines: readonly (Omit<ChangedLine, 'id'> & { readonly narration: string | null })[];
}

/**
 * Puts other lines, more or fewer, in the place of an entry's: first all go, then all come, so that each statement
 * balances. Lines keep id, author and origin in their order; further ones have those of the first but an id of their own.
 */
export async function replaceEntryLines(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  before: readonly EntryRow[],
  { day, narrationCode, factDay, by, lines }: ReplacedEntry,
): Promise<EntryRow[]> {
  const first = before[0]!;
  const ids = before.map(({ id }) => id);
  const unseen = await sql.rows<{ id: number; sourceId: number | null; printed: string | null }>(SQL`
    SELECT entry_line.id, entry_line.source_id AS "sourceId", entry_line.printed_narration AS printed FROM entry_line
     WHERE entry_line.company_id = ${companyId} AND entry_line.id = ANY (${ids}::bigint[])`);
  const unseenOf = new Map(unseen.map((each) => [each.id, each]));
  await sql.run(SQL`
    DELETE FROM entry_line WHERE entry_line.company_id = ${companyId} AND entry_line.id = ANY (${ids}::bigint[])`);
  // What is printed for a text was resolved when it was posted and stays while the text does.
  const keepsPrinted = lines.map(({ narration }, at) => {
    const old = before[at];
    return old?.narration === narration && old.narrationCode === narrationCode && old.factDay === factDay;
  });
  return sql.rows<EntryRow>(SQL`
    WITH added AS (
      INSERT INTO entry_line (company_id, id, branch_id, document_id, month, day, entry_number, sequence, account_id,
                              offset_account_id, side, amount, narration, narration_code, fact_day, printed_narration,
                              created_at, created_by, updated_at, updated_by, source_id, import_id)
      SELECT ${companyId}, coalesce(line.id, nextval('entry_line_id_seq')), ${branchId}, ${first.documentId},
             ${firstDay(monthOfDay(first.day))}, ${day}, ${first.number}, line.sequence, line.account_id,
             line.offset_account_id, line.side::"char", line.amount, line.narration, ${narrationCode}, ${factDay}::date,
             CASE WHEN line.keeps_printed THEN line.printed
                  ELSE compose_printed_narration(standard.description, line.narration, ${factDay}::date) END,
             ${first.createdAt}, ${first.createdBy}, now(), ${by}, ${unseenOf.get(first.id)?.sourceId ?? null},
             ${first.importId}
        FROM unnest(${lines.map((_, at) => before[at]?.id ?? null)}::bigint[],
                    ${lines.map((line) => line.accountId)}::bigint[],
                    ${lines.map((line) => line.offsetAccountId)}::bigint[], ${lines.map((line) => line.side)}::text[],
                    ${lines.map((line) => decimalOf(line.amount))}::numeric[],
                    ${lines.map((line) => line.narration)}::text[], ${keepsPrinted}::boolean[],
                    ${lines.map((_, at) => unseenOf.get(before[at]?.id ?? 0)?.printed ?? null)}::text[])
               WITH ORDINALITY AS line (id, account_id, offset_account_id, side, amount, narration, keeps_printed,
                                        printed, sequence)
        LEFT JOIN standard_narrations(${companyId}, ${branchId}, ARRAY[${narrationCode}]::text[]) AS standard ON true
      RETURNING entry_line.*
    )
    SELECT ${ENTRY_COLUMNS} FROM added AS entry_line ORDER BY entry_line.sequence`);
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
  const inserted = await sql.maybe(SQL`
    INSERT INTO entry_reversal (company_id, document_id, entry_number, batch_number, document_number, day,
                                reversal_document_id, reversal_entry_number, reversal_batch_number,
                                reversal_document_number, reversal_day, reason)
    SELECT document.company_id, document.id, ${reversal.number}, batch.number, document.number, ${reversal.day},
           mirror.id, ${reversal.reversalNumber}, mirror_batch.number, mirror.number, ${reversal.reversalDay},
           ${reversal.reason}
      FROM document
      JOIN batch ON batch.company_id = document.company_id AND batch.id = document.batch_id
      JOIN document AS mirror ON mirror.company_id = document.company_id AND mirror.id = ${reversal.reversalDocumentId}
      JOIN batch AS mirror_batch ON mirror_batch.company_id = mirror.company_id AND mirror_batch.id = mirror.batch_id
     WHERE document.company_id = ${companyId} AND document.id = ${reversal.documentId}
    ON CONFLICT DO NOTHING
    RETURNING 1`);
  return inserted !== undefined;
}
