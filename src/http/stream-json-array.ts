import { Readable } from 'node:stream';
import { type RouteResponse, streamResponse } from './route.ts';

/** Rows per chunk of a list without pages; a longer list is streamed in such chunks. */
export const PIECE = 5_000;

/**
 * A list without pages as a JSON array in bounded memory, whatever its length. No database connection is kept between
 * two chunks, however slowly the client reads.
 */
export async function streamJsonArray<Row, Item>(
  pieces: AsyncGenerator<Row[]>,
  toWire: (row: Row) => Item,
): Promise<Item[] | RouteResponse<Readable>> {
  const first = await pieces.next();
  if (first.done) return [];
  const second = await pieces.next();
  if (second.done) return first.value.map(toWire);
  return streamResponse(
    Readable.from(texts([first.value, second.value], pieces, toWire)),
    'application/json; charset=utf-8',
  );
}

/** Keyset chunks: each begins after the last row of the previous one. */
export async function* keysetChunks<Row>(pieceAfter: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const piece = await pieceAfter(last);
    if (piece.length > 0) yield piece;
    if (piece.length < PIECE) return;
    last = piece.at(-1);
  }
}

/** Rows that are already in memory, in small chunks: their garbage is collected young. */
export async function* piecesOf<Row>(rows: readonly Row[]): AsyncGenerator<Row[]> {
  for (let from = 0; from < rows.length; from += SMALL_PIECE) yield rows.slice(from, from + SMALL_PIECE);
}

const SMALL_PIECE = 500;

async function* texts<Row, Item>(
  begun: readonly Row[][],
  rest: AsyncGenerator<Row[]>,
  toWire: (row: Row) => Item,
): AsyncGenerator<string> {
  let before = '[';
  for await (const piece of chainChunks(begun, rest)) {
    // Its rows may have been deleted concurrently.
    if (piece.length === 0) continue;
    yield before + JSON.stringify(piece.map(toWire)).slice(1, -1);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

async function* chainChunks<Row>(begun: readonly Row[][], rest: AsyncGenerator<Row[]>): AsyncGenerator<Row[]> {
  yield* begun;
  yield* rest;
}
