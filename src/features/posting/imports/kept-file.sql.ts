import type { CompanyId } from '../../../accounting/ids.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { SpooledFile } from './spool.ts';

/** A file that is kept, without its bytes. */
export type KeptFile = Pick<SpooledFile, 'encoding' | 'bytes'>;

export async function insertKeptFile(
  sql: Sql,
  companyId: CompanyId,
  importId: number,
  { encoding, bytes }: KeptFile,
): Promise<void> {
  await sql.run(SQL`
    INSERT INTO import_file (company_id, import_id, encoding, bytes)
    VALUES (${companyId}, ${importId}, ${encoding}, ${bytes})`);
}

export function selectKeptFile(sql: Sql, companyId: CompanyId, importId: number): Promise<KeptFile | undefined> {
  return sql.maybe<KeptFile>(SQL`
    SELECT import_file.encoding, import_file.bytes FROM import_file
     WHERE import_file.company_id = ${companyId} AND import_file.import_id = ${importId}`);
}

/** Where a line came from. */
export interface ImportedLine {
  /** null: it was posted otherwise. */
  readonly importId: number | null;
  /** AAAAMM */
  readonly month: string;
  readonly batch: string;
  readonly document: string;
  readonly entry: string;
  /** Its place in the entry, from 1. */
  readonly sequence: number;
}

export function selectImportedLine(sql: Sql, companyId: CompanyId, lineId: number): Promise<ImportedLine | undefined> {
  return sql.maybe<ImportedLine>(SQL`
    SELECT entry_line.import_id AS "importId", document.number AS document, entry_line.entry_number AS entry,
           entry_line.sequence, to_char(entry_line.month, 'YYYYMM') AS month, batch.number AS batch
      FROM entry_line
      JOIN document ON document.company_id = entry_line.company_id AND document.id = entry_line.document_id
      JOIN batch ON batch.company_id = document.company_id AND batch.id = document.batch_id
     WHERE entry_line.company_id = ${companyId} AND entry_line.id = ${lineId}`);
}
