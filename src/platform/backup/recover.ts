import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../config.ts';
import { type LoneConnection, withOwnerConnection } from '../database/connections.ts';
import { SQLSTATE, sqlState } from '../database/errors.ts';
import { writeFor } from '../embedded-postgres/files.ts';
import { anyPort, launch } from '../embedded-postgres/launch.ts';
import { livePostmaster, RECOVERY_MS } from '../embedded-postgres/postmaster.ts';
import { DATABASE, PASSWORD_FILE, reasonIn, type Server, urlOf } from '../embedded-postgres/server.ts';
import { stopServer } from '../embedded-postgres/stop.ts';

/** How far the log is followed. */
export interface RecoveryTarget {
  /** The end of the backup when absent. */
  readonly until?: Date | 'latest' | undefined;
  /** That of the backup when absent. */
  readonly timeline?: number | undefined;
}

/**
 * Starts a server on a restored folder, has it follow its log to the target and begin a timeline of its own, works with
 * it and stops it. @throws StartError with PostgreSQL's reason
 */
export async function withRecovered<T>(
  server: Server,
  target: RecoveryTarget,
  overrides: Readonly<Record<string, string>>,
  work: (client: LoneConnection, url: string) => Promise<T>,
): Promise<T> {
  await writeFor(server.owner, join(server.pgdata, 'recovery.signal'), '');
  const port = await anyPort();
  try {
    const failure = await launch(server, port, { ...targetSettings(target), ...overrides });
    if (failure !== undefined) throw new StartError(`the restored database does not start: ${failure.reason}`);
    const url = urlOf(port, await readFile(join(server.pgdata, PASSWORD_FILE), 'utf8'), DATABASE);
    await untilRecovered(server, url);
    return await withOwnerConnection(url, (client) => work(client, url));
  } finally {
    await stopServer(server);
  }
}

/** The server takes no connection before; it ends when it cannot reach the target. */
async function untilRecovered(server: Server, url: string): Promise<void> {
  for (const giveUp = Date.now() + RECOVERY_MS; ; await sleep(100)) {
    const failure = await withOwnerConnection(url, async () => undefined).catch((error: unknown) => error);
    if (failure === undefined) return;
    if ((await livePostmaster(server)) === undefined) {
      const messages = await readFile(join(server.folder, 'postgres.log'), 'utf8');
      const reason = reasonIn(messages.replaceAll(/^.*database system is (?:not accepting|starting up).*$/gm, ''));
      throw new StartError(`the restored database does not start: ${reason}`);
    }
    if (sqlState(failure) !== SQLSTATE.CANNOT_CONNECT_NOW || Date.now() > giveUp) throw failure;
  }
}

function targetSettings({ until, timeline }: RecoveryTarget): Record<string, string> {
  return {
    // What it needs has been copied to its place: nothing is fetched.
    restore_command: 'false',
    // Whoever connects finds the end of the recovery.
    hot_standby: 'off',
    recovery_target_action: 'promote',
    recovery_target_timeline: until === undefined ? 'current' : String(timeline ?? 'current'),
    ...(until === undefined ? { recovery_target: 'immediate' } : {}),
    ...(until instanceof Date ? { recovery_target_time: until.toISOString().replace('Z', '+00') } : {}),
  };
}
