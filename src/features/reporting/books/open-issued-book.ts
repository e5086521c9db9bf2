import { createHash } from 'node:crypto';
import type { CompanyId } from '../../../accounting/ids.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { readPieces } from '../../pieces.sql.ts';

/** The bytes of an issued book. Fails before the last piece where they are not those that were issued. */
export async function* openIssuedBook(
  sql: Sql,
  companyId: CompanyId,
  { id, sha256 }: { readonly id: number; readonly sha256: string },
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let held: Buffer | undefined;
  for await (const piece of readPieces(sql, { table: 'issued_book_piece', companyId, id })) {
    hash.update(piece);
    if (held) yield held;
    held = piece;
  }
  if (held === undefined || hash.digest('hex') !== sha256) {
    throw new Error(`the bytes of issued book ${id} are not those that were issued`);
  }
  yield held;
}
