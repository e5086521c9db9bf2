import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';

/** A node of a cluster that is away until it is started again. */
export interface LostNode {
  startAgain(): Promise<void>;
}

/**
 * Kills the server that the address leads to, with all of its processes, as a loss of power would. It has to run on this machine; throws
 * where it does not.
 */
export async function killNode(url: string): Promise<LostNode> {
  const { folder, main } = await withOwnerConnection(url, async (client) => {
    const { rows } = await client.query<{ folder: string; main: string }>(
      `SELECT current_setting('data_directory') AS folder, split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS main`,
    );
    return rows[0]!;
  });
  if (!existsSync(`/proc/${main}/exe`))
    throw new Error(`the node at ${new URL(url).host} does not run on this machine`);
  const programs = dirname(readlinkSync(`/proc/${main}/exe`));
  const pids = [Number(main), ...childrenOf(main)];
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  return { startAgain: () => start(programs, folder) };
}

function childrenOf(pid: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
}

function parentOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8').match(/^PPid:\t(\d+)$/m)?.[1];
  } catch {
    return undefined;
  }
}

/** As the user that the folder belongs to: PostgreSQL refuses root. */
async function start(programs: string, folder: string): Promise<void> {
  const { uid, gid } = statSync(folder);
  const asOwner = process.getuid?.() === 0 ? { uid, gid } : {};
  // Without a file for its output, pg_ctl would hold ours open.
  const words = ['-D', folder, '-l', '/dev/null', '-w', 'start'];
  await promisify(execFile)(join(programs, 'pg_ctl'), words, { ...asOwner, cwd: '/' });
}
