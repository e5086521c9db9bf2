import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { Pool, request } from 'undici';
import { callJson } from '../../scripts/call-json.ts';
import { DOOR_NAMES, type DoorName, portVariable } from '../../src/platform/config.ts';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.ts';

/** A running installation to measure: a durable PostgreSQL of its own and the program in a process of its own. */
export interface Installation {
  /** Of the role that owns everything. */
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly token: string;
  /** Who signs in. */
  readonly administrator: { readonly username: string; readonly password: string };
  /** The owner's connection: loads data and looks at it. */
  readonly owner: pg.Client;
  address(service: DoorName): string;
  call<Body = Record<string, never>>(
    service: DoorName,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
  ): Promise<Body>;
  /** Keep-alive connections to one service. */
  connections(service: DoorName, count: number): Pool;
  /** Largest resident memory of the program since the last call, in bytes; undefined where the system does not tell. */
  peakMemory(): number | undefined;
  stop(): Promise<void>;
}

const ADMINISTRATOR = { username: 'admin', password: 'uma senha bem comprida' };
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const READY_MS = 60_000;
/** What npm start runs: V8's bounds are among its arguments. */
const START: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts.start;

/** @param kept a folder whose books stay for the next run; absent: a new one, removed at the end. */
export async function openInstallation(kept?: string): Promise<Installation> {
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'partidas-bench-')));
  const closing: (() => Promise<unknown>)[] = kept ? [] : [() => rm(folder, { recursive: true, force: true })];
  let stopping: Promise<void> | undefined;
  // Asked twice when interrupted, by the signal and by the figure that fails of it: both wait for the whole end.
  const stop = () => {
    stopping ??= closeAll(closing);
    return stopping;
  };
  try {
    const server = await startEmbeddedPostgres({ dataDir: folder });
    closing.unshift(() => server.stop());
    const { connectionString: databaseUrl } = server;
    const ports = await freePorts();
    const program = spawn(process.execPath, START.split(' ').slice(1), {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: databaseUrl,
        DATA_DIR: folder,
        ADMIN_PASSWORD: ADMINISTRATOR.password,
        ...Object.fromEntries(DOOR_NAMES.map((name) => [portVariable(name), String(ports[name])])),
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    closing.unshift(() => ended(program));
    const address = (service: DoorName) => `http://127.0.0.1:${ports[service]}`;
    await ready(program, address('compliance'));
    const owner = new pg.Client({ connectionString: databaseUrl });
    await owner.connect();
    closing.unshift(() => owner.end());
    const { accessToken: token } = await callJson<{ accessToken: string }>(
      `${address('authentication')}/api/auth/signin`,
      'POST',
      { body: ADMINISTRATOR },
    );
    return {
      databaseUrl,
      dataDir: folder,
      token,
      administrator: ADMINISTRATOR,
      owner,
      address,
      call: <Body>(service: DoorName, method: string, path: string, body?: unknown) =>
        callJson<Body>(`${address(service)}${path}`, method, { token, body }),
      connections: (service, count) => {
        const pool = new Pool(address(service), { connections: count, pipelining: 1 });
        closing.unshift(() => pool.destroy());
        return pool;
      },
      peakMemory: () => peakOf(program.pid!),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Everything, even when a part fails to close: a server must not be left running. */
async function closeAll(closing: readonly (() => Promise<unknown>)[]): Promise<void> {
  let failure: unknown;
  for (const close of closing) {
    await close().catch((error: unknown) => {
      failure ??= error;
    });
  }
  if (failure !== undefined) throw failure;
}

async function ready(program: ChildProcess, address: string): Promise<void> {
  const giveUp = Date.now() + READY_MS;
  for (;;) {
    if (program.exitCode !== null) throw new Error(`the program ended with ${program.exitCode}`);
    const up = await request(`${address}/actuator/health`).then(
      async ({ statusCode, body }) => {
        await body.dump();
        return statusCode === 200;
      },
      () => false,
    );
    if (up) return;
    if (Date.now() > giveUp) throw new Error('the program does not become ready');
    await sleep(100);
  }
}

async function ended(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const exit = once(program, 'exit');
  program.kill('SIGTERM');
  await exit;
}

async function freePorts(): Promise<Record<DoorName, number>> {
  const probes = await Promise.all(
    DOOR_NAMES.map(async (name) => {
      const probe = createServer().listen(0, '127.0.0.1');
      await once(probe, 'listening');
      return [name, probe] as const;
    }),
  );
  const ports = probes.map(([name, probe]) => [name, (probe.address() as { port: number }).port]);
  await Promise.all(probes.map(([, probe]) => new Promise((closed) => probe.close(closed))));
  return Object.fromEntries(ports);
}

/** VmHWM, which Linux lets us set back to the present size. */
function peakOf(pid: number): number | undefined {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return undefined;
  const kilobytes = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(status, 'utf8'))?.[1]);
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // Where we may not, the peak is that of the whole run, against which the limit is checked.
  }
  return kilobytes * 1024;
}
