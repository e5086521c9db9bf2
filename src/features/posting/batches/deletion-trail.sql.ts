import type { Context } from '../../../platform/context.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import type { HeldEntry } from '../entries/entries.sql.ts';
import { DOCUMENT_ORDER } from './batches.read.sql.ts';

/** Lines, or documents, in one row of the trail: a page of the trail stays of a size that can be answered. */
const ROWS_A_PIECE = 200;

const STAMPS = ['created_at', 'updated_at', 'created_by', 'updated_by'] as const;

/**
 * What the trail keeps of deleted rows beyond its own columns. A chunk has one array per column: an object for each
 * line would take twenty times as long and a multiple of the room.
 */
const KEPT = {
  document: ['id', 'number', 'reference_day', 'text', 'standard_narration', ...STAMPS, 'import_id'],
  entry_line: [
    ...['id', 'document_id', 'entry_number', 'sequence', 'day', 'side', 'amount', 'account_id', 'offset_account_id'],
    ...['narration_code', 'narration', 'printed_narration', 'closing', ...STAMPS, 'import_id', 'fact_day', 'source_id'],
  ],
} as const;

type Trail = Pick<Context, 'caller' | 'address'>;

/** Records batches in the trail before their deletion: one row each, with documents and lines in chunks. */
export async function recordBatchDeletion(sql: Sql, context: Trail, ids: readonly number[]): Promise<void> {
  await recordRecords(sql, context, 'batch', ids);
  await recordPieces(sql, context, 'batch', {
    table: 'document',
    owner: SQL`document.batch_id`,
    from: SQL`document WHERE ${visible('document')} AND document.batch_id = ANY (${ids}::bigint[])`,
    order: SQL`${DOCUMENT_ORDER}, document.id`,
  });
  await recordLinesOf(sql, context, 'batch', ids);
}

/** The same for documents. */
export async function recordDocumentDeletion(sql: Sql, context: Trail, ids: readonly number[]): Promise<void> {
  await recordRecords(sql, context, 'document', ids);
  await recordLinesOf(sql, context, 'document', ids);
}

/** The same for logical entries, each under the requested line. */
export function recordEntryDeletion(sql: Sql, context: Trail, entries: readonly HeldEntry[]): Promise<void> {
  return recordPieces(sql, context, 'entry', {
    table: 'entry_line',
    owner: SQL`gone.line_id`,
    from: SQL`unnest(${entries.map((entry) => entry.companyId)}::bigint[],
                     ${entries.map((entry) => entry.documentId)}::bigint[],
                     ${entries.map((entry) => entry.number)}::text[],
                     ${entries.map((entry) => entry.lineId)}::bigint[]) AS gone (company_id, document_id, number,
                       line_id)
              JOIN entry_line ON entry_line.company_id = gone.company_id AND entry_line.document_id = gone.document_id
               AND natural_sort_key(entry_line.entry_number) = natural_sort_key(gone.number)`,
    order: SQL`entry_line.sequence`,
  });
}

/** The documents and lines that undoing an import removes, under the import. */
export async function recordImportDeletion(
  sql: Sql,
  context: Trail,
  gone: { readonly importId: number; readonly documentIds: readonly number[] },
): Promise<void> {
  const owner = SQL`${gone.importId}::bigint`;
  for (const [table, order] of [
    ['document', DOCUMENT_ORDER],
    ['entry_line', SQL`entry_line.document_id`],
  ] as const) {
    const name = SQL.identifier(table);
    const document = table === 'document' ? SQL`document.id` : SQL`entry_line.document_id`;
    await recordPieces(sql, context, 'import', {
      table,
      owner,
      from: SQL`${name} WHERE ${name}.company_id = ANY (ARRAY(SELECT company.id FROM company))
                  AND ${document} = ANY (${gone.documentIds}::bigint[]) AND ${name}.import_id = ${gone.importId}`,
      order: SQL`${order}, ${name}.id`,
    });
  }
}

const visible = (table: 'batch' | 'document') =>
  SQL`${SQL.identifier(table)}.company_id = ANY (ARRAY(SELECT company.id FROM company))`;

function recordLinesOf(sql: Sql, context: Trail, entity: 'batch' | 'document', ids: readonly number[]): Promise<void> {
  const owner = entity === 'batch' ? SQL`document.batch_id` : SQL`document.id`;
  return recordPieces(sql, context, entity, {
    table: 'entry_line',
    owner,
    from: SQL`document
              JOIN entry_line ON entry_line.company_id = document.company_id AND entry_line.document_id = document.id
             WHERE ${visible('document')} AND ${owner} = ANY (${ids}::bigint[])`,
    order: SQL`entry_line.document_id, entry_line.id`,
  });
}

async function recordRecords(
  sql: Sql,
  { caller, address }: Trail,
  entity: 'batch' | 'document',
  ids: readonly number[],
) {
  const table = SQL.identifier(entity);
  await sql.run(SQL`
    INSERT INTO audit (user_id, username, address, action, entity, entity_id, company_id, branch_id, before)
    SELECT ${caller.id}, ${caller.username}, ${address}, 'DELETE', ${entity}, ${table}.id::text, ${table}.company_id,
           ${table}.branch_id, to_jsonb(${table}) - 'sort_key'
      FROM ${table} WHERE ${visible(entity)} AND ${table}.id = ANY (${ids}::bigint[])
     ORDER BY ${table}.id`);
}

interface Pieces {
  readonly table: keyof typeof KEPT;
  /** The record that was asked to be deleted. */
  readonly owner: Fragment;
  readonly from: Fragment;
  readonly order: Fragment;
}

async function recordPieces(sql: Sql, { caller, address }: Trail, entity: string, pieces: Pieces): Promise<void> {
  const { table, owner, from, order } = pieces;
  const arrays = KEPT[table].map(
    (column) => SQL`${column}::text, to_jsonb(array_agg(${SQL.identifier(`piece.${column}`)}))`,
  );
  const columns = ['company_id', 'branch_id', ...KEPT[table]].map((column) => SQL.identifier(`${table}.${column}`));
  await sql.run(SQL`
    INSERT INTO audit (user_id, username, address, action, entity, entity_id, company_id, branch_id, before)
    SELECT ${caller.id}, ${caller.username}, ${address}, 'DELETE', ${entity}, piece.owner::text, piece.company_id,
           piece.branch_id,
           jsonb_build_object('part', piece.part, ${table === 'document' ? 'documents' : 'lines'}::text,
                              jsonb_build_object(${SQL.join(arrays)}))
      FROM (SELECT placed.*, 1 + (row_number() OVER (PARTITION BY placed.owner) - 1) / ${ROWS_A_PIECE}::bigint AS part
              FROM (SELECT ${SQL.join(columns)}, ${owner} AS owner FROM ${from}
                     ORDER BY ${owner}, ${order}) AS placed) AS piece
     GROUP BY piece.owner, piece.part, piece.company_id, piece.branch_id
     ORDER BY piece.owner, piece.part`);
}
