import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { appendFile, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { runAs } from '../../src/platform/embedded-postgres/run-as.ts';
import { ownerOf } from '../../src/platform/embedded-postgres/server-user.ts';
import { freePort } from './openid-provider.ts';
import { type Relay, startRelay } from './relay.ts';
import { hasTool } from './system-tools.ts';

const DEBIAN = '/usr/lib/postgresql';
const PASSWORD = 'senha';
const STANDBY = 'standby';

/** The folder of the newest PostgreSQL of the system that has pg_basebackup; undefined, with a printed reason, where there is none. */
export function systemPostgres(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const bins = versions.map((version) => join(DEBIAN, version, 'bin'));
  const bin = bins.find((each) => existsSync(join(each, 'pg_basebackup')) && existsSync(join(each, 'initdb')));
  const reason = 'nothing is tried with a streaming replica';
  return hasTool(join(bin ?? '', 'pg_basebackup'), { reason }) ? bin : undefined;
}

/** A server of the system and one that follows it by streaming, both of this test alone. */
export class ReplicatedServers {
  readonly #bin: string;
  readonly #folder: string;
  readonly #user: Awaited<ReturnType<typeof ownerOf>> | undefined;
  readonly #ports: Readonly<Record<ServerName, number>>;
  /** The way by which the standby follows. */
  #stream: Relay | undefined;

  private constructor(
    bin: string,
    folder: string,
    user: Awaited<ReturnType<typeof ownerOf>> | undefined,
    ports: Readonly<Record<ServerName, number>>,
  ) {
    this.#bin = bin;
    this.#folder = folder;
    this.#user = user;
    this.#ports = ports;
  }

  static async start(bin: string): Promise<ReplicatedServers> {
    const folder = await mkdtemp(join(tmpdir(), 'partidas-replica-'));
    const user = process.getuid?.() === 0 ? await ownerOf(folder) : undefined;
    if (user !== undefined) await chown(folder, user.uid, user.gid);
    const ports = { primary: await freePort(), [STANDBY]: await freePort() };
    const servers = new ReplicatedServers(bin, folder, user, ports);
    await servers.#createPrimary();
    await servers.#createStandby();
    return servers;
  }

  url(server: ServerName, database = 'books'): string {
    return `postgresql://partidas:${PASSWORD}@127.0.0.1:${this.#ports[server]}/${database}`;
  }

  async run(server: ServerName, command: string): Promise<Record<string, unknown>[]> {
    return withOwnerConnection(this.url(server, 'postgres'), async (client) => (await client.query(command)).rows);
  }

  async startServer(server: ServerName): Promise<void> {
    await this.#tool('pg_ctl', ['start', '-w', '-D', this.dataOf(server), '-l', join(this.#folder, `${server}.log`)]);
  }

  /** As a machine that fails: nothing is written any more. */
  async crash(server: ServerName): Promise<void> {
    await this.#tool('pg_ctl', ['stop', '-m', 'immediate', '-w', '-D', this.dataOf(server)]);
  }

  async promote(): Promise<void> {
    await this.#stream!.close();
    this.#stream = undefined;
    await this.#tool('pg_ctl', ['promote', '-w', '-D', this.dataOf(STANDBY)]);
  }

  async set(server: ServerName, settings: Record<string, string>): Promise<void> {
    for (const [name, value] of Object.entries(settings))
      await this.run(server, `ALTER SYSTEM SET ${name} = '${value}'`);
    await this.run(server, 'SELECT pg_reload_conf()');
  }

  dataOf(server: ServerName): string {
    return join(this.#folder, server);
  }

  /** Nothing more reaches the standby, and nobody hears of it. */
  cutStream(): void {
    this.#stream!.fallSilent();
  }

  /** Milliseconds of processor that the server has used since its start. */
  async processorMs(server: ServerName): Promise<number> {
    const [postmaster, ...children] = await this.#processes(server);
    const ticks = (pid: number, from: number, to: number) => {
      const [, fields = ''] = /\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
      return fields
        .split(' ')
        .slice(from, to)
        .map(Number)
        .reduce((sum, each) => sum + each, 0);
    };
    // Of processes that have ended, the first knows.
    return 10 * [ticks(postmaster!, 11, 15), ...children.map((pid) => ticks(pid, 11, 13))].reduce((a, b) => a + b, 0);
  }

  /** Stops the processes of a server, or lets them go on. */
  async signal(server: ServerName, signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    for (const pid of await this.#processes(server)) process.kill(pid, signal);
  }

  async #processes(server: ServerName): Promise<number[]> {
    const postmaster = Number((await readFile(join(this.dataOf(server), 'postmaster.pid'), 'utf8')).split('\n')[0]);
    const { output } = await runAs('pgrep', ['-P', String(postmaster)], { cwd: '/' });
    return [postmaster, ...output.split('\n').filter(Boolean).map(Number)];
  }

  async remove(): Promise<void> {
    await this.#stream?.close();
    for (const server of ['primary', STANDBY] as const) await this.crash(server).catch(() => {});
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #createPrimary(): Promise<void> {
    const passwords = join(this.#folder, 'password');
    await writeFile(passwords, `${PASSWORD}\n`, { mode: 0o644 });
    const data = this.dataOf('primary');
    const access = ['--auth=scram-sha-256', `--pwfile=${passwords}`, '--username=partidas'];
    await this.#tool('initdb', ['-D', data, '--encoding=UTF8', '--locale=C', ...access]);
    await this.#configure('primary', { shared_buffers: '64MB', jit: 'off', unix_socket_directories: '' });
    await this.startServer('primary');
    await this.run('primary', 'CREATE DATABASE books');
  }

  async #createStandby(): Promise<void> {
    this.#stream = await startRelay(this.url('primary', 'postgres'));
    const from = `${this.#stream.url}?application_name=${STANDBY}`;
    const data = this.dataOf(STANDBY);
    await mkdir(data, { mode: 0o700 });
    if (this.#user !== undefined) await chown(data, this.#user.uid, this.#user.gid);
    await this.#tool('pg_basebackup', ['-d', from, '-D', data, '-R', '-X', 'stream', '--checkpoint=fast']);
    await this.#configure(STANDBY, {});
    await this.startServer(STANDBY);
  }

  async #configure(server: ServerName, settings: Record<string, string>): Promise<void> {
    const lines = Object.entries({ port: String(this.#ports[server]), ...settings }).map(
      ([name, value]) => `${name} = '${value}'\n`,
    );
    await appendFile(join(this.dataOf(server), 'postgresql.conf'), lines.join(''));
  }

  async #tool(program: string, args: string[]): Promise<void> {
    const { code, output } = await runAs(join(this.#bin, program), args, { cwd: this.#folder, user: this.#user });
    if (code !== 0) throw new Error(`${program} ended with ${code}: ${output}`);
  }
}

export type ServerName = 'primary' | typeof STANDBY;
