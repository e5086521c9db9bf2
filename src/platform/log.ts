import { chmod, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
// @ts-expect-error It brings no types.
import roll from 'pino-roll';
import { redactLine } from './redact.ts';

export type Log = Logger;

/** Where a service's log lines go: DATA_DIR/logs/<service>.<n>.log, a new file each day or 20 MB, ten kept. */
export function logFolder(dataDir: string): string {
  return join(dataDir, 'logs');
}

/** JSON lines of one service into its rolled file; `silent` writes nothing (tests). */
export async function openLog(
  service: string,
  options: { dataDir: string; level: string; silent?: boolean },
): Promise<Log> {
  const settings = {
    level: options.silent ? (process.env.TEST_LOG ?? 'silent') : options.level,
    base: { service },
    redact: { paths: SECRETS, censor: '[removed]' },
    // The paths above find fields; this finds what messages and errors carry in their text.
    hooks: { streamWrite: redactLine },
  };
  if (options.silent) return pino(settings);
  await makePrivate(logFolder(options.dataDir));
  // In this thread: a thread of its own for each file costs 25 MB, and a line is one buffered write.
  const file = await roll({
    file: join(logFolder(options.dataDir), service),
    extension: '.log',
    frequency: 'daily',
    size: '20m',
    mode: FILE_MODE,
    sync: true,
    limit: { count: 10 },
  });
  return pino(settings, file);
}

/** Owner and group alone read what happened; also in what an earlier version has written. */
const FILE_MODE = 0o640;
const FOLDER_MODE = 0o750;

async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE });
  await chmod(folder, FOLDER_MODE);
  for (const name of await readdir(folder)) await chmod(join(folder, name), FILE_MODE);
}

/** Never in a log line, wherever an object carries them. */
const SECRETS = [
  'password',
  'token',
  'accessToken',
  'authorization',
  'cpf',
  '*.password',
  '*.token',
  '*.accessToken',
  '*.authorization',
  '*.cpf',
  'req.headers.authorization',
  'req.headers.cookie',
];
