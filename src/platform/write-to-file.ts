import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

/** Takes a portion; the caller may use its buffer again when the promise is fulfilled. */
type WritePortion = (portion: Uint8Array) => Promise<void>;

/** Writes a file of the owner's alone, portion by portion and no faster than the disk takes them; whole when this ends. */
export async function writeToFile<Done>(path: string, work: (write: WritePortion) => Promise<Done>): Promise<Done> {
  const file = createWriteStream(path, { mode: 0o600 });
  // Without a listener a full disk would end the process; whoever writes finds the error on the stream.
  file.on('error', () => {});
  try {
    const done = await work(async (portion) => {
      // The stream keeps what it has not written, the caller goes on with its buffer.
      if (!file.write(Buffer.from(portion))) await once(file, 'drain');
    });
    file.end();
    await finished(file);
    return done;
  } catch (error) {
    throw file.errored ?? error;
  } finally {
    file.destroy();
  }
}
