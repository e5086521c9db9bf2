import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordBytes, sealOf } from '../../src/features/closing/seals/seal-record.ts';
import { copyRows } from '../../src/platform/database/copy-rows.ts';
import { runAdmin } from '../support/admin-command.ts';
import { type Bank, closureSettings, createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { archiveMonth, closeMonth, openMonth, REOPENING, unarchiveMonth } from '../support/months.ts';
import { pastTriggers } from '../support/past-triggers.ts';
import { canonicalJson, payloadOf, plainRoots, rootOfTexts, sealOfRecord } from '../support/plain-seals.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';
import { differencesOf } from '../support/tampering.ts';

let platform: Platform;
let owner: pg.Client;
beforeAll(async () => {
  platform = await startPlatform();
  owner = new pg.Client({ connectionString: platform.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner?.end();
  await platform?.stop();
});

/** A branch with a month of lines in an order that is not that of the books, open still. */
async function filledBank(): Promise<Bank> {
  const bank = await createBank(platform.admin);
  await bodyOf(platform.admin.post('masterdata', '/closuresettings', closureSettings(bank, [1])));
  await openMonth(platform.admin, bank, '01/2026');
  await post(
    platform.admin,
    bank,
    book`
    20/01  10  8.1    D     50,00       "Folha"
               8.2    D      5,00
               1.1.2  C     55,00
    05/01  2   1.1.2  D  1.000,00  3.1  "Aporte"
    05/01  A   1.1.1  D     10,00  7.1  "Juros"
    31/01  2   1.1.1  D      7,00  7.2  "Tarifa\\de “ação”"
    05/01  2   1.1.2  D      1,00  7.1  "Juros"
  `,
  );
  return bank;
}

async function sealsOf(bank: Bank) {
  const { rows } = await owner.query('SELECT * FROM seal WHERE branch_id = $1 ORDER BY position', [bank.branchId]);
  return rows.map((row) => ({
    lines: Number(row.lines),
    linesRoot: row.lines_root.toString('hex'),
    balances: Number(row.balances),
    balancesRoot: row.balances_root.toString('hex'),
  }));
}

test('a close seals what its lines and balances are by another reading of docs/seals.md, closing entries included', async () => {
  const bank = await filledBank();
  // What no route lets in, a migration may have brought.
  await owner.query(`UPDATE entry_line SET narration = narration || E'\\t\\\\\\n' WHERE branch_id = $1`, [
    bank.branchId,
  ]);
  await closeMonth(platform.admin, bank, '01/2026');
  const roots = await plainRoots(owner, bank.branchId, '2026-01-01');
  expect(roots.lines).toBe(21);
  expect(await sealsOf(bank)).toEqual([roots]);
  await archiveMonth(platform.admin, bank, '01/2026');
  expect(await plainRoots(owner, bank.branchId, '2026-01-01')).toEqual(roots);
  await unarchiveMonth(platform.admin, bank, '01/2026');
});

const listOf = (bank: Bank, query = '') =>
  platform.admin.get('queries', `/seals/${bank.company}/${bank.branch}${query}`);

test('seals are listed with what proves them: record, chain, signature by a published key', async () => {
  const bank = await filledBank();
  expect((await listOf(bank)).body).toEqual([]);
  await closeMonth(platform.admin, bank, '01/2026');
  await openMonth(platform.admin, bank, '02/2026');
  await closeMonth(platform.admin, bank, '02/2026');
  const { body: seals, headers } = await listOf(bank);
  const { keys } = await bodyOf(platform.withToken('').get('queries', '/.well-known/seal-keys.json'));
  for (const { position, seal, replacedBy, jws, ...record } of seals) {
    expect(sealOfRecord(record)).toBe(seal);
    expect(payloadOf(jws, keys)).toBe(canonicalJson(record));
    expect({ position, replacedBy }).toEqual({
      position: seals.findIndex((each: (typeof seals)[0]) => each.seal === seal),
      replacedBy: null,
    });
  }
  expect(seals).toMatchObject([
    {
      year: '2026',
      month: '01',
      version: 1,
      previous: null,
      lines: 21,
      sealedBy: 'admin',
      replaces: null,
      reason: null,
    },
    { year: '2026', month: '02', previous: seals[0].seal, lines: 0, linesRoot: rootOfTexts([]), replaces: null },
  ]);
  expect((await listOf(bank, '?from=1&size=1')).body).toEqual([seals[1]]);
  const known = await platform.admin.call('queries', 'GET', `/seals/${bank.company}/${bank.branch}`, undefined, {
    'if-none-match': headers.get('etag')!,
  });
  expect(known.status).toBe(304);
});

test('a month that is opened again keeps its seal, and its next one names it and the reason', async () => {
  const bank = await filledBank();
  await closeMonth(platform.admin, bank, '01/2026');
  const [first] = (await listOf(bank)).body;
  await openMonth(platform.admin, bank, '01/2026');
  expect((await listOf(bank)).body).toEqual([first]);
  await closeMonth(platform.admin, bank, '01/2026');
  const seals = (await listOf(bank)).body;
  expect(seals).toMatchObject([
    { seal: first.seal, replaces: null, replacedBy: seals[1].seal },
    { previous: first.seal, replaces: first.seal, replacedBy: null, reason: REOPENING.reason },
  ]);
  expect(seals[1].linesRoot).toBe(first.linesRoot);
});

test('the list rejects what is no position, no size, no branch', async () => {
  const bank = await createBank(platform.admin);
  for (const query of ['?from=-1', '?from=x', '?size=0', '?size=1001', '?month=1']) {
    expect((await listOf(bank, query)).status, query).toBe(400);
  }
  expect((await listOf({ ...bank, branch: '9999' })).status).toBe(404);
});

test('neither login of the program changes or removes a seal, or appends one out of its place', async () => {
  const bank = await filledBank();
  await closeMonth(platform.admin, bank, '01/2026');
  const app = new pg.Client({ connectionString: platform.program.logins.app! });
  await app.connect();
  const within = async (companies: string, text: string) => {
    await app.query('BEGIN');
    try {
      await app.query(`SET LOCAL app.companies = '${companies}'`);
      await app.query(text);
    } finally {
      await app.query('ROLLBACK');
    }
  };
  try {
    for (const text of ['UPDATE seal SET reason = reason', 'DELETE FROM seal', 'INSERT INTO seal SELECT * FROM seal'])
      await expect(within('*', text)).rejects.toMatchObject({ code: '42501' });
    const { companyId, branchId } = bank;
    const kept = `(SELECT seal.* FROM seal WHERE seal.company_id = ${companyId} AND seal.branch_id = ${branchId}) AS kept`;
    await expect(within('*', `SELECT append_seal(${companyId}, kept::seal) FROM ${kept}`)).rejects.toMatchObject({
      code: 'PB002',
    });
    const made = `ROW(${companyId}, ${branchId}, 1, '2026-01-01', 1, '', '', 0, '', 0, '', NULL, now(), '', NULL, NULL, '', '', '')`;
    await expect(within('0', `SELECT append_seal(${companyId}, ${made}::seal)`)).rejects.toMatchObject({
      code: '42501',
    });
  } finally {
    await app.end();
  }
});

test('months that were closed before seals existed are sealed by a command, once, the oldest first', async () => {
  const bank = await filledBank();
  for (const month of ['01/2026', '02/2026', '03/2026']) {
    if (month !== '01/2026') await openMonth(platform.admin, bank, month);
    await closeMonth(platform.admin, bank, month);
  }
  const [first, second, third] = (await listOf(bank)).body;
  await archiveMonth(platform.admin, bank, '01/2026');
  await openMonth(platform.admin, bank, '04/2026');
  const { company, branch, branchId } = bank;
  const seal = (...words: string[]) =>
    runAdmin(platform, ['seal', ...words], { SEAL_KEY_FILE: platform.program.app.config.sealKeys.file });
  await pastTriggers(owner, async () => {
    await owner.query(`DELETE FROM seal_checkpoint WHERE branch_id = ${branchId}`);
    await owner.query(`DELETE FROM seal WHERE branch_id = ${branchId}`);
    await owner.query(
      `UPDATE month SET closed_at = '2020-01-01' WHERE branch_id = ${branchId} AND month < '2026-03-01'`,
    );
  });
  const name = `${company}/${branch}`;
  expect(await seal(`${name}/2026-04`)).toMatchObject({ code: 1, err: `${name}: month 2026-04 is not closed\n` });
  expect(await seal(`${name}/2026-02`)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/2026-02\t[\da-f]{64}\n$/),
  });
  // March was closed when seals were there.
  const rest = await seal(company);
  expect(rest).toMatchObject({
    code: 1,
    out: expect.stringContaining(`${name}/2026-03\twas closed with a seal that is gone`),
  });
  const seals = (await listOf(bank)).body;
  expect(seals).toMatchObject([
    { month: '02', previous: null, linesRoot: second.linesRoot, balancesRoot: second.balancesRoot },
    { month: '01', previous: seals[0].seal, linesRoot: first.linesRoot, balancesRoot: first.balancesRoot },
  ]);
  expect(seals[1]).toMatchObject({ lines: 21, sealedBy: 'command line', replaces: null, reason: null });
  expect(third.month).toBe('03');
  await owner.query(`UPDATE month SET closed_at = '2020-01-01' WHERE branch_id = ${branchId}`);
  expect((await seal(company)).code).toBe(0);
  expect(await seal(company)).toMatchObject({ code: 0, out: '' });
  expect((await listOf(bank)).body.map(({ month }: { month: string }) => month)).toEqual(['02', '01', '03']);
  const found = await differencesOf(platform, { company });
  expect(found.filter(({ kind }) => kind.startsWith('SEAL'))).toEqual([]);
});

test('rows are copied whole however the wire cuts them, and a failure leaves the connection as it was', async () => {
  const copied = async (query: string) => {
    const rows: string[] = [];
    await copyRows(owner, `COPY (${query}) TO STDOUT`, (bytes, start, end) =>
      rows.push(bytes.toString('utf8', start, end)),
    );
    return rows;
  };
  const long = await copied(`SELECT n, repeat('ç', n * 37 % 70000) FROM generate_series(1, 3000) AS n`);
  expect(long.map((row) => row.length)).toEqual(
    Array.from({ length: 3_000 }, (_, at) => `${at + 1}`.length + 1 + (((at + 1) * 37) % 70_000)),
  );
  expect(await copied('SELECT 1 WHERE false')).toEqual([]);
  await expect(copied('SELECT 1 / (1000 - n) FROM generate_series(1, 2000) AS n')).rejects.toMatchObject({
    code: '22012',
  });
  await expect(copied('SELECT nothing')).rejects.toMatchObject({ code: '42703' });
  const thrown = copyRows(owner, 'COPY (SELECT generate_series(1, 1000)) TO STDOUT', () => {
    throw new Error('no');
  });
  await expect(thrown).rejects.toThrow('no');
  expect((await owner.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  const gone = new pg.Client({ connectionString: platform.ownerUrl });
  gone.on('error', () => {});
  await gone.connect();
  const { rows } = await gone.query('SELECT pg_backend_pid() AS pid');
  const cut = copyRows(gone, 'COPY (SELECT pg_sleep(60)) TO STDOUT', () => {});
  const refused = expect(cut).rejects.toThrow();
  await owner.query('SELECT pg_terminate_backend($1::integer)', [rows[0].pid]);
  await refused;
});

test('the vectors of docs/seals.md are right', async () => {
  const text = await readFile(new URL('../../docs/seals.md', import.meta.url), 'utf8');
  const vectors = JSON.parse(/## Test vectors[\s\S]*?```json\n([\s\S]*?)```/.exec(text)![1]!);
  const record = JSON.parse(vectors.record);
  const hashOf = (leaf: string) => rootOfTexts([leaf]);
  expect(vectors.lines.map(hashOf)).toEqual(vectors.lineHashes);
  expect(vectors.balances.map(hashOf)).toEqual(vectors.balanceHashes);
  expect(record).toMatchObject({
    lines: vectors.lines.length,
    linesRoot: rootOfTexts(vectors.lines),
    balances: vectors.balances.length,
    balancesRoot: rootOfTexts(vectors.balances),
  });
  expect(canonicalJson(record)).toBe(vectors.record);
  expect(sealOfRecord(record)).toBe(vectors.seal);
  // And the program's own.
  expect(recordBytes(record).toString()).toBe(vectors.record);
  const fields = vectors.lines[2].split('\t');
  expect(fields).toHaveLength(11);
  expect(sealOf(record).toString('hex')).toBe(vectors.seal);
});
