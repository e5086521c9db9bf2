import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NOTHING_OUTSIDE } from '../../scripts/check-restored-books.ts';
import type { Difference } from '../../src/features/closing/verify/difference.ts';
import { verify } from '../../src/features/closing/verify/verify.ts';
import { DOOR_NAMES, portVariable, WORKER } from '../../src/platform/config.ts';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { openDatabase } from '../../src/platform/database/database.ts';
import { prepareLogins } from '../../src/platform/database/logins.ts';
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.ts';
import { type Client, clientOf } from './platform.ts';

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const PASSWORD = 'uma senha comprida';

type Connection = Parameters<Parameters<typeof withOwnerConnection>[1]>[0];

/** The program as a process of its own, with a database server of its own: both can be killed. */
export class OwnProcess {
  readonly dataDir: string;
  private readonly environment: Record<string, string>;
  private running: ChildProcess | undefined;
  private addresses: ReadonlyMap<string, string> = new Map();
  /** The administrator's. */
  readonly password = PASSWORD;
  private readonly main: string;

  private constructor(dataDir: string, environment: Record<string, string>, main = MAIN) {
    this.dataDir = dataDir;
    this.environment = environment;
    this.main = main;
  }

  /**
   * With a client of the administrator; each start has another. Its data folder is made in that folder; `main` is that of
   * another copy of the program.
   */
  static async begin(
    environment: Record<string, string> = {},
    folder = tmpdir(),
    main = MAIN,
  ): Promise<{ program: OwnProcess; admin: Client }> {
    return OwnProcess.on(await mkdtemp(join(folder, 'partidas-kill-')), environment, main);
  }

  /** On a data folder that is there, and is removed with it. */
  static async on(
    dataDir: string,
    environment: Record<string, string> = {},
    main = MAIN,
  ): Promise<{ program: OwnProcess; admin: Client }> {
    const program = new OwnProcess(dataDir, environment, main);
    return { program, admin: await program.start() };
  }

  /** A worker without services on a database that is there, and goes on without it. */
  static async worker(environment: Record<string, string> & { DATABASE_URL: string }): Promise<OwnProcess> {
    const dataDir = await mkdtemp(join(tmpdir(), 'partidas-worker-'));
    const program = new OwnProcess(dataDir, { ...environment, SERVICES: 'none' });
    await program.run();
    return program;
  }

  /** The process that runs, or ran last. */
  get process(): ChildProcess {
    return this.running!;
  }

  get hasEnded(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  /** With further variables for this start alone. */
  async start(more: Record<string, string> = {}): Promise<Client> {
    await this.run(more);
    return this.signedIn();
  }

  private async run(more: Record<string, string> = {}): Promise<void> {
    const ports = Object.fromEntries(([...DOOR_NAMES, WORKER] as const).map((door) => [portVariable(door), '0']));
    const program = spawn(process.execPath, [this.main], {
      env: {
        ...process.env,
        DRAIN_MS: '0',
        ...ports,
        ...this.environment,
        ...more,
        DATA_DIR: this.dataDir,
        ADMIN_PASSWORD: PASSWORD,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.running = program;
    let output = '';
    await new Promise<void>((resolve, reject) => {
      program.stdout.on('data', (chunk) => {
        output += chunk;
        if (output.includes('is ready')) resolve();
      });
      program.on('exit', (code) => reject(new Error(`ended with ${code}: ${output}`)));
    });
    this.addresses = new Map([...output.matchAll(/^(\w+)\s+(http:\S+)$/gm)].map((match) => [match[1]!, match[2]!]));
  }

  /** A further client, of the administrator by default. */
  async signedIn({ username, password } = { username: 'admin', password: PASSWORD }): Promise<Client> {
    const address = (service: string) => this.address(service);
    const { body } = await clientOf(address, '').post('authentication', '/api/auth/signin', { username, password });
    return clientOf(address, body.accessToken);
  }

  /** What the command line needs to work on the same installation. */
  get settings(): Record<string, string> {
    return { ...this.environment, DATA_DIR: this.dataDir };
  }

  /** Where a service is since the last start. */
  address(service: string): string {
    return this.addresses.get(service)!;
  }

  /** Ends the program, unless it has ended by itself. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    if (this.hasEnded) return;
    const ended = new Promise((resolve) => this.process.once('exit', resolve));
    this.process.kill(signal);
    await ended;
  }

  /** A program that is asked to stop takes its database server with it. */
  async remove(): Promise<void> {
    if (this.hasEnded && this.environment.DATABASE_URL === undefined) await this.start().catch(() => {});
    await this.end('SIGTERM');
    await rm(this.dataDir, { recursive: true, force: true });
  }

  async asOwner<T>(work: (client: Connection) => Promise<T>): Promise<T> {
    return withOwnerConnection(await this.ownerUrl(), work);
  }

  /** Differences that `npm run admin -- verify` would print. */
  async verify(company?: string): Promise<Difference[]> {
    const { app } = await prepareLogins(await this.ownerUrl(), ['app']);
    const database = openDatabase(app!, { max: 2, name: 'partidas-admin' }).doing('import');
    try {
      const found: Difference[] = [];
      for await (const { differences } of verify(database, NOTHING_OUTSIDE, { company }, undefined))
        found.push(...differences);
      return found;
    } finally {
      await database.close();
    }
  }

  /** Of its own database, unless it works on another. */
  async ownerUrl(): Promise<string> {
    if (this.environment.DATABASE_URL !== undefined) return this.environment.DATABASE_URL;
    const folder = join(this.dataDir, 'postgres');
    const password = (await readFile(join(folder, 'partidas.password'), 'utf8')).trim();
    const port = (await this.postmasterLines())[3];
    return `postgresql://partidas:${password}@127.0.0.1:${port}/partidas`;
  }

  /** Waits until the connections of a killed program have ended, and with them their transactions. */
  untilAlone(): Promise<void> {
    return this.asOwner(async (client) => {
      for (;;) {
        const { rows } = await client.query(
          `SELECT 1 FROM pg_stat_activity
            WHERE pg_stat_activity.backend_type = 'client backend' AND pg_stat_activity.pid <> pg_backend_pid()`,
        );
        if (rows.length === 0) return;
        await sleep(10);
      }
    });
  }

  /** Every row of the tables as text, of one branch or of all; null for a table without rows or that does not exist. */
  rowsOf(tables: readonly string[], branchId?: number): Promise<Record<string, string | null>> {
    return this.asOwner(async (client) => {
      const found: Record<string, string | null> = {};
      for (const table of tables) {
        const { rows: there } = await client.query(`SELECT 1 FROM pg_class WHERE pg_class.relname = $1`, [table]);
        const { rows } =
          there.length === 0
            ? { rows: [{ text: null }] }
            : await client.query<{ text: string | null }>(
                `SELECT string_agg(row::text, E'\\n' ORDER BY row::text) AS text FROM ${table} AS row
                  ${branchId === undefined ? '' : `WHERE row.branch_id = ${branchId}`}`,
              );
        found[table] = rows[0]!.text;
      }
      return found;
    });
  }

  /** A number for all rows of each table, whatever their order. */
  digestsOf(tables: readonly string[]): Promise<Record<string, string>> {
    const parts = tables.map(
      (
        table,
      ) => `SELECT '${table}' AS name, count(*) || ' ' || coalesce(sum(hashtextextended(row::text, 0)), 0) AS digest
                    FROM ${table} AS row`,
    );
    return this.asOwner(async (client) => {
      const { rows } = await client.query<{ name: string; digest: string }>(parts.join(' UNION ALL '));
      return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
    });
  }

  /** Every file of the data folder but the database's own and the logs. */
  async files(): Promise<string[]> {
    const all = await readdir(this.dataDir, { recursive: true, withFileTypes: true });
    return all
      .filter((each) => each.isFile())
      .map((each) => relative(this.dataDir, join(each.parentPath, each.name)))
      .filter((path) => !/^postgres[/.]|log/.test(path))
      .sort();
  }

  /** Processes that work in the data folder. */
  async processes(): Promise<number[]> {
    const pids = (await readdir('/proc')).map(Number).filter(Boolean);
    const places = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')));
    return pids.filter((_, at) => places[at]!.startsWith(this.dataDir));
  }

  /** The database server alone, where the program is killed. */
  async startServerAlone(): Promise<void> {
    await startEmbeddedPostgres({ dataDir: this.dataDir });
  }

  get databaseFolder(): string {
    return join(this.dataDir, 'postgres');
  }

  /** The process of the database server. */
  async serverPid(): Promise<number> {
    return Number((await this.postmasterLines())[0]);
  }

  private async postmasterLines(): Promise<string[]> {
    return (await readFile(join(this.databaseFolder, 'postmaster.pid'), 'utf8')).split('\n');
  }
}
