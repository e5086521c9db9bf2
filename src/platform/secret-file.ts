import { closeSync, openSync, readSync } from 'node:fs';

/** More is no secret but a wrong path. */
const MOST_BYTES = 65_536;

/** The text of a file that holds a secret, without the end of its last line. @throws Error with a reason of a few words */
export function secretIn(path: string): string {
  const text = contentOf(path).replace(/\r?\n$/, '');
  if (text === '') throw new Error(`${path} is empty`);
  return text;
}

function contentOf(path: string): string {
  const bytes = Buffer.alloc(MOST_BYTES + 1);
  let length = 0;
  try {
    const file = openSync(path, 'r');
    try {
      for (let read = -1; read !== 0 && length <= MOST_BYTES; length += read) {
        read = readSync(file, bytes, length, bytes.length - length, null);
      }
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new Error(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (length > MOST_BYTES) throw new Error(`${path} is larger than ${MOST_BYTES / 1024} KiB`);
  return bytes.toString('utf8', 0, length);
}
