import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DOOR_NAMES, portVariable } from '../../src/platform/config.ts';

// The program as an operator starts it: by a user that has no name and no home, as containers have them.

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
const PORTS = Object.fromEntries(DOOR_NAMES.map((door) => [portVariable(door), '0']));
/** Only root may start it as somebody else; an ordinary user's own folders can be closed to itself. */
const NOBODY = process.getuid?.() === 0 ? { uid: 54_321, gid: 54_321 } : {};

let folder: string;
let program: ChildProcess | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partidas-start-'));
  await chmod(folder, 0o755);
  for (const name of ['data', 'tmp', 'closed']) await mkdir(join(folder, name));
  if (NOBODY.uid !== undefined) {
    for (const name of ['data', 'tmp']) await chown(join(folder, name), NOBODY.uid, NOBODY.gid);
  }
  await chmod(join(folder, 'closed'), 0o555);
});
afterAll(async () => {
  program?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

function start(environment: Record<string, string>): ChildProcess {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env;
  const base = { PATH, NODE_COMPILE_CACHE, TMPDIR: join(folder, 'tmp'), DATA_DIR: join(folder, 'data') };
  return spawn(process.execPath, [MAIN], {
    ...NOBODY,
    cwd: '/',
    env: { ...base, ...PORTS, ADMIN_PASSWORD: 'uma senha comprida', ...environment },
  });
}

/** How it ended, and what it said. */
function ended(child: ChildProcess): Promise<{ code: number | null; out: string; err: string }> {
  let [out, err] = ['', ''];
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err })));
}

async function expectRefused(environment: Record<string, string>, line: string | RegExp): Promise<void> {
  const { code, out, err } = await ended(start(environment));
  expect({ code, out, lines: err.trimEnd().split('\n').length }, err).toEqual({ code: 1, out: '', lines: 1 });
  expect(err).toMatch(line);
}

async function untilReady(child: ChildProcess): Promise<void> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        said += chunk;
        if (said.includes('is ready')) resolve();
      });
    }
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${said}`)));
  });
}

async function stop(child: ChildProcess): Promise<number | null> {
  const end = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  return end;
}

describe('one line and exit code 1', () => {
  test.each([
    ['a misspelt variable', { LOG_LEVLE: 'info' }, 'partidas: LOG_LEVLE: is no setting; did you mean LOG_LEVEL?'],
    ['NODE_ENV=prod', { NODE_ENV: 'prod' }, 'partidas: NODE_ENV: must be production, development, test or empty'],
    [
      'a secret that cannot be read',
      { ADMIN_PASSWORD: '', ADMIN_PASSWORD_FILE: '/none/such' },
      'partidas: ADMIN_PASSWORD_FILE: /none/such cannot be read (ENOENT)',
    ],
  ])('%s', (_what, environment, line) => expectRefused(environment, line));

  test('folders that cannot be written', async () => {
    const closed = join(folder, 'closed');
    await expectRefused({ DATA_DIR: closed }, `partidas: DATA_DIR: ${closed} cannot be written (EACCES)`);
    await expectRefused({ TMPDIR: closed }, `partidas: TMPDIR: ${closed} cannot be written (EACCES)`);
  });

  test('a log folder that cannot be written', async () => {
    const data = join(folder, 'closed-logs');
    await mkdir(join(data, 'logs'), { recursive: true });
    await chmod(join(data, 'logs'), 0o555);
    await chmod(data, 0o777);
    await expectRefused({ DATA_DIR: data }, `partidas: DATA_DIR: ${join(data, 'logs')} cannot be written (EACCES)`);
  });
});

test('a user without name and home starts it with its own database, and on one from outside', {
  timeout: 120_000,
}, async () => {
  const closed = join(folder, 'closed');
  await expectRefused({ WAL_ARCHIVE_DIR: join(closed, 'wal') }, /^partidas: WAL_ARCHIVE_DIR: EACCES/);
  const key = join(closed, 'seal-key');
  await expectRefused({ SEAL_KEY_FILE: key }, `partidas: SEAL_KEY_FILE: ${key} cannot be written (EACCES)`);
  program = start({});
  await untilReady(program);
  const password = await readFile(join(folder, 'data', 'postgres', 'partidas.password'), 'utf8');
  const port = (await readFile(join(folder, 'data', 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[3];
  const secret = join(folder, 'url');
  await writeFile(secret, `postgresql://partidas:${password.trim()}@127.0.0.1:${port}/partidas\n`);
  const outside = { DATABASE_URL_FILE: secret, SEAL_KEY_FILE: join(folder, 'data', 'seal-key') };
  const second = start({ ...outside, DATA_DIR: join(folder, 'tmp', 'data') });
  await untilReady(second);
  expect(await stop(second)).toBe(0);
  expect(await stop(program)).toBe(0);
});
