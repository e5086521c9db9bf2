import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { Installation } from './installation.ts';

/** What the engine itself can do, by its own programs on the server that is measured. */
export interface Floor {
  /** Transactions a second of a prepared script of pgbench by so many clients, connecting not counted. */
  rate(script: string, load: { clients: number; seconds: number }): Promise<number>;
  /** Seconds of `\copy <target> FROM <file>` with its commit: a table with its columns, and a file in COPY's text format. */
  copySeconds(target: string, file: string): Promise<number>;
  /** Seconds of one statement with its commit, by psql. */
  seconds(statement: string): Promise<number>;
}

/** undefined, and the reason printed, where the machine does not have the two programs. */
export function floorOn({ databaseUrl }: Pick<Installation, 'databaseUrl'>): Floor | undefined {
  const [pgbench, psql] = [programPath('pgbench'), programPath('psql')];
  if (pgbench === undefined || psql === undefined) {
    console.log('left out: figures against pgbench and psql, which are missing (Debian: package postgresql)');
    return undefined;
  }
  const env = { PATH: process.env.PATH, ...connectionVariables(databaseUrl) };
  return {
    rate: (script, { clients, seconds }) =>
      withScript(script, async (path) => {
        const load = ['-n', '-M', 'prepared', '-c', `${clients}`, '-j', '1', '-T', `${seconds}`, '-f', path];
        const { stdout } = await run(pgbench, load, { env });
        return numberAfter(/^tps = ([\d.]+)/m, stdout);
      }),
    copySeconds: (target, file) => timed(`\\copy ${target} FROM '${file}'`),
    seconds: timed,
  };

  async function timed(command: string): Promise<number> {
    const { stdout } = await run(psql!, ['-X', '-c', '\\timing on', '-c', command], { env });
    return numberAfter(/^Time: ([\d.]+) ms/m, stdout) / 1000;
  }
}

const run = promisify(execFile);

/** In the search path, or where Debian puts the programs of each version; the newest wins. */
function programPath(name: string): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== ''),
  ];
  return folders.map((folder) => join(folder, name)).find(existsSync);
}

/** The variables of libpq, so that no password stands among the arguments of a process. */
function connectionVariables(databaseUrl: string) {
  const url = new URL(databaseUrl);
  return {
    PGHOST: url.hostname,
    PGPORT: url.port || '5432',
    PGUSER: decodeURIComponent(url.username),
    PGPASSWORD: decodeURIComponent(url.password),
    PGDATABASE: url.pathname.slice(1),
  };
}

async function withScript<T>(script: string, work: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'partidas-bench-floor-'));
  try {
    const path = join(folder, 'script.sql');
    await writeFile(path, script);
    return await work(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function numberAfter(pattern: RegExp, output: string): number {
  const found = pattern.exec(output)?.[1];
  if (found === undefined) throw new Error(`not understood: ${output.slice(0, 300)}`);
  return Number(found);
}
