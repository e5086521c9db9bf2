import { chmod, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Logger, type LoggerOptions, pino } from 'pino';
// @ts-expect-error It brings no types.
import roll from 'pino-roll';
import { GatheredLines, OpenDescriptor } from './gathered-lines.ts';
import { redactLine } from './redact.ts';

export type Log = Logger;

/** Where log lines go: DATA_DIR/logs/<service>.<n>.log, a new file each day or 20 MB, ten kept; or standard output. */
export type LogTarget = 'files' | 'stdout';

export function logFolder(dataDir: string): string {
  return join(dataDir, 'logs');
}

/** JSON lines of one service into its rolled file or standard output; `silent` writes nothing (tests). */
export async function openLog(
  service: string,
  options: { dataDir: string; level: string; to?: LogTarget; silent?: boolean },
): Promise<Log> {
  const settings = {
    level: options.silent ? (process.env.TEST_LOG ?? 'silent') : options.level,
    base: { service },
    redact: { paths: SECRETS, censor: '[removed]' },
    // The paths above find fields; this finds what messages and errors carry in their text.
    hooks: { streamWrite: redactLine },
  };
  if (options.silent) return pino(settings);
  return logInto(settings, options.to === 'stdout' ? standardOutput() : await rolledFile(service, options.dataDir));
}

/**
 * The same log for objects whose fields the program names itself, none of them a secret. To look for secrets in each field
 * takes longer than to write the line; its text is searched all the same.
 */
export function plainLines(log: Log): Log {
  return PLAIN.get(log) ?? log;
}

const PLAIN = new WeakMap<Log, Log>();

function logInto({ redact, ...plain }: LoggerOptions, target: GatheredLines): Log {
  const log = pino({ ...plain, redact }, target);
  PLAIN.set(log, pino(plain, target));
  return log;
}

/** Bytes that a file keeps for a second attempt while it cannot be written. */
const MOST_KEPT = 4 * 1024 * 1024;

async function rolledFile(service: string, dataDir: string): Promise<GatheredLines> {
  await makePrivate(logFolder(dataDir));
  // In this thread: one of its own for each file costs 25 MB.
  const file = await roll({
    file: join(logFolder(dataDir), service),
    extension: '.log',
    frequency: 'daily',
    size: '20m',
    mode: FILE_MODE,
    sync: false,
    maxLength: MOST_KEPT,
    limit: { count: 10 },
  });
  return new GatheredLines(file, `the log of ${service}`);
}

let output: GatheredLines | undefined;

/** One for all services, so that their lines do not mix. */
function standardOutput(): GatheredLines {
  output ??= new GatheredLines(new OpenDescriptor(process.stdout.fd), 'the log');
  return output;
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
