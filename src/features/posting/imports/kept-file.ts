import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import type { CompanyId } from '../../../accounting/ids.ts';
import { reject } from '../../../accounting/problem.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { insertFilePiece, insertKeptFile, type KeptFile, readFilePieces, selectKeptFile } from './kept-file.sql.ts';
import { type SpooledFile, writeToTemporaryFile } from './spool.ts';

/** A million rows take 0.4 s of another thread; higher levels save nothing. */
const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Compressed bytes of one statement. */
const PIECE = 262_144;

/** Keeps the bytes of an imported file, compressed, in the transaction that writes its lines. */
export async function keepFile(sql: Sql, companyId: CompanyId, importId: number, file: SpooledFile): Promise<void> {
  await insertKeptFile(sql, companyId, importId, file);
  let piece = 0;
  await pipeline(
    createReadStream(file.path),
    createZstdCompress(FASTEST),
    async (compressed: AsyncIterable<Buffer>) => {
      for await (const content of piecesOf(compressed))
        await insertFilePiece(sql, companyId, importId, piece++, content);
    },
  );
}

/** What an import's file is; throws when it is not kept. */
export async function requireKeptFile(sql: Sql, companyId: CompanyId, importId: number): Promise<KeptFile> {
  return (await selectKeptFile(sql, companyId, importId)) ?? reject('IMPORT_FILE_GONE', { import: importId }, 'id');
}

/** The bytes of a kept file, as they were imported. */
export function openKeptFile(sql: Sql, companyId: CompanyId, importId: number): Readable {
  const compressed = Readable.from(readFilePieces(sql, companyId, importId));
  const bytes = createZstdDecompress();
  // Its reader hears of a failure.
  void pipeline(compressed, bytes).catch((error) => bytes.destroy(error));
  return bytes;
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

async function* piecesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    gathered.push(chunk);
    bytes += chunk.length;
    if (bytes < PIECE) continue;
    yield Buffer.concat(gathered);
    gathered = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(gathered);
}
