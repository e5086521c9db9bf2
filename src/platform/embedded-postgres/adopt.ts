import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../config.ts';
import { withOwnerConnection } from '../database/connections.ts';
import { SQLSTATE, sqlState } from '../database/errors.ts';
import { assertDurable } from './durability.ts';
import { freePort, launch } from './launch.ts';
import { livePostmaster, RECOVERY_MS } from './postmaster.ts';
import { PASSWORD_FILE, ROLE, runServer, type Server, urlOf } from './server.ts';
import { stopServer } from './stop.ts';

export async function ensureRunning(
  server: Server,
  password: string,
  wantedPort?: number,
): Promise<{ port: number; adopted: boolean }> {
  const giveUp = Date.now() + RELEASE_MS;
  for (;;) {
    const live = await livePostmaster(server);
    if (live !== undefined) {
      const unfit = await reasonAgainst(server, password);
      const port = (await livePostmaster(server))?.port;
      if (unfit === undefined && port !== undefined) {
        server.log(`adopted PostgreSQL ${server.version} on 127.0.0.1:${port}, process ${live.pid}`);
        return { port, adopted: true };
      }
      server.log(`stopping the database server of an earlier start, process ${live.pid}: ${unfit ?? 'it ends'}`);
      await stopServer(server);
    }
    const port = wantedPort ?? (await freePort(server));
    const failure = await launch(server, port);
    if (failure === undefined) {
      server.log(`started PostgreSQL ${server.version} on 127.0.0.1:${port}`);
      return { port, adopted: false };
    }
    // Another program took the port or the folder, or a killed server's processes still run.
    if (failure.taken === undefined || Date.now() > giveUp) {
      throw new StartError(`data folder ${server.folder}: ${failure.reason}`);
    }
    if (failure.taken === 'SHARED_MEMORY') await endOrphans(server);
    await sleep(300);
  }
}

/** How long the processes of a killed server may keep its shared memory before the start gives up. */
const RELEASE_MS = 30_000;

/**
 * The processes of a killed postmaster end when they next wait for something: one in the middle of a long statement
 * keeps the shared memory until then.
 */
async function endOrphans(server: Server): Promise<void> {
  if (process.platform !== 'linux') return;
  const script = `for p in /proc/[0-9]*; do
    test "$p/cwd" -ef . && test "$(cat "$p/comm")" = postgres && kill -QUIT "\${p#/proc/}"
  done`;
  await runServer(server, '/bin/sh', ['-c', script]);
}

/** undefined when the running server may be adopted. Waits while it recovers. */
async function reasonAgainst(server: Server, password: string): Promise<string | undefined> {
  const giveUp = Date.now() + RELEASE_MS;
  const recovered = Date.now() + RECOVERY_MS;
  for (let busy = false; Date.now() < (busy ? recovered : giveUp); await sleep(200)) {
    const live = await livePostmaster(server);
    if (live === undefined) return 'it has ended';
    try {
      const answer = withOwnerConnection(urlOf(live.port, password, 'postgres'), async (client) => {
        // Stopping a server that hangs must not end this program.
        client.on('error', () => {});
        if (!server.throwaway) await assertDurable(client);
        const { rows } = await client.query<{ bin: string; archive: string | null; users: number }>(
          `SELECT (SELECT pg_config.setting FROM pg_config() WHERE pg_config.name = 'BINDIR') AS bin,
                  CASE WHEN current_setting('archive_mode') <> 'off'
                       THEN coalesce(current_setting('basic_archive.archive_directory', true), '') END AS archive,
                  (SELECT count(*) FROM pg_stat_activity WHERE pg_stat_activity.backend_type = 'client backend') AS users`,
        );
        return rows[0];
      });
      const found = await Promise.race([answer, sleep(5_000, undefined, { ref: false })]);
      if (found === undefined) continue;
      // Its libraries may be missing or of another version and are loaded at first use, so it is restarted unless
      // another program uses it.
      if (found.users > 1) return undefined;
      if (found.bin !== (await realpath(server.bin))) return `it runs from ${found.bin}`;
      const { archive } = server;
      const folder = archive === 'LATER' ? '' : archive?.folder;
      return (found.archive ?? undefined) === folder ? undefined : 'its log is archived elsewhere';
    } catch (error) {
      if (error instanceof StartError) return error.message;
      if (sqlState(error) === SQLSTATE.INVALID_PASSWORD) {
        throw new StartError(`${join(server.pgdata, PASSWORD_FILE)} does not hold the password of role ${ROLE}`);
      }
      busy = sqlState(error) === SQLSTATE.CANNOT_CONNECT_NOW;
    }
  }
  return 'it does not answer';
}
