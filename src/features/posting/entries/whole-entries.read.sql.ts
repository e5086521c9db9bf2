import type { CompanyId } from '../../../accounting/ids.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import { offsetOf, type PageRequest } from '../../../platform/page-request.ts';
import { bookOrder } from './book-order.sql.ts';
import { ENTRY_COLUMNS, type EntryRow } from './entries.read.sql.ts';

/** A logical entry with all its lines, and what it mirrors or is mirrored by. */
export interface WholeEntry {
  readonly number: string;
  readonly lines: readonly EntryRow[];
  readonly reversedBy: EntryKey | null;
  readonly reverses: EntryKey | null;
}

export interface EntryKey {
  readonly documentId: number;
  readonly number: string;
}

interface WholeEntryRow extends EntryRow {
  readonly reversedByDocument: number | null;
  readonly reversedByNumber: string | null;
  readonly reversesDocument: number | null;
  readonly reversesNumber: string | null;
}

/**
 * A page of the entries of a document, which has so many. Their places are counted along the index alone, from the end
 * that is nearer, as far as the page.
 */
export async function selectWholeEntryPage(
  sql: Sql,
  companyId: CompanyId,
  documentId: number,
  slice: PageRequest,
  entries: number,
): Promise<WholeEntry[]> {
  const before = offsetOf(slice);
  const count = Math.min(slice.size, entries - before);
  if (count <= 0) return [];
  const after = entries - before - count;
  const order = SQL`natural_sort_key(placed.entry_number) ${SQL.direction(after < before ? 'DESC' : 'ASC')}`;
  const passed = Math.min(before, after);
  return selectWhole(
    sql,
    companyId,
    SQL`entry_line.id = ANY (ARRAY(
             SELECT ranked.id
               FROM (SELECT placed.id, dense_rank() OVER (ORDER BY ${order}) AS place
                       FROM entry_line AS placed
                      WHERE placed.company_id = ${companyId} AND placed.document_id = ${documentId}) AS ranked
              WHERE ranked.place <= ${passed + count} AND ranked.place > ${passed}))`,
  );
}

export async function selectWholeEntry(
  sql: Sql,
  companyId: CompanyId,
  { documentId, number }: EntryKey,
): Promise<WholeEntry | undefined> {
  const found = await selectWhole(
    sql,
    companyId,
    SQL`entry_line.document_id = ${documentId}
       AND natural_sort_key(entry_line.entry_number) = natural_sort_key(${number})`,
  );
  return found[0];
}

async function selectWhole(sql: Sql, companyId: CompanyId, isWanted: Fragment): Promise<WholeEntry[]> {
  const rows = await sql.rows<WholeEntryRow>(SQL`
    SELECT ${ENTRY_COLUMNS}, mirror.reversal_document_id AS "reversedByDocument",
           mirror.reversal_entry_number AS "reversedByNumber", mirrored.document_id AS "reversesDocument",
           mirrored.entry_number AS "reversesNumber"
      FROM entry_line
      LEFT JOIN entry_reversal AS mirror ON mirror.company_id = entry_line.company_id
       AND mirror.document_id = entry_line.document_id AND mirror.entry_number = entry_line.entry_number
      LEFT JOIN entry_reversal AS mirrored ON mirrored.company_id = entry_line.company_id
       AND mirrored.reversal_document_id = entry_line.document_id
       AND mirrored.reversal_entry_number = entry_line.entry_number
     WHERE entry_line.company_id = ${companyId} AND ${isWanted}
     ORDER BY ${bookOrder({ entry: 'entry_line.entry_number', sequence: 'entry_line.sequence' })}`);
  return [...Map.groupBy(rows, (row) => row.number)].map(([number, lines]) => {
    const { reversedByDocument, reversedByNumber, reversesDocument, reversesNumber } = lines[0]!;
    return {
      number,
      lines,
      reversedBy: keyOf(reversedByDocument, reversedByNumber),
      reverses: keyOf(reversesDocument, reversesNumber),
    };
  });
}

function keyOf(documentId: number | null, number: string | null): EntryKey | null {
  return documentId === null || number === null ? null : { documentId, number };
}
