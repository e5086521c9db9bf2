import { randomUUID } from 'node:crypto';
import { link, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SealKeyError } from './seal-key-error.ts';

/** What says where a file is, for who reads that it cannot be written. */
type FileSetting = 'SEAL_KEY_FILE' | 'DATA_DIR';

/**
 * Writes a file so that it is there whole or not at all, also after a power cut: a key that has signed must not be lost.
 * Without `replace` a file that is there stays, and the answer is false.
 * @throws SealKeyError
 */
export async function writeWhole(
  path: string,
  text: string,
  { setting, mode, replace }: { readonly setting: FileSetting; readonly mode: number; readonly replace: boolean },
): Promise<boolean> {
  const temporary = `${path}.${randomUUID()}.new`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    try {
      await writeDown(temporary, text, { flags: 'wx', mode });
      if (replace) await rename(temporary, path);
      else await link(temporary, path);
    } finally {
      await rm(temporary, { force: true });
    }
    await writeDownEntries(dirname(path));
    return true;
  } catch (error) {
    if (!replace && (error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw notWritten(setting, path, error);
  }
}

/** Adds a line at the end, on the disk when this resolves; one before it that was torn stays by itself. @throws SealKeyError */
export async function appendLine(path: string, line: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeDown(path, `\n${line}\n`, { flags: 'a', mode: 0o644 });
    await writeDownEntries(dirname(path));
  } catch (error) {
    throw notWritten('SEAL_KEY_FILE', path, error);
  }
}

async function writeDown(
  path: string,
  text: string,
  { flags, mode }: { readonly flags: string; readonly mode: number },
): Promise<void> {
  const file = await open(path, flags, mode);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The names in a folder. Windows opens none. */
async function writeDownEntries(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const entries = await open(folder, 'r');
  try {
    await entries.sync();
  } finally {
    await entries.close();
  }
}

function notWritten(setting: FileSetting, path: string, error: unknown): SealKeyError {
  return new SealKeyError(`${setting}: ${path} cannot be written (${(error as NodeJS.ErrnoException).code})`);
}

export function isAbsent(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ENOENT';
}
