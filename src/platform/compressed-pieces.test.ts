import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openCompressed, PIECE_BYTES, storeCompressed } from './compressed-pieces.ts';

const MEBIBYTE = 1_048_576;
const CHUNK_BYTES = 65_536;

/** 32 MiB that cannot be compressed, and how many of them were asked for. */
function source(): { bytes: Readable; given: () => number } {
  let given = 0;
  const chunks = function* () {
    for (; given < 32 * MEBIBYTE; given += CHUNK_BYTES) yield randomBytes(CHUNK_BYTES);
  };
  return { bytes: Readable.from(chunks(), { objectMode: false, highWaterMark: CHUNK_BYTES }), given: () => given };
}

async function kept(bytes: Readable): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  await storeCompressed(bytes, async (content, piece) => {
    expect(piece).toBe(pieces.length);
    pieces.push(content);
  });
  return pieces;
}

const read = (pieces: readonly Buffer[]) => openCompressed(Readable.from(pieces)).toArray().then(Buffer.concat);

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a byte', Buffer.from('x')],
  ['a text', Buffer.from('Balancete'.repeat(100_000))],
  ['several pieces', randomBytes(3 * PIECE_BYTES + 1)],
])('%s comes back as it was', async (_, bytes) => {
  const pieces = await kept(Readable.from([bytes], { objectMode: false }));
  expect(pieces.length).toBeGreaterThan(0);
  expect((await read(pieces)).equals(bytes)).toBe(true);
});

test('a piece that is gone, the last one included, or a changed byte is found', async () => {
  const pieces = await kept(Readable.from([randomBytes(3 * PIECE_BYTES)], { objectMode: false }));
  await expect(read(pieces.slice(0, -1))).rejects.toThrow();
  await expect(read(pieces.slice(1))).rejects.toThrow();
  await expect(read(pieces.toSpliced(1, 1))).rejects.toThrow();
  const changed = Buffer.from(pieces[1]!);
  changed[1_000]! ^= 1;
  await expect(read(pieces.with(1, changed))).rejects.toThrow();
});

test('no more of a file is held than some pieces, however slowly they are stored or read', async () => {
  const { bytes, given } = source();
  let stored = 0;
  let held = 0;
  await storeCompressed(bytes, async (content) => {
    for (let wait = 0; wait < 20; wait++) await turn();
    stored += content.length;
    held = Math.max(held, given() - stored);
  });
  expect(given()).toBe(32 * MEBIBYTE);
  expect(held).toBeLessThan(2 * MEBIBYTE);

  const pieces = await kept(source().bytes);
  let opened = 0;
  let answered = 0;
  const counted = function* () {
    for (const piece of pieces) {
      opened += piece.length;
      yield piece;
    }
  };
  held = 0;
  for await (const chunk of openCompressed(Readable.from(counted()))) {
    for (let wait = 0; wait < 3; wait++) await turn();
    answered += (chunk as Buffer).length;
    held = Math.max(held, opened - answered);
  }
  expect(answered).toBe(32 * MEBIBYTE);
  expect(held).toBeLessThan(2 * MEBIBYTE);
});

test('storing ends where the database fails, and reading where its source does', async () => {
  const failed = storeCompressed(source().bytes, () => Promise.reject(new Error('no room')));
  await expect(failed).rejects.toThrow('no room');
  const broken = async function* () {
    yield (await kept(Readable.from([randomBytes(PIECE_BYTES)], { objectMode: false })))[0]!;
    throw new Error('connection lost');
  };
  await expect(openCompressed(broken() as AsyncGenerator<Buffer>).toArray()).rejects.toThrow('connection lost');
});
