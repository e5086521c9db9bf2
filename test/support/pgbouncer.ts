import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { DATABASE_ROLES, type DatabaseRole, groupOf } from '../../src/platform/database/logins.ts';
import { ownerOf } from '../../src/platform/embedded-postgres/server-user.ts';
import { freePort } from './openid-provider.ts';

/** A real PgBouncer in transaction mode before a real server, with logins of its own. */
export interface PgBouncer {
  /** The address of the login in that database, through the pooler. */
  url(role: DatabaseRole, database: string): string;
  /** What its console shows, such as `SHOW POOLS`. */
  show(command: string): Promise<Record<string, unknown>[]>;
  stop(): Promise<void>;
}

/** Connections of the server for each login. */
export async function startPgBouncer(serverUrl: string, poolSize: number): Promise<PgBouncer> {
  const server = new URL(serverUrl);
  const folder = await mkdtemp(join(tmpdir(), 'partidas-pgbouncer-'));
  const mark = randomBytes(4).toString('hex');
  const password = randomBytes(12).toString('hex');
  const loginOf = (role: DatabaseRole) => `pooled_${role}_${mark}`;
  await withOwnerConnection(serverUrl, async (owner) => {
    for (const role of DATABASE_ROLES)
      await owner.query(`CREATE ROLE ${loginOf(role)} LOGIN PASSWORD '${password}' IN ROLE ${groupOf(role)}`);
  });
  const port = await freePort();
  const users = [...DATABASE_ROLES.map(loginOf), CONSOLE].map((name) => `"${name}" "${password}"\n`).join('');
  await writeFile(join(folder, 'userlist.txt'), users);
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'userlist.txt')}
admin_users = ${CONSOLE}
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 200
`,
  );
  // It refuses root.
  const user = process.getuid?.() === 0 ? await ownerOf(folder) : undefined;
  const program = spawn('pgbouncer', [join(folder, 'pgbouncer.ini')], { cwd: folder, ...user, stdio: 'ignore' });
  await untilListening(port);
  const at = (login: string, database: string) =>
    `postgresql://${login}:${password}@127.0.0.1:${port}/${database}?sslmode=disable`;
  return {
    url: (role, database) => at(loginOf(role), database),
    show: (command) =>
      withOwnerConnection(at(CONSOLE, 'pgbouncer'), async (client) => (await client.query(command)).rows),
    stop: async () => {
      const ended = once(program, 'exit');
      program.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
      await withOwnerConnection(serverUrl, async (owner) => {
        for (const role of DATABASE_ROLES) await owner.query(`DROP ROLE ${loginOf(role)}`);
      });
    },
  };
}

const CONSOLE = 'console';

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const socket = connect(port, '127.0.0.1');
    const isUp = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isUp) return;
    await sleep(50);
  }
  throw new Error('pgbouncer does not listen');
}
