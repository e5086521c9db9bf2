import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { type RouteResponse, streamResponse } from './route.ts';

/** Whether the client requests the whole listing as CSV. */
export function wantsCsv(raw: FastifyRequest): boolean {
  return /\btext\/csv\b/.test(raw.headers.accept ?? '');
}

/**
 * All chunks as CSV for a Brazilian spreadsheet; the next chunk is read when the client has taken the previous one. The
 * first is read before the response begins, so that an error still has its status. Cells are written as given: escape
 * user text with `textCell`.
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
