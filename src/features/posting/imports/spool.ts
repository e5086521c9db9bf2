import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import iconv from 'iconv-lite';
import { BusinessError, problem, reject } from '../../../accounting/problem.ts';
import { BINARY, MAX_SIGNATURE, otherFormat } from './other-formats.ts';

/** An upload on disk, complete before the database is touched, so that a disconnected client leaves nothing. */
export interface SpooledFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly encoding: 'utf8' | 'latin1' | 'windows-1252';
  remove(): Promise<void>;
}

/**
 * Writes the stream to a temporary file, hashing it and finding out its encoding: UTF-8 when every byte agrees, else
 * the single-byte one given. Throws for binary content (NUL).
 */
export async function writeToTemporaryFile(
  source: Readable & { truncated?: boolean },
  otherEncoding: 'latin1' | 'windows-1252',
  maxBytes: number,
  /** Throws for bytes beyond the user's share of the disk. */
  take: (bytes: number) => void = () => {},
): Promise<SpooledFile> {
  const folder = await mkdtemp(join(tmpdir(), `partidas-import-${process.pid}-`));
  const path = join(folder, 'upload');
  const remove = () => rm(folder, { recursive: true, force: true });
  const hash = createHash('sha256');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let bytes = 0;
  let isUtf8 = true;
  let isBinary = false;
  let head = Buffer.alloc(0);
  const inspect = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) return done(new BusinessError(problem('BODY_TOO_LARGE')));
      try {
        take(chunk.length);
      } catch (error) {
        return done(error as Error);
      }
      hash.update(chunk);
      if (head.length < MAX_SIGNATURE) {
        head = Buffer.concat([head, chunk]).subarray(0, MAX_SIGNATURE);
        const other = otherFormat(head);
        if (other) return done(new BusinessError(problem('FILE_UNREADABLE', other, 'file')));
      }
      isBinary ||= chunk.includes(0);
      if (isUtf8) isUtf8 = decodes(() => decoder.decode(chunk, { stream: true }));
      return done(null, chunk);
    },
  });
  try {
    // A rejection in the middle of the body still needs a response on the same connection.
    await pipeline(source.iterator({ destroyOnReturn: false }), inspect, createWriteStream(path));
    if (source.truncated) reject('BODY_TOO_LARGE');
    if (isUtf8) isUtf8 = decodes(() => decoder.decode());
    if (isBinary) reject('FILE_UNREADABLE', BINARY, 'file');
    return { path, bytes, sha256: hash.digest('hex'), encoding: isUtf8 ? 'utf8' : otherEncoding, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The file's text, decoded, without byte order mark. */
export function textOf(file: Pick<SpooledFile, 'path' | 'encoding'>, pieceBytes = 1 << 18): NodeJS.ReadWriteStream {
  return createReadStream(file.path, { highWaterMark: pieceBytes }).pipe(iconv.decodeStream(file.encoding));
}

function decodes(decode: () => unknown): boolean {
  try {
    decode();
    return true;
  } catch {
    return false;
  }
}
