import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StartError } from '../config.ts';
import { withOwnerConnection } from '../database/connections.ts';
import { assertDurable } from './durability.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { launch } from './launch.ts';
import { prepare } from './server.ts';

let home: string;
let dataDir: string;
let running: EmbeddedPostgres | undefined;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'partidas-postgres-'));
  // A quote, a space and a mode that shuts other users out, as in somebody's home.
  dataDir = join(home, "a clone's", 'data');
  await mkdir(join(home, "a clone's"), { mode: 0o700 });
});

afterAll(async () => {
  await running?.stop();
  await rm(home, { recursive: true, force: true });
});

// One database through its whole life: each step begins with what the one before left.
test('a fresh start is durable and closed to anyone without the password', async () => {
  running = await startEmbeddedPostgres({ dataDir });
  expect(running.adopted).toBe(false);
  await withOwnerConnection(running.connectionString, async (client) => {
    await assertDurable(client);
    await client.query('CREATE TABLE kept (step text)');
    await client.query(`INSERT INTO kept VALUES ('first')`);
    const { rows } = await client.query(
      `SELECT lower('ÇÃO') AS lower, current_setting('listen_addresses') AS listens,
              current_setting('data_checksums') AS checksums, current_setting('TimeZone') AS zone`,
    );
    expect(rows).toEqual([{ lower: 'ção', listens: '127.0.0.1', checksums: 'on', zone: 'UTC' }]);
  });
  const guessed = running.connectionString.replace(/:[0-9a-f]{48}@/, ':guess@');
  await expect(withOwnerConnection(guessed, async () => {})).rejects.toThrow(/password authentication failed/);
  await running.stop();
  expect(await postmaster()).toBeUndefined();
});

test('a server whose program was killed is adopted, on the port it had', async () => {
  const launcher = JSON.stringify(new URL('./embedded-postgres.ts', import.meta.url).href);
  const script = `const { startEmbeddedPostgres } = await import(${launcher});
    console.log((await startEmbeddedPostgres({ dataDir: process.argv[1] })).connectionString);
    setInterval(() => {}, 1000);`;
  const program = spawn(process.execPath, ['--input-type=module', '-e', script, dataDir]);
  const [url] = await once(program.stdout.setEncoding('utf8'), 'data');
  program.kill('SIGKILL');
  await once(program, 'exit');
  running = await startEmbeddedPostgres({ dataDir });
  expect(running).toMatchObject({ adopted: true, connectionString: url.trim() });
});

test('a killed server starts again with what was committed, though a busy process of it still holds its memory', async () => {
  const { connectionString } = running!;
  await withOwnerConnection(connectionString, (client) => client.query(`INSERT INTO kept VALUES ('second')`));
  // Only there do we find and end such a process.
  const many = process.platform === 'linux' ? 1_000_000 : 1;
  const busy = withOwnerConnection(connectionString, async (client) => {
    client.on('error', () => {});
    await client.query(`SELECT count(*) FROM generate_series(1, ${many}) a, generate_series(1, ${many}) b`);
  }).catch(() => {});
  await sleep(300);
  const killed = await postmaster();
  process.kill(killed!, 'SIGKILL');
  running = await startEmbeddedPostgres({ dataDir });
  expect(running.adopted).toBe(false);
  expect(await postmaster()).not.toBe(killed);
  expect(await steps()).toEqual(['first', 'second']);
  await busy;
});

test('a postmaster.pid that names some other live process does not keep it from starting', async () => {
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  const lines = (await readFile(file, 'utf8')).split('\n');
  await running?.stop();
  // Of the server's user: PostgreSQL itself knows better than to mind those of others.
  const { uid, gid } = await stat(join(dataDir, 'postgres'));
  const other = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid, gid } : {});
  await writeFile(file, [other.pid, ...lines.slice(1)].join('\n'));
  running = await startEmbeddedPostgres({ dataDir, throwaway: true });
  other.kill();
  expect(running.adopted).toBe(false);
  expect(await steps()).toEqual(['first', 'second']);
});

test('a server without durability is rejected, and not adopted either', async () => {
  const rejected = withOwnerConnection(running!.connectionString, assertDurable);
  await expect(rejected).rejects.toThrow(/not durable: turn on fsync, full_page_writes, synchronous_commit /);
  await expect(rejected).rejects.toBeInstanceOf(StartError);
  running = await startEmbeddedPostgres({ dataDir });
  expect(running.adopted).toBe(false);
  await withOwnerConnection(running.connectionString, assertDurable);
});

test('while another program works with it, it is left running; the last one out stops it', async () => {
  const pid = await postmaster();
  await withOwnerConnection(running!.connectionString, async () => {
    await running!.stop();
    expect(await postmaster()).toBe(pid);
  });
  running = await startEmbeddedPostgres({ dataDir });
  expect(running.adopted).toBe(true);
});

test('a folder that cannot be made is one clear line', async () => {
  await writeFile(join(home, 'file'), '');
  const impossible = join(home, 'file', 'data');
  const start = startEmbeddedPostgres({ dataDir: impossible });
  await expect(start).rejects.toBeInstanceOf(StartError);
  await expect(start).rejects.toThrow(`DATA_DIR: data folder ${impossible}: ENOTDIR`);
});

test('stopping leaves no process', async ({ skip }) => {
  skip(process.platform === 'win32', 'Windows has no ps');
  const pid = String(await postmaster());
  expect(livingFamily(pid)).not.toEqual([]);
  await running?.stop();
  await running?.stop();
  await sleep(200);
  expect(livingFamily(pid)).toEqual([]);
});

test('a port that somebody else has is said to be taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const server = await prepare(dataDir, () => {}, false);
  expect(await launch(server, (other.address() as AddressInfo).port)).toMatchObject({ taken: 'PORT' });
  other.close();
});

/** The process and its children; a zombie is only waiting for its parent's notice. */
function livingFamily(pid: string): string[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).split('\n');
  const processes = lines.map((line) => line.trim().split(/\s+/));
  return processes.flatMap(([own, parent, state]) =>
    (own === pid || parent === pid) && own !== undefined && !state?.startsWith('Z') ? [own] : [],
  );
}

async function postmaster(): Promise<number | undefined> {
  const text = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number.parseInt(text, 10);
}

async function steps(): Promise<string[]> {
  return withOwnerConnection(running!.connectionString, async (client) => {
    const { rows } = await client.query<{ step: string }>('SELECT kept.step FROM kept ORDER BY kept.step');
    return rows.map((row) => row.step);
  });
}
