import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAuthority, type TimestampAuthority } from '../../test/support/timestamp-authority.ts';
import { readTimestamp, timestampRequest, timestampToken } from './timestamp.ts';

const run = promisify(execFile);
const HASH = createHash('sha256').update('books').digest();

let folder: string;
let authority: TimestampAuthority | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partidas-timestamp-'));
  authority = await makeAuthority(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a request is what openssl reads', async ({ skip }) => {
  if (!authority) return skip('openssl is not installed');
  const query = join(folder, 'query.tsq');
  await writeFile(query, timestampRequest(HASH, randomBytes(16)));
  const { stdout } = await run('openssl', ['ts', '-query', '-in', query, '-text']);
  expect(stdout).toContain('Hash Algorithm: sha256');
  expect(stdout).toContain('Certificate required: yes');
});

test("an authority's token is kept, says its time, and openssl verifies it", async ({ skip }) => {
  if (!authority) return skip('openssl is not installed');
  for (const nonce of [Buffer.alloc(16), Buffer.alloc(16, 0xff), randomBytes(16)]) {
    const answer = await authority.answer(timestampRequest(HASH, nonce));
    const token = timestampToken(answer, HASH, nonce);
    const { hash, time } = readTimestamp(token);
    expect(hash).toEqual(HASH);
    expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(60_000);
    await writeFile(join(folder, 'token'), token);
    const args = ['ts', '-verify', '-digest', HASH.toString('hex'), '-in', join(folder, 'token'), '-token_in'];
    await run('openssl', [...args, '-CAfile', authority.certificate]);
  }
});

test('an answer to something else, a rejection and any cut answer are not taken', async ({ skip }) => {
  if (!authority) return skip('openssl is not installed');
  const nonce = randomBytes(16);
  const answer = await authority.answer(timestampRequest(HASH, nonce));
  const other = createHash('sha256').update('other').digest();
  expect(() => timestampToken(answer, other, nonce)).toThrow('the timestamp is of something else');
  expect(() => timestampToken(answer, HASH, randomBytes(16))).toThrow('the timestamp answers another request');
  expect(() => timestampToken(Buffer.from('30053003020102', 'hex'), HASH, nonce)).toThrow('rejected the request (2)');
  for (let length = 0; length < answer.length; length += 7)
    expect(() => timestampToken(answer.subarray(0, length), HASH, nonce)).toThrow();
  expect((await readFile(authority.certificate, 'utf8')).includes('PRIVATE')).toBe(false);
});
