import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DOOR_NAMES, portVariable } from '../../src/platform/config.ts';
import { quickFolder } from '../support/memory-disk.ts';
import { hasTool } from '../support/system-tools.ts';

// The program and its commands as a user without rights and with an empty environment, as a service manager runs them.
// Where the tests run as an ordinary user themselves, all of them show it.

const USER = { uid: 65_534, gid: 65_534 };
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OLD_PROGRAMS = '/usr/lib/postgresql/15/bin';

const reason = reasonAgainst();
if (reason !== undefined) console.log(`left out: the program as an ordinary user: ${reason}`);

function reasonAgainst(): string | undefined {
  if (process.getuid?.() !== 0) return 'the tests are not run by root, who may become one';
  const { status } = spawnSync('test', ['-r', join(ROOT, 'package.json')], { ...USER, cwd: '/' });
  return status === 0 ? undefined : `user ${USER.uid} cannot read ${ROOT}`;
}

vi.setConfig({ testTimeout: 180_000 });

let home: string;
let environment: Record<string, string>;
beforeAll(async () => {
  home = await mkdtemp(join(quickFolder(), 'partidas-ordinary-'));
  await chown(home, USER.uid, USER.gid);
  environment = { HOME: home, PATH: '/usr/bin:/bin', DATA_DIR: join(home, 'data'), WAL_ARCHIVE_DIR: join(home, 'wal') };
});
afterAll(() => rm(home, { recursive: true, force: true }));

test.skipIf(reason !== undefined)('backup, restore, verify, and a later moment', async () => {
  const stop = await start({});
  const folder = join(home, 'backups');
  expect(await admin(['backup', folder])).toMatch(/^proven in /m);
  await admin(['user', 'add', 'maria', '--password', 'uma senha bem comprida']);
  await stop();
  for (const [at, words] of [[folder], [folder, '--until', 'latest']].entries()) {
    const restored = { DATA_DIR: join(home, `restored-${at}`) };
    expect(await admin(['restore', ...words], restored)).toContain('the next npm start serves it');
    if (at === 0) expect(await admin(['verify'], restored)).toMatch(/differences: 0$/m);
    else expect(await admin(['user', 'list'], restored)).toContain('maria');
  }
});

const hasOld = hasTool(`${OLD_PROGRAMS}/postgres`, { reason: 'no older data folder can be made' });

test.skipIf(reason !== undefined || !hasOld)('an older database is brought to the present version', async () => {
  const old = { DATA_DIR: join(home, 'old'), PATH: `${OLD_PROGRAMS}:${environment.PATH}` };
  await makeOldDatabase(old.DATA_DIR);
  await (await start(old))();
  expect(await admin(['upgrade-database'], old)).toMatch(
    /^from PostgreSQL 15\.\d+ to .*\n\d+ rows of \d+ tables are equal\ndone; /,
  );
  await (await start(old))();
});

/** As an earlier version of the program made it. */
async function makeOldDatabase(dataDir: string): Promise<void> {
  const pgdata = join(dataDir, 'postgres');
  await mkdir(pgdata, { recursive: true, mode: 0o700 });
  const password = join(pgdata, 'partidas.password');
  await chown(dataDir, USER.uid, USER.gid);
  await writeFile(join(dataDir, 'password'), 'segredo', { mode: 0o644 });
  await chown(pgdata, USER.uid, USER.gid);
  const words = [
    '-D',
    pgdata,
    '-U',
    'partidas',
    '-A',
    'scram-sha-256',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '-k',
    '-N',
  ];
  execFileSync(`${OLD_PROGRAMS}/initdb`, [...words, `--pwfile=${join(dataDir, 'password')}`], { ...USER, cwd: home });
  execFileSync(
    'sh',
    [
      '-c',
      `cp "$0/../password" "$1" && : >"$0/partidas.conf" && echo "include 'partidas.conf'" >>"$0/postgresql.conf"`,
      pgdata,
      password,
    ],
    USER,
  );
}

/** Starts the program; returns what stops it. */
async function start(more: Record<string, string>): Promise<() => Promise<void>> {
  const ports = Object.fromEntries(DOOR_NAMES.map((door) => [portVariable(door), '0']));
  const running = spawn(process.execPath, [join(ROOT, 'src/main.ts')], {
    ...USER,
    cwd: home,
    env: { ...environment, ...ports, ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(running, 'exit');
  for await (const piece of running.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false }))
    if (piece.includes('is ready')) break;
  running.stdout.resume();
  return async () => {
    running.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  };
}

/** What a command that succeeds writes. */
function admin(words: readonly string[], more: Record<string, string> = {}): Promise<string> {
  const options = { ...USER, cwd: home, env: { ...environment, ...more } };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [join(ROOT, 'scripts/admin.ts'), ...words], options, (error, out, err) =>
      error ? reject(new Error(`${words.join(' ')}: ${err}`)) : resolve(out + err),
    );
  });
}
