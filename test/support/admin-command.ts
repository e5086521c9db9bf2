import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Platform } from './platform.ts';

/** `npm run admin -- …` as a process of its own on the database of a running platform. */
export function runAdmin(
  { ownerUrl }: Pick<Platform, 'ownerUrl'>,
  words: readonly string[],
): Promise<{ code: number; out: string; err: string }> {
  const env = { ...process.env, DATABASE_URL: ownerUrl };
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, ...words], { env }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, out, err }),
    );
  });
}

const SCRIPT = fileURLToPath(new URL('../../scripts/admin.ts', import.meta.url));
