import { Readable } from 'node:stream';
import { type RouteResponse, streamResponse } from './route.ts';

/** Rows read and sent at once of a list that has no pages; a longer list leaves as a stream of such pieces. */
export const PIECE = 5_000;

/**
 * A list without pages as a JSON array in bounded memory, whatever its length. Between two pieces no connection is held,
 * however slowly the client reads.
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

/** Pieces of which each begins behind the last row of the one before. */
export async function* keysetChunks<Row>(pieceAfter: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const piece = await pieceAfter(last);
    if (piece.length > 0) yield piece;
    if (piece.length < PIECE) return;
    last = piece.at(-1);
  }
}

/** Rows that are all read already. What is made of a small piece is garbage before it grows old, and is sent meanwhile. */
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
    // Its rows may have been deleted meanwhile.
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
