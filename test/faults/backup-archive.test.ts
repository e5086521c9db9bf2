import { createHash } from 'node:crypto';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runAdminWith } from '../support/admin-command.ts';
import { archived, restore, restoredIds } from '../support/backups.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { book, newDocument, postEntry } from '../support/books.ts';
import { quickFolder } from '../support/memory-disk.ts';
import { openMonth } from '../support/months.ts';
import { OwnProcess } from '../support/own-process.ts';
import type { Client } from '../support/platform.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disks.ts';

// The archive of the database's log while it takes nothing, and over several timelines.

const MONTH = '01/2026';
const SEGMENT = 16 * 1_048_576;

let home: string;
let disk: SmallDisk | string;
let settings: Record<string, string>;
let program: OwnProcess;
let admin: Client;
let bank: Bank;
let document: number;
beforeAll(async () => {
  home = await mkdtemp(join(quickFolder(), 'partidas-archive-'));
  await chmod(home, 0o755);
  disk = mountSmallDisk(400);
  settings = {
    SEAL_KEY_FILE: join(home, 'seal-key'),
    WAL_ARCHIVE_DIR: typeof disk === 'string' ? join(home, 'wal') : disk.folder,
    BACKUP_KEEP: '1',
  };
  ({ program, admin } = await OwnProcess.begin(settings, quickFolder()));
  bank = await createBank(admin);
  await openMonth(admin, bank, MONTH);
  document = await newDocument(admin, bank, MONTH);
}, 60_000);
afterAll(async () => {
  await program?.remove();
  if (typeof disk === 'object') disk.remove();
  await rm(home, { recursive: true, force: true });
});

// Each starts several processes.
vi.setConfig({ testTimeout: 160_000 });

/** The installation's part of the archive. */
async function archive(): Promise<string> {
  const [system] = await readdir(settings.WAL_ARCHIVE_DIR!);
  return join(settings.WAL_ARCHIVE_DIR!, system!);
}

test('an archive that cannot be written: posts go on, metrics and log say it, and nothing is left out', async () => {
  await archived(program);
  const folder = await archive();
  await chmod(folder, 0o500);
  await failing(folder);
  await eventually(async () => expect(await logged()).toEqual([expect.stringMatching(/"level":50.*takes nothing/)]));
  await chmod(folder, 0o700);
  await takesAgain(folder);
  await eventually(async () => expect((await logged()).at(-1)).toMatch(/"level":30.*takes .* again/));
});

test('an archive that is full: a backup is taken all the same, and what waited goes there when there is room', {
  timeout: 40_000,
}, async ({ skip }) => {
  if (typeof disk === 'string') return skip(disk);
  const folder = await archive();
  await disk.fill(SEGMENT / 2);
  await failing(folder);
  const { code, err } = await runAdminWith(program.settings, ['backup', join(home, 'meanwhile'), '--unproven']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  await disk.empty();
  await takesAgain(folder);
});

test('a restore to a moment goes on in the same archive, from which later moments of either history are restored', async () => {
  const folder = join(home, 'backups');
  const backUp = async (from: OwnProcess, ...more: string[]) => {
    const { code, out, err } = await runAdminWith({ ...settings, DATA_DIR: from.dataDir }, ['backup', folder, ...more]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    return out.split('  ')[0]!;
  };
  const first = await backUp(program, '--unproven');
  const [kept, left] = await twoAround(program, admin);
  const onTheLeft = await backUp(program, '--unproven');
  await program.end('SIGTERM');
  const before = await contents(await archive());

  const until = ['--until', kept.until];
  const restoredTo = join(home, 'second');
  expect(await restore([first, ...until], restoredTo, settings)).toMatchObject({ code: 0, err: '' });
  // A look at what was restored begins no history that others would follow.
  const looked = await runAdminWith({ ...settings, DATA_DIR: restoredTo }, ['verify']);
  expect(looked).toMatchObject({ code: 0, out: '' });
  expect(await contents(await archive())).toEqual(before);

  const { program: second, admin: again } = await OwnProcess.on(restoredTo, settings);
  try {
    const [later, last] = await twoAround(second, again);
    const after = await contents(await archive());
    expect(after).toMatchObject(before);
    const added = Object.keys(after).filter((name) => !(name in before));
    expect(added).toContain('00000002.history');
    // The segment in which the histories part is there twice.
    expect(added.some((name) => name.startsWith('00000002') && name.replace(/^0{7}2/, '00000001') in before)).toBe(
      true,
    );

    expect(await idsOn([first, '--until', later.until])).toEqual([
      [kept.id, later.id],
      [left.id, last.id],
    ]);
    expect(await idsOn([first, '--until', 'latest', '--timeline', '1'])).toEqual([
      [kept.id, left.id],
      [later.id, last.id],
    ]);
    expect(await idsOn([onTheLeft, '--until', 'latest'])).toEqual([
      [kept.id, left.id],
      [later.id, last.id],
    ]);

    const newest = await backUp(second);
    expect(await readdir(folder)).toEqual([basename(newest)]);
    const { begin } = JSON.parse(await readFile(join(newest, 'manifest.json'), 'utf8'));
    const needed = Number.parseInt(begin.position.split('/')[1], 16) >> 24;
    const stays = Object.keys(await contents(await archive()));
    expect(stays).toContain('00000002.history');
    expect(
      stays.filter((name) => !name.endsWith('.history') && Number.parseInt(name.slice(16, 24), 16) < needed),
    ).toEqual([]);
    expect(stays.some((name) => name.startsWith('00000002') && name.length === 24)).toBe(true);

    async function idsOn(words: string[]): Promise<[there: number[], missing: number[]]> {
      const ids = new Set(await restoredIds(words, join(home, `restored-${++restores}`), settings));
      const all = [kept, left, later, last].map(({ id }) => id);
      return [all.filter((id) => ids.has(id)), all.filter((id) => !ids.has(id))];
    }
  } finally {
    await second.remove();
  }
});

let restores = 0;

/** Posts an entry, and another one after a moment in which nothing happened, which is the first one's. */
async function twoAround(on: OwnProcess, client: Client): Promise<[{ id: number; until: string }, { id: number }]> {
  const id = await postOne(client);
  await sleep(50);
  const until = new Date().toISOString();
  await sleep(50);
  const later = { id: await postOne(client) };
  await archived(on);
  return [{ id, until }, later];
}

/** Names of the archive's files with a hash of each; not what was cut off while it was full. */
async function contents(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith('archtemp.'));
  const entries = names.map(async (name) => {
    const hash = createHash('sha256').update(await readFile(join(folder, name)));
    return [name, hash.digest('hex')] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Waits until the archive takes nothing, and posts meanwhile. */
async function failing(folder: string): Promise<void> {
  const before = await names(folder);
  for (let segments = 1; segments <= 2; segments++) {
    await postOne(admin);
    await program.asOwner((client) => client.query('SELECT pg_switch_wal()'));
  }
  await eventually(async () =>
    expect(await metrics()).toMatchObject({
      failing: 1,
      waiting_bytes: expect.toSatisfy((bytes) => bytes >= 2 * SEGMENT),
    }),
  );
  const { failures_total } = await metrics();
  expect(failures_total).toBeGreaterThan(0);
  await postOne(admin);
  expect(await names(folder)).toEqual(before);
}

/** Waits until all that waited is there. */
async function takesAgain(folder: string): Promise<void> {
  await archived(program);
  await eventually(async () => expect(await metrics()).toMatchObject({ failing: 0, waiting_bytes: 0 }));
  const segments = (await names(folder)).map((name) => Number.parseInt(name.slice(16), 16));
  expect(segments).toEqual(segments.map((_, at) => segments[0]! + at));
}

async function names(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /^[0-9A-F]{24}$/.test(name)).sort();
}

/** What /actuator/metrics-export says of the archive. */
async function metrics(): Promise<Record<string, number>> {
  // The text of one second is the same for all.
  await sleep(1_050);
  const text = await (await fetch(`${program.address('queries')}/actuator/metrics-export`)).text();
  const found = text.matchAll(/^partidas_wal_archive_(\w+) (\S+)$/gm);
  return Object.fromEntries([...found].map(([, name, value]) => [name, Number(value)]));
}

/** Lines of the log of the jobs about the archive. */
async function logged(): Promise<string[]> {
  const folder = join(program.dataDir, 'logs');
  const files = (await readdir(folder)).filter((name) => name.startsWith('jobs'));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  return texts
    .join('')
    .split('\n')
    .filter((line) => line.includes('the archive takes'));
}

async function eventually(holds: () => Promise<unknown>): Promise<void> {
  for (const giveUp = Date.now() + 60_000; ; await sleep(50)) {
    const failure = await holds().then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure === undefined) return;
    if (Date.now() > giveUp) throw failure;
  }
}

async function postOne(client: Client): Promise<number> {
  const { status, text, body } = await postEntry(client, bank, document, book`05/01 1.1.2 D 1,00 3.1 "Aporte"`);
  if (status !== 201) throw new Error(text);
  return body.id;
}
