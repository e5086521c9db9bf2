import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { logFolder } from '../../../platform/log.ts';

/** A log is read from its end; only this many bytes from the end are read. */
const MAX_BYTES = 16 * 1024 * 1024;
const CHUNK = 256 * 1024;

/** The last lines of a service's rolled files, <service>.<n>.log, the newest one having the highest number. */
export async function tailOfFiles(dataDir: string, service: string, lines: number): Promise<string[]> {
  const folder = logFolder(dataDir);
  const numbers = (await readdir(folder).catch(() => []))
    // eslint-disable-next-line no-restricted-syntax -- of a listed service; the repetition is bounded
    .map((name) => new RegExp(`^${service}\\.(\\d{1,9})\\.log$`).exec(name)?.[1])
    .filter((number) => number !== undefined)
    .sort((a, b) => Number(b) - Number(a));
  let found: string[] = [];
  for (const number of numbers) {
    if (found.length >= lines) break;
    found = [...(await tailOfFile(join(folder, `${service}.${number}.log`), lines - found.length)), ...found];
  }
  return found;
}

async function tailOfFile(path: string, lines: number): Promise<string[]> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const chunks: Buffer[] = [];
    let start = size;
    let breaks = 0;
    // One break more than lines: the last line usually ends with one, and the first one found is whole only after one.
    while (start > 0 && breaks <= lines && size - start < MAX_BYTES) {
      const length = Math.min(CHUNK, start);
      start -= length;
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start);
      const chunk = buffer.subarray(0, bytesRead);
      for (const byte of chunk) if (byte === 10) breaks++;
      chunks.unshift(chunk);
    }
    const all = Buffer.concat(chunks).toString('utf8').split('\n');
    if (all.at(-1) === '') all.pop();
    if (start > 0) all.shift();
    return all.slice(-lines);
  } finally {
    await file.close();
  }
}
