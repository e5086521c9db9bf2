import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { reasonOf, runCommand } from '../../scripts/admin-commands.ts';
import type { Platform } from './platform.ts';

interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** `npm run admin -- …` as a process of its own on the database of a running platform. */
export function runAdmin(
  { ownerUrl }: Pick<Platform, 'ownerUrl'>,
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return runAdminWith({ DATABASE_URL: ownerUrl, ...environment }, words);
}

/** The same for an installation with these settings. */
export function runAdminWith(settings: Readonly<Record<string, string>>, words: readonly string[]): Promise<Ended> {
  const env = { ...process.env, ...settings };
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, ...words], { env }, (error, out, err) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, out, err }),
    );
  });
}

/** The same, to be killed. */
export function spawnAdmin(settings: Readonly<Record<string, string>>, words: readonly string[]): ChildProcess {
  return spawn(process.execPath, [SCRIPT, ...words], { env: { ...process.env, ...settings }, stdio: 'ignore' });
}

/** Why the command line rejects the words: what such a process writes to its error output. */
export async function rejectionOf({ ownerUrl }: Pick<Platform, 'ownerUrl'>, words: readonly string[]): Promise<string> {
  try {
    await runCommand(words, { ...process.env, DATABASE_URL: ownerUrl });
  } catch (error) {
    const reason = reasonOf(error);
    if (typeof reason === 'string') return reason;
    throw error;
  }
  throw new Error(`admin ${words.join(' ')} was done`);
}

const SCRIPT = fileURLToPath(new URL('../../scripts/admin.ts', import.meta.url));
