import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import { firstDay, type Month, monthOf } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import { offsetOf, type PageRequest } from '../../../platform/page-request.ts';
import type { BranchKey } from '../../access/access.ts';
import { bookOrder } from '../entries/book-order.sql.ts';

export interface BatchRow {
  readonly id: number;
  readonly company: string;
  readonly branch: string;
  readonly month: Month;
  readonly number: string;
  readonly description: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** User names; null on older records. */
  readonly createdBy: string | null;
  readonly updatedBy: string | null;
}

export const BATCH_COLUMNS = SQL`batch.id, company.code AS company, branch.code AS branch,
  to_char(batch.month, 'YYYY-MM') AS month, batch.number, batch.description,
  batch.created_at AS "createdAt", batch.updated_at AS "updatedAt", batch.created_by AS "createdBy",
  coalesce(batch.updated_by, batch.created_by) AS "updatedBy"`;

/** The live tables or the archive: the same columns in both. */
export type Storage = 'LIVE' | 'ARCHIVED';

const STORAGES = {
  LIVE: { batch: SQL`batch`, document: SQL`document` },
  ARCHIVED: { batch: SQL`batch_archive AS batch`, document: SQL`document_archive AS document` },
} as const;

const BATCH_TENANT = SQL`
  JOIN company ON company.id = batch.company_id
  JOIN branch ON branch.company_id = batch.company_id AND branch.id = batch.branch_id`;

export interface DocumentRow {
  readonly id: number;
  readonly batchId: number;
  readonly number: string;
  readonly referenceDay: number | null;
  readonly text: string | null;
  readonly standardNarration: string | null;
  /** The import that made it. */
  readonly importId: number | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly createdBy: string | null;
  readonly updatedBy: string | null;
}

export const DOCUMENT_COLUMNS = SQL`document.id, document.batch_id AS "batchId", document.number,
  document.reference_day AS "referenceDay", document.text, document.standard_narration AS "standardNarration",
  document.import_id AS "importId",
  document.created_at AS "createdAt", document.updated_at AS "updatedAt", document.created_by AS "createdBy",
  coalesce(document.updated_by, document.created_by) AS "updatedBy"`;

const BATCH_ORDER = bookOrder({ batch: 'batch.number' });
export const DOCUMENT_ORDER = bookOrder({ document: 'document.number' });

/** Orderings of a list of batches; a closed list, so that no request text becomes SQL. */
export const BATCH_ORDERS = {
  number: BATCH_ORDER,
  id: SQL`batch.id`,
  description: SQL`batch.description`,
  year: SQL`date_part('year', batch.month)`,
  month: SQL`date_part('month', batch.month)`,
  createdAt: SQL`batch.created_at`,
} as const;

export const DOCUMENT_ORDERS = {
  number: DOCUMENT_ORDER,
  id: SQL`document.id`,
  referenceDay: SQL`document.reference_day`,
  text: SQL`document.text`,
  createdAt: SQL`document.created_at`,
} as const;

export interface Ordering {
  readonly by: Fragment;
  readonly direction: 'ASC' | 'DESC';
}

/** Which batches of a branch a list shows; an absent condition is fulfilled by all. */
export interface BatchFilter extends BranchKey {
  readonly year?: number | undefined;
  readonly monthNumber?: number | undefined;
  /** Part of number or description, in any case, with or without accents. */
  readonly text?: string | undefined;
  readonly storage: Storage;
}

function matchesBatch({ companyId, branchId, year, monthNumber, text }: BatchFilter): Fragment {
  const months =
    year === undefined
      ? SQL`true`
      : SQL`batch.month BETWEEN ${firstDay(monthOf(year, monthNumber ?? 1)!)}
              AND ${firstDay(monthOf(year, monthNumber ?? 12)!)}`;
  const ofNumber =
    year === undefined && monthNumber !== undefined ? SQL`date_part('month', batch.month) = ${monthNumber}` : SQL`true`;
  return SQL`batch.company_id = ${companyId} AND batch.branch_id = ${branchId} AND ${months} AND ${ofNumber}
       AND ${hasText(SQL`batch.number`, SQL`batch.description`, text)}`;
}

function hasText(number: Fragment, description: Fragment, text: string | undefined): Fragment {
  if (text === undefined) return SQL`true`;
  return SQL`strpos(search_text(${number} || ' ' || coalesce(${description}, '')), search_text(${text})) > 0`;
}

/** A page of the batches by month and number, or by the ordering requested. */
export function selectBatches(
  sql: Sql,
  filter: BatchFilter,
  slice: PageRequest,
  ordering?: Ordering,
): Promise<BatchRow[]> {
  const order = ordering
    ? SQL`${ordering.by} ${SQL.direction(ordering.direction)}, batch.id`
    : SQL`batch.month, ${BATCH_ORDER}, batch.id`;
  return sql.rows<BatchRow>(SQL`
    SELECT ${BATCH_COLUMNS} FROM ${STORAGES[filter.storage].batch} ${BATCH_TENANT}
     WHERE ${matchesBatch(filter)}
     ORDER BY ${order} LIMIT ${slice.size} OFFSET ${offsetOf(slice)}`);
}

/** The next batches of a branch after the given one, by month and number. */
export function selectBatchesAfter(
  sql: Sql,
  companyId: CompanyId,
  branchId: BranchId,
  last: Pick<BatchRow, 'month' | 'number' | 'id'> | undefined,
  limit: number,
  storage: Storage,
): Promise<BatchRow[]> {
  const month = last ? firstDay(last.month) : null;
  return sql.rows<BatchRow>(SQL`
    SELECT ${BATCH_COLUMNS} FROM ${STORAGES[storage].batch} ${BATCH_TENANT}
     WHERE batch.company_id = ${companyId} AND batch.branch_id = ${branchId}
       AND (${month}::date IS NULL
            OR (batch.month, ${BATCH_ORDER}, batch.id) > (${month}, natural_sort_key(${last?.number ?? null}),
              ${last?.id ?? null}::bigint))
     ORDER BY batch.month, ${BATCH_ORDER}, batch.id LIMIT ${limit}`);
}

export async function countBatches(sql: Sql, filter: BatchFilter): Promise<number> {
  const row = await sql.one<{ count: number }>(SQL`
    SELECT count(*) AS count FROM ${STORAGES[filter.storage].batch} WHERE ${matchesBatch(filter)}`);
  return row.count;
}

export function selectBatch(
  sql: Sql,
  companyId: CompanyId,
  id: number,
  storage: Storage = 'LIVE',
): Promise<BatchRow | undefined> {
  return sql.maybe<BatchRow>(SQL`
    SELECT ${BATCH_COLUMNS} FROM ${STORAGES[storage].batch} ${BATCH_TENANT}
     WHERE batch.company_id = ${companyId} AND batch.id = ${id}`);
}

/** Which documents of a batch a list shows. */
export interface DocumentFilter {
  readonly companyId: CompanyId;
  readonly batchId: number;
  /** Part of number or text, in any case, with or without accents; absent: all. */
  readonly text?: string | undefined;
  readonly storage: Storage;
}

function matchesDocument({ companyId, batchId, text }: DocumentFilter): Fragment {
  return SQL`document.company_id = ${companyId} AND document.batch_id = ${batchId}
       AND ${hasText(SQL`document.number`, SQL`document.text`, text)}`;
}

export function selectDocuments(
  sql: Sql,
  filter: DocumentFilter,
  slice: PageRequest,
  ordering?: Ordering,
): Promise<DocumentRow[]> {
  const order = ordering ? SQL`${ordering.by} ${SQL.direction(ordering.direction)}` : DOCUMENT_ORDER;
  return sql.rows<DocumentRow>(SQL`
    SELECT ${DOCUMENT_COLUMNS} FROM ${STORAGES[filter.storage].document}
     WHERE ${matchesDocument(filter)}
     ORDER BY ${order}, document.id LIMIT ${slice.size} OFFSET ${offsetOf(slice)}`);
}

/** The next documents of a batch after the given one, by number. */
export function selectDocumentsAfter(
  sql: Sql,
  companyId: CompanyId,
  batchId: number,
  last: Pick<DocumentRow, 'number' | 'id'> | undefined,
  limit: number,
  storage: Storage,
): Promise<DocumentRow[]> {
  return sql.rows<DocumentRow>(SQL`
    SELECT ${DOCUMENT_COLUMNS} FROM ${STORAGES[storage].document}
     WHERE document.company_id = ${companyId} AND document.batch_id = ${batchId}
       AND (${last?.number ?? null}::text IS NULL
       OR (${DOCUMENT_ORDER}, document.id) > (natural_sort_key(${last?.number ?? null}),
         ${last?.id ?? null}::bigint))
     ORDER BY ${DOCUMENT_ORDER}, document.id LIMIT ${limit}`);
}

export async function countDocuments(sql: Sql, filter: DocumentFilter): Promise<number> {
  const row = await sql.one<{ count: number }>(SQL`
    SELECT count(*) AS count FROM ${STORAGES[filter.storage].document} WHERE ${matchesDocument(filter)}`);
  return row.count;
}

export function selectDocument(
  sql: Sql,
  companyId: CompanyId,
  id: number,
  storage: Storage = 'LIVE',
): Promise<DocumentRow | undefined> {
  return sql.maybe<DocumentRow>(SQL`
    SELECT ${DOCUMENT_COLUMNS} FROM ${STORAGES[storage].document} WHERE document.company_id = ${companyId}
    AND document.id = ${id}`);
}

/** Counts and sums over lines; amounts as NUMERIC text. */
export interface Totals {
  readonly batches: number;
  readonly documents: number;
  /** Physical lines. */
  readonly lines: number;
  readonly entries: number;
  readonly debit: string;
  readonly credit: string;
  /** Debits minus credits. */
  readonly difference: string;
}

/** Of a batch without documents. */
export const NO_LINES: Totals = {
  batches: 1,
  documents: 0,
  lines: 0,
  entries: 0,
  debit: '0.00',
  credit: '0.00',
  difference: '0.00',
};

const LINE_TOTALS = SQL`count(entry_line.id) AS lines, count(entry_line.id) FILTER (WHERE entry_line.sequence = 1) AS entries,
  coalesce(sum(entry_line.amount) FILTER (WHERE entry_line.side = 'D'), 0)::numeric(20,2) AS debit,
  coalesce(sum(entry_line.amount) FILTER (WHERE entry_line.side = 'C'), 0)::numeric(20,2) AS credit,
  coalesce(sum(CASE entry_line.side WHEN 'D' THEN entry_line.amount ELSE -entry_line.amount END), 0)::numeric(20,2)
    AS difference`;

/** Of the live tables, and of the archive where requested. */
export function selectBranchTotals(
  sql: Sql,
  companyId: CompanyId,
  branchId: BranchId,
  withArchived: boolean,
): Promise<Totals> {
  const ofBranch = (table: 'batch' | 'document' | 'entry_line', columns: Fragment) => {
    const storage = (from: Fragment) =>
      SQL`SELECT ${columns} FROM ${from} WHERE ${from}.company_id = ${companyId} AND ${from}.branch_id = ${branchId}`;
    const books = storage(SQL.identifier(table));
    return withArchived ? SQL`${books} UNION ALL ${storage(SQL.identifier(`${table}_archive`))}` : books;
  };
  return sql.one<Totals>(SQL`
    SELECT (SELECT count(*) FROM (${ofBranch('batch', SQL`id`)}) AS batch) AS batches,
           (SELECT count(*) FROM (${ofBranch('document', SQL`id`)}) AS document) AS documents,
           ${LINE_TOTALS}
      FROM (${ofBranch('entry_line', SQL`id, sequence, side, amount`)}) AS entry_line`);
}

/** Counts and sums of each of these documents that is there, by id. */
export function selectTotalsOfDocuments(
  sql: Sql,
  companyId: CompanyId,
  ids: readonly number[],
  storage: Storage = 'LIVE',
): Promise<Map<number, Totals>> {
  return totalsById(sql, ids, totalsPerDocument(companyId, SQL`document.id`, ids, storage));
}

/** The same of batches. */
export function selectTotalsOfBatches(
  sql: Sql,
  companyId: CompanyId,
  ids: readonly number[],
  storage: Storage = 'LIVE',
): Promise<Map<number, Totals>> {
  return totalsById(
    sql,
    ids,
    SQL`
    SELECT part."batchId" AS id, 1 AS batches, count(*) AS documents, sum(part.lines)::bigint AS lines,
           sum(part.entries)::bigint AS entries, sum(part.debit)::numeric(20,2) AS debit,
           sum(part.credit)::numeric(20,2) AS credit, sum(part.difference)::numeric(20,2) AS difference
      FROM (${totalsPerDocument(companyId, SQL`document.batch_id`, ids, storage)}) AS part
     GROUP BY part."batchId"`,
  );
}

async function totalsById(sql: Sql, ids: readonly number[], totals: Fragment): Promise<Map<number, Totals>> {
  if (ids.length === 0) return new Map();
  const rows = await sql.rows<Totals & { id: number; batchId?: number }>(SQL`${totals}`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Documents first: counting them among their lines would sort the lines. */
function totalsPerDocument(companyId: CompanyId, named: Fragment, ids: readonly number[], storage: Storage): Fragment {
  const lines =
    storage === 'LIVE'
      ? SQL`entry_line ON entry_line.company_id = document.company_id AND entry_line.document_id = document.id`
      : SQL`entry_line_archive AS entry_line ON entry_line.company_id = document.company_id
        AND entry_line.branch_id = document.branch_id AND entry_line.month = document.month
        AND entry_line.document_id = document.id`;
  return SQL`
    SELECT document.id, document.batch_id AS "batchId", 1 AS batches, 1 AS documents, ${LINE_TOTALS}
      FROM ${STORAGES[storage].document}
      LEFT JOIN ${lines}
     WHERE document.company_id = ${companyId} AND ${named} = ANY (${ids}::bigint[])
     GROUP BY document.id, document.batch_id`;
}

export function selectBatchTotals(sql: Sql, companyId: CompanyId, batchId: number): Promise<Totals> {
  return sql.one<Totals>(SQL`
    SELECT 1 AS batches,
           (SELECT count(*) FROM document WHERE document.company_id = ${companyId}
           AND document.batch_id = ${batchId}) AS documents,
           ${LINE_TOTALS}
      FROM document
      JOIN entry_line ON entry_line.company_id = document.company_id AND entry_line.document_id = document.id
     WHERE document.company_id = ${companyId} AND document.batch_id = ${batchId}`);
}
