import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DOOR_NAMES, type DoorName, portVariable, WORKER } from '../../src/platform/config.ts';
import { startOutsideDatabase } from './outside-database.ts';
import { OwnProcess } from './own-process.ts';
import { type Client, clientOf } from './platform.ts';
import { type Passed, RoundRobin, type RoundRobinOptions } from './round-robin.ts';

/**
 * Processes of the whole program on one database server, each with a data folder of its own, behind a proxy for each
 * service. They start together, on an empty database.
 */
export class SeveralProcesses {
  readonly programs: readonly OwnProcess[];
  /** Of the administrator, through the proxy. */
  readonly admin: Client;
  readonly ownerUrl: string;
  private readonly proxies: ReadonlyMap<string, RoundRobin>;
  private readonly removed: () => Promise<void>;

  private constructor(made: {
    readonly programs: readonly OwnProcess[];
    readonly proxies: ReadonlyMap<string, RoundRobin>;
    readonly token: string;
    readonly ownerUrl: string;
    readonly removed: () => Promise<void>;
  }) {
    this.programs = made.programs;
    this.proxies = made.proxies;
    this.ownerUrl = made.ownerUrl;
    this.removed = made.removed;
    this.admin = clientOf((service) => this.address(service), made.token);
  }

  static async begin(count: number, environment: Record<string, string> = {}): Promise<SeveralProcesses> {
    const folder = await mkdtemp(join(tmpdir(), 'partidas-processes-'));
    const database = await startOutsideDatabase();
    const shared = {
      DATABASE_URL: database.url,
      // Nobody has made it yet.
      SEAL_KEY_FILE: join(folder, 'seal-key'),
      DATABASE_CONNECTIONS: '12',
      VERIFY_AT: 'off',
      STARTER_RULES: 'off',
      ...environment,
    };
    const removed = async () => {
      await database.stop();
      await rm(folder, { recursive: true, force: true });
    };
    const ports = await Promise.all(Array.from({ length: count }, () => freePorts()));
    const starts = await Promise.allSettled(
      ports.map(async (own) => OwnProcess.on(await mkdtemp(join(folder, 'process-')), { ...shared, ...own })),
    );
    const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    const programs = started.map(({ program }) => program);
    if (started.length < count) {
      await Promise.all(programs.map((program) => program.end('SIGTERM')));
      await removed();
      throw new Error('not all have started', { cause: starts });
    }
    const proxies = new Map<string, RoundRobin>();
    for (const door of DOOR_NAMES) {
      proxies.set(door, await RoundRobin.open({ targets: () => programs.map((program) => program.address(door)) }));
    }
    return new SeveralProcesses({
      ...{ programs, proxies, removed, ownerUrl: database.url, token: started[0]!.admin.token },
    });
  }

  /** Of the proxy. */
  address(door: DoorName): string {
    return this.proxies.get(door)!.url;
  }

  /** The process alone, past the proxy. */
  at(place: number, client: Client = this.admin): Client {
    return clientOf((service) => this.programs[place]!.address(service), client.token);
  }

  /** A proxy of the movements service with other habits; closed by whoever asked for it. */
  movementsBehind(options: Omit<RoundRobinOptions, 'targets'>): Promise<RoundRobin> {
    return RoundRobin.open({
      targets: () => this.programs.map((program) => program.address('movements')),
      ...options,
    });
  }

  /** Kills a process and starts it again, on the ports that the proxy knows; returns how long nobody was there. */
  async killAndStart(place: number): Promise<number> {
    const began = performance.now();
    await this.programs[place]!.end('SIGKILL');
    await this.programs[place]!.start();
    return performance.now() - began;
  }

  get passed(): Passed {
    const all = [...this.proxies.values()].map(({ passed }) => passed);
    const sum = (of: keyof Passed) => all.reduce((total, each) => total + each[of], 0);
    return { repeated: sum('repeated'), lost: sum('lost') };
  }

  /** Every one that is still there. */
  async end(): Promise<void> {
    await Promise.all([...this.proxies.values()].map((proxy) => proxy.close()));
    await Promise.all(this.programs.map((program) => program.end('SIGTERM')));
  }

  async remove(): Promise<void> {
    await this.end();
    await this.removed();
  }
}

/** Ports below those that the system lends to connections, so that a process finds its own again after it was killed. */
async function freePorts(): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const door of [...DOOR_NAMES, WORKER] as const) found[portVariable(door)] = String(await freePort());
  return found;
}

let nextPort = 20_000 + (process.pid % 1_000) * 10;

async function freePort(): Promise<number> {
  for (;;) {
    const port = nextPort++;
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]).catch(() => false);
    await new Promise<void>((resolve) => server.close(() => resolve()));
    if (isFree) return port;
  }
}
