import type { CompanyId } from '../accounting/ids.ts';
import type { Sql } from '../platform/database/sql.ts';
import { SQL } from '../platform/database/statement.ts';

/** Tables that keep files in numbered pieces, so that neither side ever has a large file in memory; and whose files. */
const OWNERS = {
  import_file_piece: 'import_id',
  issued_book_piece: 'book_id',
  report_file_piece: 'job_id',
} as const;

export interface PiecedFile {
  readonly table: keyof typeof OWNERS;
  readonly companyId: CompanyId;
  readonly id: number;
}

/** Adds a piece; the first has number 0. */
export async function insertPiece(
  sql: Sql,
  { table, companyId, id }: PiecedFile,
  piece: number,
  content: Uint8Array,
): Promise<void> {
  await sql.run(SQL.named(`insert-${table}`)`
    INSERT INTO ${SQL.identifier(table)} (company_id, ${SQL.identifier(OWNERS[table])}, piece, content)
    VALUES (${companyId}, ${id}, ${piece}, ${content})`);
}

/** The pieces of a file, one at a time; none where it is not kept. */
export async function* readPieces(sql: Sql, { table, companyId, id }: PiecedFile): AsyncGenerator<Buffer> {
  for (let piece = 0; ; piece++) {
    const row = await sql.maybe<{ content: Buffer }>(SQL`
      SELECT kept.content FROM ${SQL.identifier(table)} AS kept
       WHERE kept.company_id = ${companyId} AND kept.${SQL.identifier(OWNERS[table])} = ${id} AND kept.piece = ${piece}`);
    if (row === undefined) return;
    yield row.content;
  }
}
