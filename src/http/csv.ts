import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { type RouteResponse, streamResponse } from './route.ts';

/** Does the client ask for the whole listing as CSV? */
export function wantsCsv(raw: FastifyRequest): boolean {
  return /\btext\/csv\b/.test(raw.headers.accept ?? '');
}

/**
 * Everything that the parts bring, as a Brazilian spreadsheet opens it; a part is asked for when the client has taken
 * the one before. The first is read before the answer begins, so that a refusal still has its status. Cells come as they
 * are written: what people typed as `textCell` gives it.
 */
export async function csvAnswer<Row>(
  columns: readonly string[],
  parts: AsyncGenerator<readonly Row[]>,
  cellsOf: (row: Row) => readonly string[],
): Promise<RouteResponse<Readable>> {
  const first = await parts.next();
  const lines = (rows: readonly Row[]) => rows.map((row) => `${cellsOf(row).join(';')}\r\n`).join('');
  async function* text(): AsyncGenerator<string> {
    yield `\uFEFF${columns.join(';')}\r\n`;
    if (first.done) return;
    yield lines(first.value);
    for await (const part of parts) yield lines(part);
  }
  return streamResponse(Readable.from(text()), 'text/csv; charset=utf-8');
}
