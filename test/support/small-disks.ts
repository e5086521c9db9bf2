import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A disk in memory that can be filled. */
export interface SmallDisk {
  readonly folder: string;
  /** Leaves so many bytes free. */
  fill(leaving?: number): Promise<void>;
  /** Makes room again. */
  empty(): Promise<void>;
  remove(): void;
}

/** Only root may mount; the reason otherwise. */
export function mountSmallDisk(megabytes: number): SmallDisk | string {
  const folder = mkdtempSync(join(tmpdir(), 'partidas-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (error) {
    rmSync(folder, { recursive: true });
    return `no disk can be mounted here: ${(error as Error).message.split('\n')[0]}`;
  }
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill: async (leaving = 0) => {
      const { bavail, bsize } = await statfs(folder);
      const file = await open(ballast, 'a');
      try {
        const bytes = Math.max(0, bavail * bsize - leaving);
        for (let left = bytes; left > 0; left -= CHUNK.length) await file.write(CHUNK, 0, Math.min(left, CHUNK.length));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        await file.close();
      }
    },
    empty: () => rm(ballast, { force: true }),
    remove: () => {
      execFileSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const CHUNK = Buffer.alloc(1_048_576, 1);
