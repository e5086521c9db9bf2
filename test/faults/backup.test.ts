import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runAdminWith, spawnAdmin } from '../support/admin-command.ts';
import { archived, restore, restoredIds } from '../support/backups.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { book, newDocument, postEntry } from '../support/books.ts';
import { quickFolder } from '../support/memory-disk.ts';
import { openMonth } from '../support/months.ts';
import { OwnProcess } from '../support/own-process.ts';
import type { Client } from '../support/platform.ts';

// Backups of a program that serves meanwhile: real servers, real files. What a backup promises is looked at on what is
// restored from it.

const CLIENTS = 4;
const MONTH = '01/2026';

let home: string;
let program: OwnProcess;
let admin: Client;
let bank: Bank;
beforeAll(async () => {
  home = await mkdtemp(join(quickFolder(), 'partidas-backup-'));
  // Started by root, the server writes to the archive as another user.
  await chmod(home, 0o755);
  ({ program, admin } = await OwnProcess.begin(
    { WAL_ARCHIVE_DIR: join(home, 'wal'), BACKUP_KEEP: '1' },
    quickFolder(),
  ));
  bank = await createBank(admin);
  await openMonth(admin, bank, MONTH);
});
afterAll(async () => {
  await program?.remove();
  await rm(home, { recursive: true, force: true });
});

// Each starts several processes.
vi.setConfig({ testTimeout: 180_000 });

test('a backup while four clients post: whatever was acknowledged before it began is in what is restored', async () => {
  const document = await newDocument(admin, bank, MONTH);
  const acknowledged: number[] = [];
  let isOver = false;
  const client = async () => {
    while (!isOver) {
      const answer = await postOne(document);
      if (answer.status === 201) acknowledged.push(answer.body.id);
      else throw new Error(answer.text);
      // The backup, too, wants a part of the processor.
      await sleep(20);
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  await Promise.race([clients, until(() => acknowledged.length >= 50)]);
  const before = [...acknowledged];
  const folder = join(home, 'backups');
  const { code, out, err } = await backUp(folder);
  isOver = true;
  await clients;
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^proven in [\d.]+ s: \d+ rows of \d+ tables$/m);
  expect(acknowledged.length).toBeGreaterThan(before.length);
  const kept = new Set(await idsOf(folder));
  expect(before.filter((id) => !kept.has(id))).toEqual([]);
  const dataDir = join(home, 'served');
  expect(await restore([folder], dataDir)).toMatchObject({ code: 0, err: '' });
  const { program: restored, admin: again } = await OwnProcess.on(dataDir);
  try {
    await postOne(await newDocument(again, bank, MONTH), again);
  } finally {
    await restored.remove();
  }
});

test('files and folders of a backup are for their owner alone, and the list shows it as proven', async () => {
  const folder = join(home, 'backups');
  const [name] = await readdir(folder);
  const entries = await readdir(join(folder, name!), { recursive: true, withFileTypes: true });
  const modes = new Set<string>();
  for (const entry of entries) {
    const { mode } = await stat(join(entry.parentPath, entry.name));
    modes.add(`${entry.isDirectory() ? 'folder' : 'file'} ${(mode & 0o777).toString(8)}`);
  }
  expect([...modes].sort()).toEqual(['file 600', 'folder 700']);
  const { out } = await runAdminWith({}, ['backups', 'list', folder]);
  expect(out.trim().split('\n')).toEqual([expect.stringMatching(/\tproven \d{4}-/)]);
});

test('killed while it copies and while it proves: no restore takes it, and the next one leaves nothing of it', async () => {
  const folder = join(home, 'killed');
  await killWhen(folder, (names) => names.some((name) => name.includes('.partial-')));
  const [partial] = await readdir(folder);
  const rejected = await restore([join(folder, partial!)], join(home, 'from-killed'));
  expect(rejected.err.trim()).toBe(
    `${join(folder, partial!)} is no complete backup: it has no manifest.json, which is written last`,
  );
  await killWhen(folder, (names) => names.some((name) => /^proof-\d+$/.test(name)), 'proof/postgres/postmaster.pid');
  await untilNoSlots();
  // The other folder needs the archive, too.
  const { code, err } = await runAdminWith({ ...program.settings, BACKUP_KEEP: '9' }, ['backup', folder]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const left = await readdir(folder);
  expect(left.filter((name) => !/^[\d-]+T[\d.]+Z$/.test(name))).toEqual([]);
  expect(serversIn(folder)).toEqual([]);
});

test('what differs from the manifest is found before anything is restored, and a folder in use is left alone', async () => {
  const folder = join(home, 'backups');
  const used = await restore([folder], program.dataDir);
  expect(used.err.trim()).toBe(`DATA_DIR: ${program.dataDir} is not empty: a restore needs a folder of its own`);
  const copy = join(home, 'damaged');
  spawnSync('cp', ['-a', folder, copy]);
  const [name] = await readdir(copy);
  const control = join(copy, name!, 'postgres', 'global', 'pg_control');
  const bytes = await readFile(control);
  bytes[100]! ^= 1;
  await writeFile(control, bytes);
  const target = join(home, 'from-damaged');
  const { code, err } = await restore([copy], target);
  expect(code).toBe(1);
  expect(err.trim()).toBe(
    `${join(copy, name!)}/postgres is damaged: global/pg_control is not what was written; take another backup`,
  );
  expect(await readdir(target)).toEqual([]);
  const proof = await runAdminWith({}, ['backups', 'prove', join(copy, name!)]);
  expect(proof.code).toBe(1);
  expect((await runAdminWith({}, ['backups', 'list', copy])).out).toContain('is damaged: global/pg_control');
  await rm(copy, { recursive: true });
});

test('a moment between two entries: the first is there, the second is not', async () => {
  const document = await newDocument(admin, bank, MONTH);
  const first = (await postOne(document)).body.id;
  await sleep(50);
  const between = new Date();
  await sleep(50);
  const second = (await postOne(document)).body.id;
  await archived(program);
  const ids = await idsOf(join(home, 'backups'), '--until', between.toISOString());
  expect([ids.includes(first), ids.includes(second)]).toEqual([true, false]);
  expect(await idsOf(join(home, 'backups'), '--until', 'latest')).toContain(second);
  const late = new Date(Date.now() + 3_600_000).toISOString();
  const { err } = await restore([join(home, 'backups'), '--until', late], join(home, 'late'), program.settings);
  expect(err.trim()).toBe(
    'the archive ends before the moment asked for on timeline 1: --until latest restores all that it holds, --timeline follows another',
  );
});

test('the newest proven backups are kept with the log that they need', async () => {
  const folder = join(home, 'backups');
  const before = await readdir(folder);
  expect((await backUp(folder)).code).toBe(0);
  const unproven = await runAdminWith(program.settings, ['backup', folder, '--unproven']);
  expect(unproven.out).toContain('not proven');
  const kept = (await readdir(folder)).sort();
  expect(kept).toHaveLength(2);
  expect(kept).not.toContain(before[0]);
  const [oldest] = await Promise.all(
    kept.map(async (name) => JSON.parse(await readFile(join(folder, name, 'manifest.json'), 'utf8'))),
  );
  await archived(program);
  const segments = (await readdir(archive(oldest.system))).filter((name) => /^[0-9A-F]{24}$/.test(name)).sort();
  const numberIn = (position: string) => Number.parseInt(position.split('/')[1]!, 16) >> 24;
  expect(Number.parseInt(segments[0]!.slice(16), 16)).toBe(numberIn(oldest.begin.position));
  for (let lost = numberIn(oldest.begin.position); lost <= numberIn(oldest.end.position) + 1; lost++) {
    await rm(
      join(archive(oldest.system), segments[0]!.slice(0, 16) + lost.toString(16).toUpperCase().padStart(8, '0')),
    );
  }
  const { err } = await restore([join(folder, kept[0]!), '--until', 'latest'], join(home, 'gap'), program.settings);
  expect(err.trim()).toBe('the archive has a gap: the log after the end of the backup is not there any more');
});

test('a disk without room is one clear line, before or while it copies, and the program goes on', async ({ skip }) => {
  const small = join(home, 'small');
  await mkdir(small);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=30m', 'tmpfs', small]);
  skip(mounted.status !== 0, 'only root may mount');
  try {
    const { code, err } = await backUp(small);
    expect(code).toBe(1);
    expect(err.trim()).toMatch(/^\S+\/small has \d+ MB free; the backup takes \d+ MB$/);
    spawnSync('mount', ['-o', 'remount,size=200m', small]);
    const slow = runAdminWith({ ...program.settings, BACKUP_MB_PER_SECOND: '10' }, ['backup', small]);
    while ((await readdir(small)).length === 0) await sleep(10);
    // Others write there meanwhile.
    const other = join(small, 'other');
    for (let megabyte = 0; megabyte < 200; megabyte++) {
      const written = await appendFile(other, Buffer.alloc(1_048_576, 1)).catch(() => 'full');
      if (written === 'full') break;
    }
    const { err: full } = await slow;
    expect(full.trim()).toBe(`no space left on the disk of ${small}: the backup was removed`);
    expect(await readdir(small)).toEqual(['other']);
  } finally {
    spawnSync('umount', [small]);
  }
  expect((await postOne(await newDocument(admin, bank, MONTH))).status).toBe(201);
});

test('a database of DATABASE_URL is not backed up by the program, and the guide is named', async () => {
  const settings = { ...program.settings, DATABASE_URL: 'postgresql://owner:x@127.0.0.1:1/books' };
  for (const words of [
    ['backup', join(home, 'outside')],
    ['restore', join(home, 'backups')],
  ]) {
    const { code, err } = await runAdminWith(settings, words);
    expect(code).toBe(1);
    expect(err.trim()).toBe(
      'this is for the program’s own PostgreSQL; for that of DATABASE_URL see docs/operator.md, Backup and restore',
    );
  }
});

function postOne(document: number, client = admin) {
  return postEntry(client, bank, document, book`05/01 1.1.2 D 1,00 3.1 "Aporte"`);
}

function backUp(folder: string) {
  return runAdminWith(program.settings, ['backup', folder]);
}

function archive(system: string): string {
  return join(home, 'wal', system);
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(10);
}

let restores = 0;

/** Of all lines of what is restored. */
function idsOf(...words: string[]): Promise<number[]> {
  return restoredIds(words, join(home, `restored-${++restores}`), program.settings);
}

/** Kills a backup as soon as its folder is so, and `path`, its number left out, is there. */
async function killWhen(folder: string, isSo: (names: string[]) => boolean, path?: string): Promise<void> {
  const running = spawnAdmin(program.settings, ['backup', folder]);
  const ended = once(running, 'exit');
  const isThere = async () => {
    const names = await readdir(folder).catch(() => []);
    if (!isSo(names)) return false;
    const file = path?.replace('proof', `proof-${running.pid}`);
    return file === undefined || stat(join(folder, file)).then(Boolean, () => false);
  };
  while (!(await isThere())) await sleep(5);
  running.kill('SIGKILL');
  expect(await ended).toEqual([null, 'SIGKILL']);
}

/** The server notices the end of a killed backup's connections. */
async function untilNoSlots(): Promise<void> {
  for (const giveUp = Date.now() + 10_000; ; await sleep(50)) {
    const slots = await program.asOwner(async (client) => (await client.query('TABLE pg_replication_slots')).rows);
    if (slots.length === 0) return;
    if (Date.now() > giveUp) throw new Error(`slots are left: ${JSON.stringify(slots)}`);
  }
}

/** Command lines of servers that work in a folder. */
function serversIn(folder: string): string[] {
  const { stdout } = spawnSync('sh', ['-c', 'for p in /proc/[0-9]*; do readlink "$p/cwd"; done'], { encoding: 'utf8' });
  return stdout.split('\n').filter((path) => path.startsWith(folder));
}
