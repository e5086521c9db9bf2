import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../config.ts';
import { PROGRAM_NAME, withOwnerConnection } from '../database/connections.ts';
import { readIfThere } from './files.ts';
import { isAlive, livePostmaster } from './postmaster.ts';
import { DATABASE, runServer, type Server, urlOf } from './server.ts';

const STOP_MS = 7_000;
/** How long the server may show connections that are closed already. */
const NOTICE_MS = 1_500;

export async function leave(server: Server, password: string): Promise<void> {
  const live = await livePostmaster(server);
  if (live === undefined) return;
  if (!server.throwaway && (await isUsedByOthers(urlOf(live.port, password, DATABASE)))) {
    server.log(`left PostgreSQL on 127.0.0.1:${live.port} to another program`);
    return;
  }
  await stopServer(server);
}

/** The caller has closed its own connections; the server may take a moment to notice. */
async function isUsedByOthers(url: string): Promise<boolean> {
  const connected = () =>
    withOwnerConnection(url, async (client) => {
      const { rowCount } = await client.query(
        `SELECT 1 FROM pg_stat_activity
          WHERE pg_stat_activity.application_name LIKE '${PROGRAM_NAME}%' AND pg_stat_activity.pid <> pg_backend_pid()`,
      );
      return rowCount !== 0;
    }).catch(() => false);
  for (const giveUp = Date.now() + NOTICE_MS; await connected(); await sleep(100)) {
    if (Date.now() > giveUp) return true;
  }
  return false;
}

/** By signals, because node_modules may have been replaced under the running server. */
export async function stopServer(server: Server): Promise<void> {
  const live = await livePostmaster(server);
  if (live === undefined) return;
  for (const [signal, name] of [
    ['SIGINT', 'INT'],
    ['SIGQUIT', 'QUIT'],
  ] as const) {
    if (process.platform === 'win32') await runServer(server, 'pg_ctl', ['kill', name, String(live.pid)]);
    else if (isAlive(live.pid)) process.kill(live.pid, signal);
    if (await waitUntilGone(STOP_MS, server, live.pid)) return;
  }
  throw new StartError(`data folder ${server.folder}: the database server, process ${live.pid}, does not stop`);
}

/** The file goes last; a process may stay as a zombie where nobody collects it. */
async function waitUntilGone(milliseconds: number, server: Server, pid: number): Promise<boolean> {
  const file = join(server.pgdata, 'postmaster.pid');
  for (const giveUp = Date.now() + milliseconds; Date.now() < giveUp; await sleep(50)) {
    if (!isAlive(pid) || !(await readIfThere(file))?.startsWith(`${pid}\n`)) return true;
  }
  return false;
}
