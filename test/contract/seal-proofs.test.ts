import { execFile } from 'node:child_process';
import { createHash, createPublicKey, verify } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { timestampSeals } from '../../src/features/closing/seals/timestamp-seals.ts';
import { rejectionOf, runAdmin } from '../support/admin-command.ts';
import { type Bank, createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { isConsistent } from '../support/consistency-proof.ts';
import { archiveMonth, closeMonth, openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { hasTool } from '../support/system-tools.ts';
import { makeAuthority, serveAuthority } from '../support/timestamp-authority.ts';
import { createUser } from '../support/users.ts';

let platform: Platform;
let owner: pg.Client;
let folder: string;
/** 01/2026 sealed, opened and sealed again, 02/2026 sealed: three seals. */
let bank: Bank;

beforeAll(async () => {
  platform = await startPlatform();
  folder = await mkdtemp(join(tmpdir(), 'partidas-proofs-'));
  owner = new pg.Client({ connectionString: platform.ownerUrl });
  await owner.connect();
  bank = await createBank(platform.admin);
  await openMonth(platform.admin, bank, '01/2026');
  await post(
    platform.admin,
    bank,
    book`
    05/01  2   1.1.2  D  1.000,00  3.1  "Aporte"
    20/01  10  8.1    D     50,00       "Folha"
               8.2    D      5,00
               1.1.2  C     55,00
  `,
  );
  await closeMonth(platform.admin, bank, '01/2026');
  await openMonth(platform.admin, bank, '01/2026');
  await closeMonth(platform.admin, bank, '01/2026');
  await openMonth(platform.admin, bank, '02/2026');
  await closeMonth(platform.admin, bank, '02/2026');
});
afterAll(async () => {
  await owner?.end();
  await platform?.stop();
  await rm(folder, { recursive: true, force: true });
});

const path = (more: string) => `/seals/${bank.company}/${bank.branch}${more}`;
const get = (more: string) => platform.admin.get('queries', path(more));

/** The names of entries as the month's lines have them. */
async function entryNames(): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT DISTINCT batch.number || '/' || document.number || '/' || line.entry_number AS name
       FROM entry_line AS line
       JOIN document ON document.company_id = line.company_id AND document.id = line.document_id
       JOIN batch ON batch.company_id = line.company_id AND batch.id = document.batch_id
      WHERE line.branch_id = $1 ORDER BY name`,
    [bank.branchId],
  );
  return rows.map(({ name }) => name);
}

/** A file with the text; its path. */
async function kept(name: string, text: unknown): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, typeof text === 'string' ? text : JSON.stringify(text));
  return file;
}

const NO_DATABASE = { DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', DATA_DIR: '/nonexistent' };
const verifyProof = (...words: string[]) => runAdmin(platform, ['verify-proof', ...words], NO_DATABASE);
const canProveByHand = ['bash', 'jq', 'openssl'].every((tool) =>
  hasTool(tool, {
    reason: 'the lines of docs/seal-proofs.md are not run',
    ...(tool === 'openssl' ? { version: 'version' } : {}),
  }),
);
const whyNot = (...words: string[]) => rejectionOf(platform, ['verify-proof', ...words]);
const keySet = async () => kept('keys.json', (await platform.admin.get('queries', '/.well-known/seal-keys.json')).text);

describe('the log of a branch', () => {
  test('has a signed head that a reader of C2SP checkpoints verifies with the published key', async () => {
    const answer = await get('/checkpoint');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    const origin = `partidas/${bank.company}/${bank.branch}`;
    const [text, signatures] = answer.text.split('\n\n') as [string, string];
    const [name, size, root] = text.split('\n');
    expect([name, size]).toEqual([origin, '3']);
    const { rows } = await owner.query('SELECT seal FROM seal WHERE branch_id = $1 ORDER BY position', [bank.branchId]);
    const [a, b, c] = rows.map(({ seal }) => seal as Buffer) as [Buffer, Buffer, Buffer];
    const node = (left: Buffer, right: Buffer) =>
      createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest();
    expect(root).toBe(node(node(a, b), c).toString('base64'));
    const { keys } = (await platform.withToken('').get('queries', '/.well-known/seal-keys.json')).body;
    const jwk = keys.find(({ alg }: { alg: string }) => alg === 'EdDSA');
    const raw = Buffer.from(jwk.x, 'base64url');
    const [, signer, encoded] = /^— (\S+) (\S+)\n$/.exec(signatures)!;
    const bytes = Buffer.from(encoded!, 'base64');
    const id = createHash('sha256').update(`${origin}\n`).update(Buffer.of(1)).update(raw).digest().subarray(0, 4);
    expect(signer).toBe(origin);
    expect(bytes.subarray(0, 4)).toEqual(id);
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    expect(verify(null, Buffer.from(`${text}\n`), key, bytes.subarray(4))).toBe(true);
    expect((await get('/checkpoint?size=1')).text).toContain(`${origin}\n1\n${a.toString('base64')}\n`);
  });

  test('grows: each head is the beginning of each later one', async () => {
    for (const [from, to] of [
      [1, 1],
      [1, 2],
      [1, 3],
      [2, 3],
    ]) {
      const { body } = await get(`/consistency?from=${from}&to=${to}`);
      const side = (size: number, root: string) => ({ size, root: Buffer.from(root, 'hex') });
      const proof = body.proof.map((each: string) => Buffer.from(each, 'hex'));
      expect(isConsistent(side(from!, body.fromRoot), side(to!, body.toRoot), proof)).toBe(true);
    }
  });

  test.each([
    ['/consistency?from=1&to=4', 404, 'NO_SUCH_HEAD'],
    ['/consistency?from=3&to=2', 404, 'NO_SUCH_HEAD'],
    ['/consistency?from=0&to=2', 400, 'INVALID_FIELD'],
    ['/consistency?from=1', 400, 'INVALID_FIELD'],
    ['/consistency?from=1&to=x', 400, 'INVALID_FIELD'],
    ['/checkpoint?size=4', 404, 'NO_SUCH_HEAD'],
    ['/2026/3/proof?account=1.1.2', 404, 'MONTH_NOT_SEALED'],
    ['/2026/1/proof?account=9.9.9', 404, 'NOT_IN_SEAL'],
    ['/2026/1/proof?entry=X/1/1', 404, 'NOT_IN_SEAL'],
    ['/2026/1/proof?entry=X/1', 400, 'INVALID_FIELD'],
    ['/2026/1/proof?entry=X/%2525/%25', 400, 'INVALID_FIELD'],
    ['/2026/1/proof', 400, 'INVALID_FIELD'],
    ['/2026/1/proof?entry=A/1/1&account=1.1.2', 400, 'INVALID_FIELD'],
    ['/2026/13/proof?account=1.1.2', 400, 'INVALID_FIELD'],
    ['/2026/1/proof?conta=1', 400, 'UNKNOWN_FIELD'],
  ])('%s is answered with %i %s', async (more, status, code) => {
    const answer = await get(more);
    expect([answer.status, answer.body.code], answer.text).toEqual([status, code]);
  });

  test('is shown to who reaches the branch alone', async () => {
    const other = await createBank(platform.admin);
    const { username, password } = await createUser(platform.admin, {
      username: 'stranger',
      permissions: [{ company: other.company }],
    });
    const stranger = await platform.as(username, password);
    for (const more of ['/checkpoint', '/consistency?from=1&to=2', '/2026/1/proof?account=1.1.2'])
      expect((await stranger.get('queries', path(more))).status).toBe(403);
    const empty = await platform.admin.get('queries', `/seals/${other.company}/${other.branch}/checkpoint`);
    expect([empty.status, empty.body.code]).toEqual([404, 'NO_SUCH_HEAD']);
  });
});

describe('a proof', () => {
  test.runIf(canProveByHand)('is checked by the lines of docs/seal-proofs.md as they are written', async () => {
    const guide = await readFile(new URL('../../docs/seal-proofs.md', import.meta.url), 'utf8');
    const { body, text } = await get(`/2026/1/proof?entry=${encodeURIComponent((await entryNames())[0]!)}`);
    await kept('proof.json', text);
    await kept('seal-keys.json', await readFile(await keySet(), 'utf8'));

    const [, lines] = /^```sh\n(.*?)^```/ms.exec(guide)!;
    const run = promisify(execFile)('bash', ['-e', '-c', lines!], { cwd: folder });
    const hashes = [...(await run).stdout.matchAll(/[\da-f]{64}/g)].map(([hash]) => hash);
    const leaf = createHash('sha256').update(`\0${body.items[0].leaf}`).digest('hex');
    expect(hashes).toEqual([body.seal, leaf]);

    const [, command] = /^npm run admin -- (verify-proof .* --keys .*)$/m.exec(guide)!;
    const words = command!.split(' ').map((word) => (word.endsWith('.json') ? join(folder, word) : word));
    const shown = words.map((word) => (word.endsWith('…') ? body.seal : word));
    const { code, out, err } = await runAdmin(platform, shown, NO_DATABASE);
    expect([code, err]).toEqual([0, '']);
    expect(out).toMatch(/^proved: .*the seal is one that was kept; signed with the key \S+\n$/);
  });

  test('of an entry is checked offline against a seal that was kept, and against the keys', async () => {
    const names = await entryNames();
    expect(names.length).toBeGreaterThan(1);
    for (const [at, name] of names.entries()) {
      const { body, text } = await get(`/2026/1/proof?entry=${encodeURIComponent(name)}`);
      expect(body.kind, text).toBe('entry');
      const file = await kept(`entry-${at}.json`, text);
      const { code, out, err } = await verifyProof(file, '--seal', body.seal, '--keys', await keySet());
      expect(code, err).toBe(0);
      expect(out).toMatch(
        /^proved: entry \d+ of document \S+, batch \S+, day 2026-01-\d\d stands with \d lines?, debits (1000|55)\.00 and credits \1\.00, in the books of company .*; the seal is one that was kept; signed with the key \S+\n$/,
      );
    }
  });

  test('of a balance says what the account brought and holds', async () => {
    const { body, text } = await get('/2026/1/proof?account=1.1.2');
    const file = await kept('balance.json', text);
    const seals = await kept('seals.json', [{ seal: '0'.repeat(64) }, { seal: body.seal }]);
    const { code, out } = await verifyProof(file, '--seal', seals);
    expect(code).toBe(0);
    expect(out).toContain('account 1.1.2 stands with opening 0.00, debits 1000.00, credits 55.00 and balance 945.00');
  });

  test('with anything changed proves nothing', async () => {
    const { text } = await get('/2026/1/proof?account=1.1.2');
    const keys = await keySet();
    const proof = JSON.parse(text);
    const item = proof.items[0];
    const changed: [string, object, RegExp][] = [
      ['content', { items: [{ ...item, content: { ...item.content, balance: '945.01' } }] }, /is not that of its leaf/],
      [
        'leaf',
        {
          items: [
            { ...item, content: { ...item.content, balance: '945.01' }, leaf: item.leaf.replace(/945\.00$/, '945.01') },
          ],
        },
        /not in the sealed tree/,
      ],
      ['index', { items: [{ ...item, index: item.index + 1 }] }, /not in the sealed tree/],
      ['path', { items: [{ ...item, path: item.path.slice(1) }] }, /not in the sealed tree/],
      ['root', { root: '0'.repeat(64) }, /the tree is not the sealed one/],
      ['record', { record: { ...proof.record, sealedBy: 'x' } }, /the record is not the one that is signed/],
      ['seal', { seal: '0'.repeat(64) }, /the seal is not the hash of the signed record/],
      ['signature', { jws: `${proof.jws.slice(0, -4)}AAAA` }, /the signature is not that of the key/],
      ['kind', { kind: 'entry' }, /no proof of this program/],
      ['more', { more: 1 }, /no proof of this program/],
    ];
    for (const [name, change, reason] of changed) {
      const file = await kept(`changed-${name}.json`, { ...proof, ...change });
      expect(await whyNot(file, '--keys', keys)).toMatch(new RegExp(`^not proved: .*${reason.source}`));
    }
    const file = await kept('right.json', text);
    expect(await whyNot(file)).toMatch(/^not proved: nothing was given that was kept/);
    expect(await whyNot(file, '--seal', '1'.repeat(64))).toMatch(
      /^not proved: the seal \S+ is not the one that was kept/,
    );
    expect(await whyNot(file, '--keys', await kept('none.json', { keys: [] }))).toMatch(
      /is not among those that were kept/,
    );
    expect(await whyNot(file, '--keys', file)).toMatch(/no set of public keys/);
    expect(await whyNot(file, '--seal', keys)).toMatch(/holds no seals/);
    expect(await whyNot(join(folder, 'absent'), '--seal', proof.seal)).toMatch(/cannot be read \(ENOENT\)/);
  });

  test('has the timestamp of an authority, once it has answered', async ({ skip }) => {
    const authority = await makeAuthority(folder);
    if (!authority) return skip('openssl is not installed');
    const served = await serveAuthority(authority);
    try {
      const options = { database: platform.program.database, address: served.url, log: undefined as never };
      served.fails = true;
      await expect(timestampSeals(options)).rejects.toThrow('the authority answered 503');
      served.fails = false;
      await timestampSeals(options);
      await timestampSeals({ ...options, address: 'http://127.0.0.1:1/' });
      const { body, text } = await get('/2026/2/proof?account=1.1.2');
      const file = await kept('stamped.json', text);
      const checked = await verifyProof(file, '--seal', body.seal, '--timestamp-ca', authority.certificate);
      expect(checked.out).toMatch(/; timestamp \S+Z, signed by the authority\n$/);
      const other = await kept('other-stamp.json', {
        ...(await get('/2026/1/proof?account=1.1.2')).body,
        timestamp: body.timestamp,
      });
      expect(await whyNot(other, '--keys', await keySet())).toBe('not proved: the timestamp is of another seal');
    } finally {
      served.stop();
    }
  });

  test('is made of an archived month too, and of no month whose books were changed', async () => {
    const name = encodeURIComponent((await entryNames())[0]!);
    const before = (await get(`/2026/1/proof?entry=${name}`)).body;
    await archiveMonth(platform.admin, bank, '01/2026');
    expect((await get(`/2026/1/proof?entry=${name}`)).body.items).toEqual(before.items);
    await owner.query(`SET session_replication_role = replica`);
    await owner.query(
      `UPDATE entry_line_archive SET narration = 'Outro', printed_narration = 'Outro' WHERE branch_id = $1`,
      [bank.branchId],
    );
    const answer = await get(`/2026/1/proof?entry=${name}`);
    expect([answer.status, answer.body.code]).toEqual([400, 'SEAL_MISMATCH']);
  });
});
