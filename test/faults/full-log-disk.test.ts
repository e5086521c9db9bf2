import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DOOR_NAMES } from '../../src/platform/config.ts';
import { startOutsideDatabase } from '../support/outside-database.ts';
import { OwnProcess } from '../support/own-process.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disks.ts';

// The disk of DATA_DIR has no room, and the database is another machine's: the program serves, stops and starts as ever.

let disk: SmallDisk | string;
let program: OwnProcess;
let database: Awaited<ReturnType<typeof startOutsideDatabase>>;

beforeAll(async () => {
  disk = mountSmallDisk(1);
  if (typeof disk === 'string') {
    console.log(disk);
    if (process.env.CI) throw new Error(disk);
    return;
  }
  database = await startOutsideDatabase();
  const settings = { DATABASE_URL: database.url, STARTER_RULES: 'off', VERIFY_AT: 'off' };
  program = (await OwnProcess.on(await mkdtemp(join(disk.folder, 'data-')), settings)).program;
});
afterAll(async () => {
  await program?.remove();
  await database?.stop();
  if (typeof disk !== 'string') disk.remove();
});

const logFolder = () => join(program.dataDir, 'logs');
const written = async () => {
  const texts = (await readdir(logFolder())).map((name) => readFile(join(logFolder(), name), 'utf8'));
  return (await Promise.all(texts)).join('');
};

/** A success and two refusals of each service; what is wrong with the answers. */
async function strangeAnswers(): Promise<string[]> {
  const found: string[] = [];
  for (const door of DOOR_NAMES) {
    const ask = async (path: string, isRight: (status: number) => boolean, type: RegExp, init?: RequestInit) => {
      const answer = await fetch(`${program.address(door)}${path}`, init);
      const text = await answer.text();
      const hasType = type.test(answer.headers.get('content-type') ?? '');
      if (!isRight(answer.status) || !hasType || /FST_ERR|ENOSPC/.test(text))
        found.push(`${door}${path}: ${answer.status} ${text}`);
    };
    const isRefused = (status: number) => status >= 400 && status < 500;
    await ask('/actuator/health', (status) => status === 200, /^application\/json/);
    await ask('/api/nowhere', isRefused, /^application\/problem\+json/);
    await ask('/api/nowhere', isRefused, /^application\/problem\+json/, { method: 'DELETE' });
  }
  return found;
}

test('a full log disk hinders neither answers nor a restart, and lines are written when there is room', async (context) => {
  if (typeof disk === 'string') return context.skip(disk);
  expect(await strangeAnswers()).toEqual([]);
  await disk.fill();
  for (let round = 0; round < 12; round++) expect(await strangeAnswers()).toEqual([]);
  await program.end('SIGTERM');
  expect(program.process.exitCode).toBe(0);
  await program.start();
  expect(await strangeAnswers()).toEqual([]);
  const metrics = await (await fetch(`${program.address('queries')}/actuator/metrics-export`)).text();
  expect(metrics).toMatch(/^partidas_log_lines_lost_total\{log="queries"\} 0$/m);
  await disk.empty();
  const seen = await fetch(`${program.address('queries')}/nowhere`);
  await expect.poll(written, { timeout: 10_000 }).toContain(seen.headers.get('x-request-id'));
});
