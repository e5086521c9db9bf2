import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RolledFile } from './rolled-file.ts';

let folder: string;
let now: Date;
const opened: RolledFile[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rolled-'));
  now = new Date();
});
afterEach(async () => {
  for (const file of opened.splice(0)) await file.close();
  await rm(folder, { recursive: true, force: true });
});

function run(keep = 3): RolledFile {
  const file = new RolledFile({ folder, name: 'queries', bytes: 100, keep, now: () => now });
  opened.push(file);
  return file;
}

const line = (text: string) => Buffer.from(`${text.padEnd(59)}\n`);
const files = async () => (await readdir(folder)).sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).join(' ');

test('a full file is followed by the next number, and the oldest go', async () => {
  const file = run();
  for (let at = 0; at < 9; at++) await file.write(line(`line ${at}`));
  expect(await files()).toBe('queries.3.log queries.4.log queries.5.log');
  expect(await readFile(join(folder, 'queries.5.log'), 'utf8')).toBe(line('line 8').toString());
  expect((await stat(join(folder, 'queries.5.log'))).mode & 0o777).toBe(0o640);
});

test('files of earlier runs count, are followed by higher numbers on later days, and others are left alone', async () => {
  for (const name of ['queries.2.log', 'queries.9.log', 'queries.10.log', 'queries.x.log', 'movements.1.log'])
    await writeFile(join(folder, name), 'earlier\n');
  now = new Date(now.getTime() + 36 * 3_600_000);
  await run().write(line('a later day'));
  expect(await files()).toBe('movements.1.log queries.9.log queries.10.log queries.11.log queries.x.log');
});

test('a restart on the same day goes on in the same file, and a new day begins one', async () => {
  await run().write(line('first run'));
  const second = run();
  await second.write(line('second run'));
  expect(await files()).toBe('queries.1.log');
  now = new Date(now.getTime() + 36 * 3_600_000);
  await second.write(line('tomorrow'));
  expect(await files()).toBe('queries.1.log queries.2.log');
});

test('after a failure, such as a folder that went away, the next write opens anew', async () => {
  const file = run();
  await rm(folder, { recursive: true });
  await writeFile(folder, 'no folder');
  await expect(file.write(line('lost'))).rejects.toThrow();
  await rm(folder);
  expect(await file.write(line('again'))).toBe(60);
  expect(await files()).toBe('queries.1.log');
});
