import { rename, rm } from 'node:fs/promises';
import type { MakeFile } from '../src/features/reporting/filing-precheck/write-checked-books.ts';
import { StartError } from '../src/platform/config.ts';
import { writeToFile } from '../src/platform/write-to-file.ts';

/**
 * Writes a file beside its name, and gives it the name when it is whole and wanted. A file that cannot be written is a
 * StartError.
 */
export async function writeWholeFile<Done>(
  path: string,
  work: (makeFile: MakeFile) => Promise<Done>,
  { isWanted = () => true }: { readonly isWanted?: (done: Done) => boolean } = {},
): Promise<Done> {
  const part = `${path}.part`;
  try {
    const done = await work((make) => writeToFile(part, make));
    if (isWanted(done)) await rename(part, path);
    return done;
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    throw syscall === undefined ? error : new StartError(`${path} cannot be written (${code})`);
  } finally {
    await rm(part, { force: true });
  }
}
