import { readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../../platform/database/database.ts';
import { systemSql } from '../../../platform/database/system-scope.ts';
import type { Log } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/metrics.ts';
import { startTurns, type Turns } from '../../../platform/turns.ts';
import {
  HOURLY_SWEEPS,
  type Retention,
  SWEEPS,
  SWEEPS_OF_AUTHENTICATION,
  type Sweep,
  takeCleaning,
} from './cleanup.sql.ts';

const EVERY_MS = 60_000;
const TURNS_OF_AN_HOUR = 60;
/** Rows of one statement, so that none holds many locks, and the most pieces of one table in a turn. */
const PIECE = 1_000;
const MAX_PIECES = 100;
const HOUR_MS = 60 * 60 * 1_000;
/** Files in the folder for temporary ones that a process makes while it lives: an upload, a report, a part of one. */
const TEMPORARY = /^partidas-(?:draft|import|report|spool)-(?:(\d{1,9})-)?/;
/** Files without a process id, or with a reused one, are removed when no request can be that old. */
const TEMPORARY_MS = 24 * HOUR_MS;

export interface CleanupOptions {
  /** Of a process that works on jobs. */
  readonly database: Database | undefined;
  /** The authentication service's, where it runs in this process: no other login may remove what is its own. */
  readonly authentication: Database | undefined;
  readonly retention: Retention;
  readonly now: () => Date;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'removed'>;
}

/** Removes at the start and every minute what has expired, and what killed processes of this machine left in its temporary folder. */
export function startCleanup(options: CleanupOptions): Turns {
  return startTurns(async (signal, turn) => {
    await cleanUp(options, { signal, isHourly: turn % TURNS_OF_AN_HOUR === 0 }).catch((error) =>
      options.log.warn({ err: error }, 'cleanup'),
    );
    return EVERY_MS;
  });
}

/** One turn. */
export async function cleanUp(
  options: CleanupOptions,
  { signal, isHourly = true }: { readonly signal?: AbortSignal; readonly isHourly?: boolean } = {},
): Promise<void> {
  const { database, authentication, metrics } = options;
  if (database) await sweepAll(database, isHourly ? { ...SWEEPS, ...HOURLY_SWEEPS } : SWEEPS, options, signal);
  if (authentication) await sweepAll(authentication, SWEEPS_OF_AUTHENTICATION, options, signal);
  metrics.removed.inc({ what: 'temporary_file' }, await removeTemporaryFiles());
}

async function sweepAll(
  database: Database,
  sweeps: Readonly<Record<string, Sweep>>,
  { retention, now, metrics, log }: CleanupOptions,
  signal?: AbortSignal,
): Promise<void> {
  const removePiece = (sweep: Sweep) =>
    systemSql(database).transaction(async (sql) =>
      // Another process is cleaning up.
      (await takeCleaning(sql)) ? sweep(sql, PIECE, retention, now()) : 0,
    );
  for (const [what, sweep] of Object.entries(sweeps)) {
    try {
      for (let piece = 0; piece < MAX_PIECES && !signal?.aborted; piece++) {
        const removed = await removePiece(sweep);
        metrics.removed.inc({ what }, removed);
        if (removed === 0) break;
      }
    } catch (error) {
      // A failure in one table does not stop the others.
      log.warn({ err: error, what }, 'cleanup');
    }
  }
}

async function removeTemporaryFiles(): Promise<number> {
  let removed = 0;
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const found = TEMPORARY.exec(name);
    if (found === null) continue;
    const path = join(tmpdir(), name);
    const age = await ageOf(path);
    if (!isAbandoned(found[1], age) && age <= TEMPORARY_MS) continue;
    // Processes of another user are not this program's.
    const isGone = await rm(path, { recursive: true, force: true }).then(
      () => true,
      () => false,
    );
    if (isGone) removed++;
  }
  return removed;
}

/** In containers each process has the same id: what is older than this one is its predecessor's. */
function isAbandoned(pid: string | undefined, age: number): boolean {
  if (pid === undefined) return false;
  return Number(pid) === process.pid ? age > process.uptime() * 1_000 : !isAlive(Number(pid));
}

async function ageOf(path: string): Promise<number> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
  return Date.now() - mtimeMs;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code !== 'ESRCH';
  }
}
