import { join } from 'node:path';
import { type Logger, pino } from 'pino';
// @ts-expect-error It brings no types.
import roll from 'pino-roll';
import { redacted } from './redact.ts';

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
    hooks: { streamWrite: redacted },
  };
  if (options.silent) return pino(settings);
  // In this thread: a thread of its own for each file costs 25 MB, and a line is one buffered write.
  const file = await roll({
    file: join(logFolder(options.dataDir), service),
    extension: '.log',
    frequency: 'daily',
    size: '20m',
    mkdir: true,
    sync: true,
    limit: { count: 10 },
  });
  return pino(settings, file);
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
