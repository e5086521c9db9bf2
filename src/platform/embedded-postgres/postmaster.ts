import { realpath, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readIfThere } from './files.ts';
import { runServer, type Server } from './server.ts';

/** The first lines of postmaster.pid. */
interface Postmaster {
  readonly pid: number;
  readonly port: number;
}

/** The postmaster of this very folder: after a kill or in a copied folder, postmaster.pid may name any process. */
export async function livePostmaster(server: Server): Promise<Postmaster | undefined> {
  const file = join(server.pgdata, 'postmaster.pid');
  const [pid, folder, , port] = ((await readIfThere(file)) ?? '').split('\n');
  if (folder === undefined || !isAlive(Number(pid))) return undefined;
  const live = { pid: Number(pid), port: Number(port) };
  if (process.platform !== 'linux') {
    return resolve(folder) === (await realpath(server.pgdata)) ? live : undefined;
  }
  // As the server's user, because root without CAP_SYS_PTRACE, as in a container, may not look.
  const { code } = await runServer(server, '/bin/sh', ['-c', 'test /proc/$0/cwd -ef .', String(pid)]);
  if (code === 0) return live;
  // PostgreSQL itself takes any live process of that number for a server and would reject to start.
  if ((await readIfThere(file))?.startsWith(`${pid}\n`)) await rm(file, { force: true });
  return undefined;
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Crash recovery replays at most max_wal_size and a little. */
export const RECOVERY_MS = 600_000;
