import { open, readFile, rename, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { readIfThere, writeFor } from './files.ts';
import { RECOVERY_MS } from './postmaster.ts';
import { pathForServer, reasonIn, runServer, SETTINGS_FILE, type Server } from './server.ts';

/** Why the server did not start. */
export interface LaunchFailure {
  /** The server's reason in one line. */
  readonly reason: string;
  /** What another attempt may find free: undefined when none can help. */
  readonly taken: 'PORT' | 'FOLDER' | 'SHARED_MEMORY' | undefined;
}

/** undefined when the server runs. The overrides win over every setting of its files. */
export async function launch(
  server: Server,
  port: number,
  overrides: Readonly<Record<string, string>> = {},
): Promise<LaunchFailure | undefined> {
  await writeFor(server.owner, join(server.pgdata, SETTINGS_FILE), settingsFor(server, port));
  const path = join(server.folder, 'postgres.log');
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > MAX_LOG) await rename(path, `${path}.1`);
  const messages = await open(path, 'a', 0o600);
  try {
    if (server.owner !== undefined) await messages.chown(server.owner.uid, server.owner.gid);
    const before = (await messages.stat()).size;
    const { code } = await runServer(
      server,
      'pg_ctl',
      [
        ...['start', '-D', pathForServer(server), '--silent', '--wait', `--timeout=${RECOVERY_MS / 1000}`],
        ...optionsOf(overrides),
      ],
      { output: messages.fd },
    );
    if (code === 0) return undefined;
    const reason = reasonIn((await readFile(path)).subarray(before).toString());
    const { bavail, bsize } = await statfs(server.folder);
    // A full disk has no room for the reason either.
    if (bavail * bsize < 1_000_000) return { reason: 'no space left on its disk', taken: undefined };
    return { reason: `${reason} (more in ${path})`, taken: takenIn(reason) };
  } finally {
    await messages.close();
  }
}

const MAX_LOG = 10_000_000;

/** pg_ctl hands these to a shell. */
function optionsOf(overrides: Readonly<Record<string, string>>): string[] {
  const given = Object.entries(overrides).map(([name, value]) => {
    if (!/^[\w.:+-]*$/.test(value)) throw new Error(`${name} cannot be ${value}`);
    return `-c ${name}=${value}`;
  });
  return given.length === 0 ? [] : ['-o', given.join(' ')];
}

/**
 * What somebody else has of what the server needs. The log line is all there is to tell it from: pg_ctl ends with 1
 * whatever happened, and PostgreSQL has one code for a lock file and for shared memory, and none for a port.
 */
function takenIn(reason: string): LaunchFailure['taken'] {
  if (/could not bind|could not create any TCP/.test(reason)) return 'PORT';
  if (reason.includes('shared memory block')) return 'SHARED_MEMORY';
  return reason.includes('lock file') ? 'FOLDER' : undefined;
}

function settingsFor(server: Server, port: number): string {
  const durability = server.throwaway ? 'off' : 'on';
  return Object.entries({
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    password_encryption: 'scram-sha-256',
    max_connections: 100,
    shared_buffers: '256MB',
    work_mem: '32MB',
    maintenance_work_mem: '128MB',
    // Parallel queries then need no /dev/shm, of which a container has 64 MB.
    min_dynamic_shared_memory: '64MB',
    fsync: durability,
    full_page_writes: durability,
    synchronous_commit: durability,
    wal_compression: 'on',
    max_wal_size: '2GB',
    random_page_cost: 1.1,
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    client_encoding: 'UTF8',
    // What a killed program was running ends with it. Windows cannot watch a connection.
    client_connection_check_interval: process.platform === 'win32' ? '0' : '1s',
    // The program reports failed statements itself; logging them here too would let clients fill the disk.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    ...archiveSettings(server),
  })
    .map(([name, value]) => `${name} = '${String(value).replaceAll("'", "''")}'\n`)
    .join('');
}

/** PostgreSQL's own module copies each segment aside, syncs and renames it, and overwrites nothing; no shell has a part. */
function archiveSettings({ archive }: Server): Record<string, string | number> {
  if (archive === undefined) return { archive_mode: 'off' };
  if (archive === 'LATER') return { archive_mode: 'on', archive_library: '', archive_command: '' };
  return {
    archive_mode: 'on',
    archive_library: 'basic_archive',
    'basic_archive.archive_directory': archive.folder,
    archive_timeout: archive.everySeconds,
  };
}

export async function freePort(server: Server): Promise<number> {
  const settings = await readIfThere(join(server.pgdata, SETTINGS_FILE));
  const last = Number(/^port = '(\d+)'/m.exec(settings ?? '')?.[1] ?? 0);
  return (await listenOnce(last)) ?? (await anyPort());
}

export async function anyPort(): Promise<number> {
  return (await listenOnce(0)) ?? 0;
}

function listenOnce(port: number): Promise<number | undefined> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once('error', () => done(undefined));
    probe.listen({ port, host: '127.0.0.1' }, () => {
      const address = probe.address();
      probe.close(() => done(typeof address === 'object' ? address?.port : undefined));
    });
  });
}
