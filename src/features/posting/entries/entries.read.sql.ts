import type { AccountId, CompanyId } from '../../../accounting/ids.ts';
import type { Day } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import { offsetOf, type PageRequest } from '../../../platform/page-request.ts';
import type { DocumentPlace } from '../../operations/events/event-data.ts';
import type { Storage } from '../batches/batches.read.sql.ts';
import { bookOrder, reverseBookOrder } from './book-order.sql.ts';

export interface EntryRow {
  readonly id: number;
  readonly documentId: number;
  readonly number: string;
  readonly sequence: number;
  readonly side: 'D' | 'C';
  readonly day: Day;
  readonly accountId: AccountId;
  readonly offsetAccountId: AccountId | null;
  /** NUMERIC text. */
  readonly amount: string;
  readonly narration: string | null;
  readonly narrationCode: string | null;
  readonly closing: boolean;
  /** Day of the fact where it was not posted on its day. */
  readonly factDay: Day | null;
  /** The import that wrote it. */
  readonly importId: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly createdBy: string | null;
  readonly updatedBy: string | null;
}

export const ENTRY_COLUMNS = SQL`entry_line.id, entry_line.document_id AS "documentId", entry_line.entry_number AS number,
  entry_line.sequence, entry_line.side, entry_line.day, entry_line.account_id AS "accountId",
  entry_line.offset_account_id AS "offsetAccountId", entry_line.amount, entry_line.narration,
  entry_line.narration_code AS "narrationCode", entry_line.closing, entry_line.fact_day AS "factDay",
  entry_line.import_id AS "importId", entry_line.created_at AS "createdAt",
  coalesce(entry_line.updated_at, entry_line.created_at) AS "updatedAt", entry_line.created_by AS "createdBy",
  coalesce(entry_line.updated_by, entry_line.created_by) AS "updatedBy"`;

/** Lines of one document in the order of the books. */
const LINE_ORDER = bookOrder({ entry: 'entry_line.entry_number', sequence: 'entry_line.sequence' });

export function selectEntry(sql: Sql, companyId: CompanyId, id: number): Promise<EntryRow | undefined> {
  return sql.maybe<EntryRow>(
    SQL`SELECT ${ENTRY_COLUMNS} FROM entry_line WHERE entry_line.company_id = ${companyId} AND entry_line.id = ${id}`,
  );
}

/** Physical lines of a document in (entry number, line) order. */
export function selectLines(sql: Sql, companyId: CompanyId, documentId: number): Promise<EntryRow[]> {
  return sql.rows<EntryRow>(SQL`
    SELECT ${ENTRY_COLUMNS} FROM entry_line
     WHERE entry_line.company_id = ${companyId} AND entry_line.document_id = ${documentId}
     ORDER BY ${LINE_ORDER}`);
}

/**
 * A page of them; `total` counts the document's lines. Their ids are found along the index alone, from the end that is
 * nearer. Not by comparing entry numbers: under row-level security a comparison of texts may not choose index entries.
 */
export function selectLinePage(
  sql: Sql,
  companyId: CompanyId,
  documentId: number,
  slice: PageRequest,
  total: number,
): Promise<EntryRow[]> {
  const before = offsetOf(slice);
  const count = Math.min(slice.size, total - before);
  if (count <= 0) return Promise.resolve([]);
  const after = total - before - count;
  const place = { entry: 'placed.entry_number', sequence: 'placed.sequence' } as const;
  const order = after < before ? reverseBookOrder(place) : bookOrder(place);
  return sql.rows<EntryRow>(SQL`
    SELECT ${ENTRY_COLUMNS} FROM entry_line
     WHERE entry_line.company_id = ${companyId}
       AND entry_line.id = ANY (ARRAY(
             SELECT placed.id FROM entry_line AS placed
              WHERE placed.company_id = ${companyId} AND placed.document_id = ${documentId}
              ORDER BY ${order}
              LIMIT ${count} OFFSET ${Math.min(before, after)}))
     ORDER BY ${LINE_ORDER}`);
}

/** A page of an archived document's lines: its branch and month come first in the only index that the archive has. */
export function selectArchivedLinePage(
  sql: Sql,
  companyId: CompanyId,
  documentId: number,
  slice: PageRequest,
): Promise<EntryRow[]> {
  return sql.rows<EntryRow>(SQL`
    SELECT ${ENTRY_COLUMNS} FROM entry_line_archive AS entry_line
     WHERE ${ofArchivedDocument(companyId, documentId)}
     ORDER BY ${LINE_ORDER}
     LIMIT ${slice.size} OFFSET ${offsetOf(slice)}`);
}

const ofArchivedDocument = (companyId: CompanyId, documentId: number) =>
  SQL`entry_line.company_id = ${companyId} AND entry_line.document_id = ${documentId}
       AND (entry_line.branch_id, entry_line.month) = (
             SELECT document_archive.branch_id, document_archive.month FROM document_archive
              WHERE document_archive.company_id = ${companyId} AND document_archive.id = ${documentId})`;

/** All of them, `size` at once: their ids at the beginning, each piece when it is requested. */
export async function* selectLinesInPieces(
  sql: Sql,
  companyId: CompanyId,
  documentId: number,
  size: number,
): AsyncGenerator<EntryRow[]> {
  const { ids } = await sql.one<{ ids: string | null }>(SQL`
    SELECT string_agg(entry_line.id::text, ',' ORDER BY ${LINE_ORDER}) AS ids
      FROM entry_line
     WHERE entry_line.company_id = ${companyId} AND entry_line.document_id = ${documentId}`);
  const placed = ids === null ? [] : ids.split(',');
  for (let at = 0; at < placed.length; at += size) {
    yield await sql.rows<EntryRow>(SQL`
      SELECT ${ENTRY_COLUMNS} FROM entry_line
       WHERE entry_line.company_id = ${companyId} AND entry_line.id = ANY (${placed.slice(at, at + size)})
       ORDER BY ${LINE_ORDER}`);
  }
}

/** The next lines of an archived document after the given one, in (entry number, line) order. */
export function selectArchivedLinesAfter(
  sql: Sql,
  companyId: CompanyId,
  documentId: number,
  last: Pick<EntryRow, 'number' | 'sequence'> | undefined,
  limit: number,
): Promise<EntryRow[]> {
  // NULL comes before every natural key.
  const behind = last ? SQL`natural_sort_key(${last.number})` : SQL`''`;
  return sql.rows<EntryRow>(SQL`
    SELECT ${ENTRY_COLUMNS} FROM entry_line_archive AS entry_line
     WHERE ${ofArchivedDocument(companyId, documentId)}
       AND (${LINE_ORDER}) > (${behind}, ${last?.sequence ?? 0}::integer)
     ORDER BY ${LINE_ORDER}
     LIMIT ${limit}`);
}

export function countLines(
  sql: Sql,
  companyId: CompanyId,
  documentId: number,
  storage: Storage = 'LIVE',
): Promise<{ lines: number; entries: number }> {
  const lines =
    storage === 'LIVE'
      ? SQL`entry_line WHERE entry_line.company_id = ${companyId} AND entry_line.document_id = ${documentId}`
      : SQL`entry_line_archive AS entry_line WHERE ${ofArchivedDocument(companyId, documentId)}`;
  return sql.one(SQL`
    SELECT count(*) AS lines, count(*) FILTER (WHERE entry_line.sequence = 1) AS entries
      FROM ${lines}`);
}

/** Lines of every branch that the caller can access, newest tenants last. */
export function selectVisibleLines(sql: Sql, slice: PageRequest): Promise<EntryRow[]> {
  return sql.rows<EntryRow>(SQL`
    SELECT ${ENTRY_COLUMNS} FROM entry_line
     WHERE entry_line.company_id = ANY (ARRAY(SELECT company.id FROM company))
       AND entry_line.branch_id = ANY (ARRAY(SELECT branch.id FROM branch
                                              WHERE can_access(branch.company_id, branch.id)))
     ORDER BY entry_line.company_id, entry_line.id
     LIMIT ${slice.size} OFFSET ${offsetOf(slice)}`);
}

export async function countVisibleLines(sql: Sql): Promise<number> {
  const row = await sql.one<{ count: number }>(SQL`
    SELECT count(*) AS count FROM entry_line
     WHERE entry_line.company_id = ANY (ARRAY(SELECT company.id FROM company))
       AND entry_line.branch_id = ANY (ARRAY(SELECT branch.id FROM branch
                                              WHERE can_access(branch.company_id, branch.id)))`);
  return row.count;
}

/** The numbers of a document and its batch. */
export function selectPlaceOfDocument(sql: Sql, companyId: CompanyId, documentId: number): Promise<DocumentPlace> {
  return sql.one<DocumentPlace>(SQL`${placeOfDocument(companyId, documentId)}`);
}

/** The same of one that may be gone. */
export function findPlaceOfDocument(
  sql: Sql,
  companyId: CompanyId,
  documentId: number,
): Promise<DocumentPlace | undefined> {
  return sql.maybe<DocumentPlace>(SQL`${placeOfDocument(companyId, documentId)}`);
}

function placeOfDocument(companyId: CompanyId, documentId: number) {
  return SQL`
    SELECT to_char(document.month, 'YYYY-MM') AS month, batch.id AS "batchId", batch.number AS batch,
           document.id AS "documentId", document.number AS document
      FROM document
      JOIN batch ON batch.company_id = document.company_id AND batch.id = document.batch_id
     WHERE document.company_id = ${companyId} AND document.id = ${documentId}`;
}

/** The place of a logical entry, with the numbers and the day that its reversal recorded; null: an old reversal. */
export interface EntryPlace {
  readonly documentId: number;
  readonly number: string;
  readonly batch: string | null;
  readonly document: string | null;
  readonly day: Day | null;
  readonly reason: string | null;
}

/** Both directions of a line's reversal. */
export async function selectReversalOf(
  sql: Sql,
  companyId: CompanyId,
  lineId: number,
): Promise<{ reversedBy: EntryPlace | null; reverses: EntryPlace | null }> {
  const rows = await sql.rows<EntryPlace & { isReversal: boolean }>(SQL`
    SELECT false AS "isReversal", entry_reversal.reversal_document_id AS "documentId",
           entry_reversal.reversal_entry_number AS number, entry_reversal.reversal_batch_number AS batch,
           entry_reversal.reversal_document_number AS document, entry_reversal.reversal_day AS day,
           entry_reversal.reason
      FROM entry_line
      JOIN entry_reversal ON entry_reversal.company_id = entry_line.company_id
       AND entry_reversal.document_id = entry_line.document_id
       AND entry_reversal.entry_number = entry_line.entry_number
     WHERE entry_line.company_id = ${companyId} AND entry_line.id = ${lineId}
    UNION ALL
    SELECT true, entry_reversal.document_id, entry_reversal.entry_number, entry_reversal.batch_number,
           entry_reversal.document_number, entry_reversal.day, entry_reversal.reason
      FROM entry_line
      JOIN entry_reversal ON entry_reversal.company_id = entry_line.company_id
       AND entry_reversal.reversal_document_id = entry_line.document_id
       AND entry_reversal.reversal_entry_number = entry_line.entry_number
     WHERE entry_line.company_id = ${companyId} AND entry_line.id = ${lineId}`);
  const placeOf = (isReversal: boolean) => {
    const { isReversal: _, ...place } = rows.find((each) => each.isReversal === isReversal) ?? {};
    return 'documentId' in place ? (place as EntryPlace) : null;
  };
  return { reversedBy: placeOf(false), reverses: placeOf(true) };
}
