import { access, constants } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { type Config, StartError } from './config.ts';
import { isDiskFull } from './disk-space.ts';
import { makeFolder } from './embedded-postgres/files.ts';
import { logFolder } from './log.ts';

/** The folders that every process writes into; those of the database and of seals are tried by whoever opens them. @throws StartError */
export async function requireWritableFolders({ dataDir, logTarget }: Config): Promise<void> {
  await requireWritable('DATA_DIR', dataDir);
  if (logTarget === 'files') await requireWritable('DATA_DIR', logFolder(dataDir));
  await requireWritable(process.platform === 'win32' ? 'TEMP' : 'TMPDIR', tmpdir());
}

async function requireWritable(setting: string, path: string): Promise<void> {
  const folder = resolve(path);
  try {
    await makeFolder(folder);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    // The program runs with a full disk.
    if (isDiskFull(error)) return;
    const { code } = error as NodeJS.ErrnoException;
    throw new StartError(`${setting}: ${folder} cannot be written (${code})`, { cause: error });
  }
}
