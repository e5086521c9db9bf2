import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calculateJwkThumbprint } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DOOR_NAMES, portVariable, readConfig } from '../../src/platform/config.ts';
import { startProgram } from '../../src/program.ts';
import { runAdmin } from '../support/admin-command.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
let folder: string;
beforeAll(async () => {
  platform = await startPlatform();
  folder = await mkdtemp(join(tmpdir(), 'partidas-other-'));
});
afterAll(async () => {
  await platform?.stop();
  await rm(folder, { recursive: true, force: true });
});

const keyFile = () => platform.program.app.config.sealKeys.file;

/** A second process on the same database, with a folder of its own. */
async function startBeside(environment: Record<string, string> = {}): Promise<void> {
  const config = readConfig({
    DATA_DIR: folder,
    STARTER_RULES: 'off',
    ...Object.fromEntries(DOOR_NAMES.map((name) => [portVariable(name), '0'])),
    ...environment,
  });
  const program = await startProgram(config, { connectionString: platform.ownerUrl, silent: true });
  await program.stop();
}

test('the public keys are shown to everybody, and may be kept for a while', async () => {
  const answer = await platform.withToken('').get('queries', '/.well-known/seal-keys.json');
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
  const { keys } = answer.body;
  expect(keys.map(({ alg }: { alg: string }) => alg).sort()).toEqual(['ES256', 'EdDSA']);
  for (const key of keys) expect(await calculateJwkThumbprint(key)).toBe(key.kid);
  expect(answer.text).not.toContain('"d"');
});

test('a process that was given other keys does not start, and says why in one line', async () => {
  const lines = (await readFile(`${keyFile()}.pub`, 'utf8')).split('\n').filter((line) => line !== '');
  const [first] = lines.map((line): string => JSON.parse(line).kid).sort();
  const reason = new RegExp(
    `^SEAL_KEY_FILE: other processes seal with the key ${first}, .*: give every process the same files$`,
  );
  await expect(startBeside()).rejects.toThrow(reason);
  await expect(startBeside({ SERVICES: 'queries', JOBS: 'off' })).rejects.toThrow(reason);
  // It made no keys of its own, and who has nothing to do with seals needs none.
  await expect(readFile(join(folder, 'seal-key'))).rejects.toThrow('ENOENT');
  await startBeside({ SERVICES: 'authentication', JOBS: 'off' });
  await startBeside({ SEAL_KEY_FILE: keyFile() });
});

test('where the public keys alone were kept, new private keys are made and the old ones stay known', async () => {
  await copyFile(`${keyFile()}.pub`, join(folder, 'seal-key.pub'));
  await startBeside();
  const own = (await readFile(join(folder, 'seal-key.pub'), 'utf8')).match(/"kid"/g);
  expect(own).toHaveLength(4);
  // From now on the first process is the one with the old file.
  await expect(startBeside({ SEAL_KEY_FILE: keyFile() })).rejects.toThrow('other processes seal with the key');
  await copyFile(join(folder, 'seal-key.pub'), `${keyFile()}.pub`);
  await startBeside({ SEAL_KEY_FILE: keyFile() });
});

test('the command line lists and rotates them; a running process publishes the new ones at once', async () => {
  const admin = (...words: string[]) => runAdmin(platform, words, { SEAL_KEY_FILE: keyFile() });
  const before = (await admin('seal-keys', 'list')).out.trim().split('\n');
  const rotated = await admin('seal-keys', 'rotate');
  expect(rotated.code, rotated.err).toBe(0);
  const made = [...rotated.out.matchAll(/^key (\S+) \((ES256|EdDSA)\) signs from now on$/gm)].map(([, kid]) => kid);
  expect(made).toHaveLength(2);
  const { keys } = (await platform.withToken('').get('queries', '/.well-known/seal-keys.json')).body;
  const published = keys.map(({ kid }: { kid: string }) => kid);
  expect(published).toEqual(expect.arrayContaining(made));
  expect(published).toHaveLength(before.length + 2);
  const { out } = await admin('seal-keys', 'vkey', '0001/0001');
  expect(out.split('\n')[0]).toMatch(/^partidas\/0001\/0001\+[\da-f]{8}\+AR?[\w+/=]{43}$/);
});
