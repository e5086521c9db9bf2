import { createHash, type Hash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { open, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartError } from '../config.ts';
import type { TarTarget } from './tar-reader.ts';

/** A file of a backup, within the folder of its files. */
export interface BackedUpFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** Writes what a tar holds into a folder, for its owner alone, and notes each file's size and SHA-256. */
export class FolderWriter implements TarTarget {
  readonly files: BackedUpFile[] = [];
  readonly folders: string[] = [];
  private readonly root: string;
  private present: { path: string; descriptor: number; hash: Hash; size: number } | undefined;

  constructor(root: string) {
    this.root = root;
  }

  folder(path: string): void {
    mkdirSync(join(this.root, path), { recursive: true, mode: 0o700 });
    this.folders.push(path);
  }

  file(path: string): void {
    const full = join(this.root, path);
    mkdirSync(dirname(full), { recursive: true, mode: 0o700 });
    this.present = { path, descriptor: openSync(full, 'wx', 0o600), hash: createHash('sha256'), size: 0 };
  }

  bytes(piece: Buffer): void {
    const { descriptor, hash } = this.present!;
    for (let from = 0; from < piece.length; ) from += writeSync(descriptor, piece, from);
    hash.update(piece);
    this.present!.size += piece.length;
  }

  end(): void {
    const { path, descriptor, hash, size } = this.present!;
    this.present = undefined;
    closeSync(descriptor);
    this.files.push({ path, size, sha256: hash.digest('hex') });
  }

  /** Files and names then survive a power failure. */
  async sync(): Promise<void> {
    await inParallel(this.files, ({ path }) => syncPath(join(this.root, path), 'r+'));
    for (const path of ['', ...this.folders]) await syncFolder(join(this.root, path));
  }

  /** Closes a file that was cut off. */
  abandon(): void {
    if (this.present !== undefined) closeSync(this.present.descriptor);
    this.present = undefined;
  }
}

/** Names within a folder survive a power failure only after this. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform !== 'win32') await syncPath(path, 'r');
}

async function syncPath(path: string, flags: string): Promise<void> {
  const file = await open(path, flags);
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Waiting for the disk at many places at once takes less than at one after the other. */
const AT_ONCE = 8;

/** Nothing is under way any more when it fails. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  let failure: { readonly error: unknown } | undefined;
  const takeAll = async () => {
    for (const item of queue) {
      if (failure !== undefined) return;
      await work(item).catch((error: unknown) => {
        failure ??= { error };
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeAll));
  if (failure !== undefined) throw failure.error;
}

const PIECE = 1 << 20;

/**
 * Copies the files of a backup, as root or an ordinary user, and compares each with what the manifest says of it.
 * @throws StartError for the first one that is missing or differs.
 */
export async function copyChecked(
  from: string,
  to: string,
  { files, durable }: { readonly files: readonly BackedUpFile[]; readonly durable: boolean },
): Promise<void> {
  await inParallel(files, async (file) => {
    const source = await open(join(from, file.path), 'r').catch((error) => {
      throw error.code === 'ENOENT' ? damaged(from, file, 'is missing') : error;
    });
    try {
      const { size, sha256 } = await copyOne(source, join(to, file.path), durable);
      if (size !== file.size || sha256 !== file.sha256) throw damaged(from, file, 'is not what was written');
    } finally {
      await source.close();
    }
  });
}

function damaged(folder: string, { path }: BackedUpFile, what: string): StartError {
  return new StartError(`${folder} is damaged: ${path} ${what}; take another backup`);
}

type Source = Awaited<ReturnType<typeof open>>;

async function copyOne(source: Source, to: string, durable: boolean): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  const { size: expected } = await source.stat();
  const buffer = Buffer.allocUnsafe(Math.min(PIECE, expected + 1));
  let size = 0;
  const target = await open(to, 'wx', 0o600);
  try {
    for (;;) {
      const { bytesRead } = await source.read(buffer, 0, buffer.length);
      if (bytesRead === 0) break;
      const piece = buffer.subarray(0, bytesRead);
      hash.update(piece);
      await target.writeFile(piece);
      size += bytesRead;
    }
    if (durable) await target.sync();
  } finally {
    await target.close();
  }
  return { size, sha256: hash.digest('hex') };
}

/** Folders of processes that have ended, such as 'proof-4711'; `end` stops what still runs in one. */
export async function removeAbandoned(
  folder: string,
  pattern: RegExp,
  isAlive: (pid: number) => boolean,
  end: (path: string) => Promise<void> = async () => {},
): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = Number(pattern.exec(name)?.[1]);
    if (!(pid > 0) || (pid !== process.pid && isAlive(pid))) continue;
    await end(join(folder, name));
    await rm(join(folder, name), { recursive: true, force: true });
  }
}
