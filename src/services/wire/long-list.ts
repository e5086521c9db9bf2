import { Readable } from 'node:stream';
import { type Answer, streamed } from './route.ts';

/** Rows read and sent at once of a list that has no pages; a longer list leaves as a stream of such pieces. */
export const PIECE = 5_000;

/**
 * A list without pages as a JSON array in bounded memory, whatever its length: `pieceAfter` reads the next PIECE rows
 * behind the given one. Between two pieces no connection is held, however slowly the client reads.
 */
export async function longList<Row, Item>(
  pieceAfter: (last: Row | undefined) => Promise<Row[]>,
  toWire: (row: Row) => Item,
): Promise<Item[] | Answer> {
  const first = await pieceAfter(undefined);
  if (first.length < PIECE) return first.map(toWire);
  return streamed(Readable.from(texts(first, pieceAfter, toWire)), 'application/json; charset=utf-8');
}

async function* texts<Row, Item>(
  first: Row[],
  pieceAfter: (last: Row | undefined) => Promise<Row[]>,
  toWire: (row: Row) => Item,
): AsyncGenerator<string> {
  let before = '[';
  for (let piece = first; piece.length > 0; piece = await pieceAfter(piece.at(-1))) {
    yield before + JSON.stringify(piece.map(toWire)).slice(1, -1);
    before = ',';
    if (piece.length < PIECE) break;
  }
  yield ']';
}
