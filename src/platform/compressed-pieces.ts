import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';

/** 50 MB take 0.2 s of another thread; higher levels save little. A file that lost its end or a byte is found when it is read. */
const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1, [constants.ZSTD_c_checksumFlag]: 1 } };

/** Bytes of a row that keeps a part of a file. */
export const PIECE_BYTES = 262_144;

/** Hands the compressed bytes (Zstandard) over in numbered pieces, the first 0; each waits for the one before. */
export async function storeCompressed(
  bytes: Readable,
  store: (content: Buffer, piece: number) => Promise<void>,
): Promise<void> {
  let piece = 0;
  await pipeline(bytes, createZstdCompress(FASTEST), async (compressed: AsyncIterable<Buffer>) => {
    for await (const content of piecesOf(compressed)) await store(content, piece++);
  });
}

/** The bytes whose compressed pieces these are. Fails before its end where they are not all there. */
export function openCompressed(pieces: AsyncIterable<Buffer>): Readable {
  const bytes = createZstdDecompress();
  // Its reader hears of a failure.
  void pipeline(Readable.from(pieces), bytes).catch((error) => bytes.destroy(error));
  return bytes;
}

async function* piecesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let gathered: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    gathered.push(chunk);
    bytes += chunk.length;
    if (bytes < PIECE_BYTES) continue;
    yield Buffer.concat(gathered);
    gathered = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(gathered);
}
