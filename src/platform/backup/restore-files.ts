import { mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../config.ts';
import { copyChecked } from './backup-files.ts';
import { type Backup, FILES } from './manifest.ts';

/** Puts the files of a backup into a new folder, each compared with the manifest. */
export async function restoreFiles({ folder, manifest }: Backup, target: string, durable: boolean): Promise<void> {
  await mkdir(target, { mode: 0o700 });
  for (const path of manifest.folders) await mkdir(join(target, path), { recursive: true, mode: 0o700 });
  await copyChecked(join(folder, FILES), target, { files: manifest.files, durable });
}

/** @throws StartError when a disk has not so much free beyond the reserve. */
export async function requireFree(folder: string, bytes: number, what: string, reserve = 0): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= bytes + reserve) return;
  const beyond = reserve === 0 ? '' : ` beyond the ${megabytes(reserve)} that are left to the database`;
  throw new StartError(`${folder} has ${megabytes(bavail * bsize)} free; ${what} takes ${megabytes(bytes)}${beyond}`);
}

export function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_048_576)} MB`;
}
