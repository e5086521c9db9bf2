import { join } from 'node:path';
import { type LogFn, type Logger, type LoggerOptions, pino } from 'pino';
import { GatheredLines, OpenDescriptor } from './gathered-lines.ts';
import { redactLine } from './redact.ts';
import { RolledFile } from './rolled-file.ts';

export type Log = Logger;

/** Where log lines go: DATA_DIR/logs/<service>.<n>.log, a new file each day or when one is full; or standard output. */
export type LogTarget = 'files' | 'stdout';

interface LogOptions {
  readonly dataDir: string;
  readonly level: string;
  readonly to?: LogTarget;
  /** Bytes of one file, and files of a service that are kept. */
  readonly files?: { readonly bytes: number; readonly keep: number };
  /** Writes nothing (tests). */
  readonly silent?: boolean;
}

export function logFolder(dataDir: string): string {
  return join(dataDir, 'logs');
}

/** JSON lines of one service into its rolled file or standard output. */
export async function openLog(service: string, options: LogOptions): Promise<Log> {
  const settings = {
    level: options.silent ? (process.env.TEST_LOG ?? 'silent') : options.level,
    base: { service },
    redact: { paths: SECRETS, censor: '[removed]' },
    hooks: {
      logMethod: writeOrLose,
      // The paths above find fields; this finds what messages and errors carry in their text.
      streamWrite: redactLine,
    },
  };
  if (options.silent) return pino(settings);
  return logInto(settings, options.to === 'stdout' ? standardOutput() : await rolledFile(service, options));
}

/** A line that cannot be made (an object whose field throws) is lost; what it was about goes on. */
function writeOrLose(this: Logger, args: Parameters<LogFn>, method: LogFn): void {
  try {
    method.apply(this, args);
  } catch {
    this.error('a line of the log could not be made');
  }
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

const USUAL_FILES = { bytes: 20 * 1024 * 1024, keep: 10 };

async function rolledFile(service: string, { dataDir, files = USUAL_FILES }: LogOptions): Promise<GatheredLines> {
  const folder = logFolder(dataDir);
  const file = new RolledFile({ folder, name: service, ...files });
  // What fails is tried again, and reported, when a line is written: the disk may be full for now.
  await file.open().catch(() => {});
  return new GatheredLines(file, service);
}

let output: GatheredLines | undefined;

/** One for all services, so that their lines do not mix. */
function standardOutput(): GatheredLines {
  output ??= new GatheredLines(new OpenDescriptor(process.stdout.fd), 'all services');
  return output;
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
