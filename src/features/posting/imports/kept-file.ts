import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { CompanyId } from '../../../accounting/ids.ts';
import { reject } from '../../../accounting/problem.ts';
import { openCompressed, storeCompressed } from '../../../platform/compressed-pieces.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { insertPiece, type PiecedFile, readPieces } from '../../pieces.sql.ts';
import { insertKeptFile, type KeptFile, selectKeptFile } from './kept-file.sql.ts';
import { type SpooledFile, writeToTemporaryFile } from './spool.ts';

/** Keeps the bytes of an imported file, compressed, in the transaction that writes its lines. */
export async function keepFile(sql: Sql, companyId: CompanyId, importId: number, file: SpooledFile): Promise<void> {
  await insertKeptFile(sql, companyId, importId, file);
  const kept = keptPieces(companyId, importId);
  await storeCompressed(createReadStream(file.path), (content, piece) => insertPiece(sql, kept, piece, content));
}

/** What an import's file is; throws when it is not kept. */
export async function requireKeptFile(sql: Sql, companyId: CompanyId, importId: number): Promise<KeptFile> {
  return (await selectKeptFile(sql, companyId, importId)) ?? reject('IMPORT_FILE_GONE', { import: importId }, 'id');
}

/** The bytes of a kept file, as they were imported. */
export function openKeptFile(sql: Sql, companyId: CompanyId, importId: number): Readable {
  return openCompressed(readPieces(sql, keptPieces(companyId, importId)));
}

/** Does the work with the file on disk, as it was when it was imported. */
export async function withKeptFile<Done>(
  sql: Sql,
  companyId: CompanyId,
  importId: number,
  work: (file: SpooledFile) => Promise<Done>,
): Promise<Done> {
  const { encoding } = await requireKeptFile(sql, companyId, importId);
  const bytes = openKeptFile(sql, companyId, importId);
  const file = await writeToTemporaryFile(bytes, 'windows-1252', Number.POSITIVE_INFINITY);
  try {
    return await work({ ...file, encoding });
  } finally {
    await file.remove();
  }
}

function keptPieces(companyId: CompanyId, importId: number): PiecedFile {
  return { table: 'import_file_piece', companyId, id: importId };
}
