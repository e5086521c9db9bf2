import { statfs } from 'node:fs/promises';
import { SQLSTATE, StorageFull } from './database/errors.ts';

/** The disk has less free space than the reserve for the database. */
export class DiskFull extends Error {}

/** Protects the disk reserve of the database from files that can wait. */
export interface DiskSpace {
  /** Throws DiskFull while less than the reserve is free. */
  requireSpace(): Promise<void>;
  /** Bytes; what is free is what the program may use of it. */
  measure(): Promise<{ readonly free: number; readonly size: number }>;
}

/** Maximum age of the measured free space, in milliseconds. */
const LOOKED_AT_MS = 1_000;

export function watchDisk(folder: string, reserveBytes: number): DiskSpace {
  let free = Promise.resolve(Number.POSITIVE_INFINITY);
  let lookedAt = Number.NEGATIVE_INFINITY;
  const measure = async () => {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free: bavail * bsize, size: blocks * bsize };
  };
  return {
    measure,
    async requireSpace() {
      if (performance.now() - lookedAt >= LOOKED_AT_MS) {
        lookedAt = performance.now();
        // A missing folder, or a system without statfs, rejects nothing.
        free = measure().then(
          (disk) => disk.free,
          () => Number.POSITIVE_INFINITY,
        );
      }
      if ((await free) < reserveBytes) throw new DiskFull('the disk is nearly full');
    },
  };
}

/** Whether there was no space: by the reserve, or for a write, ours or the database's. */
export function isDiskFull(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code;
  return error instanceof DiskFull || error instanceof StorageFull || NO_SPACE.has(code);
}

const NO_SPACE: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', SQLSTATE.DISK_FULL]);
