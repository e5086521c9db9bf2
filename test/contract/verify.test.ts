import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NOTHING_OUTSIDE } from '../../scripts/check-restored-books.ts';
import { REFERENCES } from '../../src/features/closing/verify/company-facts.read.sql.ts';
import type { Difference } from '../../src/features/closing/verify/difference.ts';
import { verify } from '../../src/features/closing/verify/verify.ts';
import { runAdmin } from '../support/admin-command.ts';
import type { Bank } from '../support/banks.ts';
import { createFullBank } from '../support/full-books.ts';
import { testOnOneServer } from '../support/one-server.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { differencesOf, tampered } from '../support/tampering.ts';

let platform: Platform;
let owner: pg.Client;
let bank: Bank;
let folder: string;
beforeAll(async () => {
  platform = await startPlatform();
  owner = new pg.Client({ connectionString: platform.ownerUrl });
  await owner.connect();
  bank = await createFullBank(platform, owner, { company: 'V1' }, 'Conferido', '1234.56');
  folder = await mkdtemp(join(tmpdir(), 'verify-'));
}, 60_000);
afterAll(async () => {
  await owner?.end();
  await platform?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

test('books with something in every place are clean', async () => {
  expect(await differencesOf(platform)).toEqual([]);
});

/** In a process of its own, with the keys and files of the platform. */
const verifyBooks = (words: readonly string[]) =>
  runAdmin(platform, words, { DATA_DIR: platform.program.app.config.dataDir });

/** SQL as the owner, with what verify says of it first. */
const TAMPERINGS: readonly (readonly [what: string, sql: string, found: Partial<Difference>])[] = [
  [
    'a line of a closed month',
    `UPDATE entry_line SET amount = amount + 1 WHERE month = '2026-01-01' AND sequence = 1`,
    { kind: 'ENTRY_UNBALANCED', branch: '0001', month: '2026-01' },
  ],
  [
    'an archived line that is gone',
    'DELETE FROM entry_line_archive WHERE sequence = 2',
    { kind: 'ENTRY_UNBALANCED', month: '2025-12' },
  ],
  [
    'a line of another account',
    `UPDATE entry_line SET account_id = (SELECT id FROM account WHERE code = '1.1.2')
      WHERE month = '2026-01-01' AND account_id = (SELECT id FROM account WHERE code = '1.1.1')`,
    { kind: 'BALANCE', what: 'account 1.1.1' },
  ],
  [
    'a line of no account',
    `UPDATE entry_line SET account_id = 999 WHERE month = '2026-02-01' AND sequence = 1`,
    { kind: 'REFERENCE', month: '2026-02' },
  ],
  [
    'a balance of a summary account',
    `UPDATE monthly_balance SET opening = opening + 1, balance = balance + 1
      WHERE month = '2026-01-01' AND account_id = (SELECT id FROM account WHERE code = '1')`,
    { kind: 'BALANCE', what: 'account 1' },
  ],
  [
    'the days of an account',
    `UPDATE daily_balance SET days[1] = days[1] + 1 WHERE month = '2026-01-01'`,
    { kind: 'DAILY_BALANCE' },
  ],
  ['a base balance', 'UPDATE base_balance SET balance = balance + 1', { kind: 'BALANCE', month: '2025-12' }],
  ['kept sums', 'UPDATE line_sum SET debit = debit + 1', { kind: 'KEPT_SUM', month: '2026-02' }],
  ['kept figures', `UPDATE month SET entries = 77 WHERE month = '2026-01-01'`, { kind: 'MONTH_FIGURES', found: '77' }],
  ['a month that is opened', `UPDATE month SET state = 'OPEN' WHERE month = '2026-01-01'`, { kind: 'BALANCE' }],
  ['a month that is gone', `DELETE FROM month WHERE month = '2026-01-01'`, { kind: 'ORPHAN', month: '2026-01' }],
  ['a batch that is gone', `DELETE FROM batch WHERE month = '2026-01-01'`, { kind: 'REFERENCE', month: '2026-01' }],
  [
    'a batch twice',
    `INSERT INTO batch_archive (company_id, id, branch_id, month, number)
     SELECT company_id, id + 1000, branch_id, month, number FROM batch_archive`,
    { kind: 'DUPLICATE', month: '2025-12' },
  ],
  [
    'a document of another month',
    `UPDATE document SET month = '2026-02-01' WHERE month = '2026-01-01'`,
    { kind: 'REFERENCE' },
  ],
  ['a quota of a day', 'UPDATE daily_quota SET quota_value = quota_value + 0.00000001', { kind: 'QUOTA', month: null }],
  [
    'what has changed under a quota of a day',
    'UPDATE daily_quota SET equity_change = equity_change + 0.01',
    { kind: 'QUOTA', month: null },
  ],
  ['a quota', 'UPDATE tax_quota SET quota_value = quota_value + 0.00000001', { kind: 'QUOTA', month: null }],
  ['a branch that is gone', 'DELETE FROM branch', { kind: 'ORPHAN', branch: null }],
  ['a setting of no account', 'UPDATE closure_settings SET profit_account_id = 999', { kind: 'ORPHAN', company: 'V1' }],
];

test.each(TAMPERINGS)('%s is found', (_what, sql, expected) => expectFound(sql, expected));

testOnOneServer('there no line changes its company')('lines of another company are found', () =>
  expectFound('UPDATE entry_line_archive SET company_id = 77', { kind: 'MONTH_FIGURES', month: '2025-12' }),
);

async function expectFound(sql: string, expected: object): Promise<void> {
  const [first] = await tampered(owner, sql, () => differencesOf(platform));
  expect(first).toMatchObject(expected);
  expect(await differencesOf(platform)).toEqual([]);
}

testOnOneServer('the catalogue names shards')(
  'what refers to something is looked at, whether it has a foreign key or not',
  async () => {
    const { rows } = await owner.query<{ reference: string }>(`
    SELECT pg_constraint.conrelid::regclass || ' ' || string_agg(pg_attribute.attname, ',' ORDER BY key.place)
           || ' ' || pg_constraint.confrelid::regclass AS reference
      FROM pg_constraint
     CROSS JOIN LATERAL unnest(pg_constraint.conkey) WITH ORDINALITY AS key (number, place)
      JOIN pg_attribute ON pg_attribute.attrelid = pg_constraint.conrelid AND pg_attribute.attnum = key.number
     WHERE pg_constraint.contype = 'f' AND pg_constraint.connamespace = 'public'::regnamespace
       AND EXISTS (SELECT 1 FROM pg_attribute AS own
                    WHERE own.attrelid = pg_constraint.conrelid AND own.attname = 'company_id')
     GROUP BY pg_constraint.oid, pg_constraint.conrelid, pg_constraint.confrelid`);
    const looked = REFERENCES.map(({ table, columns, target }) => `${table} ${columns.join(',')} ${target}`);
    expect(rows.map(({ reference }) => reference).filter((each) => !looked.includes(each))).toEqual([]);
  },
);

/** Columns that name something without a foreign key and are not looked at, by why. */
const EXCUSED: Readonly<Record<string, readonly string[]>> = {
  'it stays when what it names is removed': [
    ...['audit.branch_id', 'audit.company_id', 'audit.entity_id', 'audit.user_id'],
    ...['event.branch_id', 'event.company_id', 'event_outbox.branch_id', 'event_outbox.company_id'],
    ...['webhook_delivery.branch_id', 'webhook_queue.branch_id'],
    ...['approval.decided_by_id', 'approval.requested_by_id'],
    ...['earlier_account.account_id', 'earlier_account.chart_id', 'earlier_record.record_id'],
    ...['fee_accrual.document_id', 'fee_accrual.reversal_document_id'],
    ...['entry_source.document_id', 'entry_template_data.batch_id', 'entry_template_data.document_id'],
    ...['import_record.batch_id', 'job.parent_id', 'quota_movement.document_id'],
    ...['regulatory_delivery.job_id'],
  ],
  'it is of the moment and removed soon': ['job_progress.company_id', 'job_progress.job_id'],
  'it is an id of somebody else': ['entry_source.external_id', 'used_id_token.token_id'],
  'its signature is verified, and by it the key': ['seal.key_id'],
  'it is verified with the chain of the trail (audit-chain.test.ts)': [
    ...['audit_chain.settled_id', 'audit_chain.watched_id', 'audit_link.audit_id'],
  ],
};

async function anyDifference(): Promise<boolean> {
  for await (const { differences } of verify(platform.program.database, NOTHING_OUTSIDE, {}, undefined))
    if (differences.length > 0) return true;
  return false;
}

testOnOneServer('shards have no rows by ctid')(
  'what names something without a foreign key is verified, or excused',
  { timeout: 120_000 },
  async () => {
    const { rows } = await owner.query<{ table: string; column: string }>(`
    SELECT pg_class.relname AS table, attname AS column
      FROM pg_class
      JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
     WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attname LIKE '%\\_id'
       AND NOT EXISTS (SELECT 1 FROM pg_constraint
                        WHERE contype = 'f' AND conrelid = pg_class.oid AND attnum = ANY (conkey))
     ORDER BY 1, 2`);
    const excused = Object.values(EXCUSED).flat();
    const columns = rows.map(({ table, column }) => `${table}.${column}`);
    expect(excused.filter((each) => !columns.includes(each))).toEqual([]);
    const unseen: string[] = [];
    for (const { table, column } of rows) {
      if (excused.includes(`${table}.${column}`)) continue;
      const sql = `UPDATE ${table} SET ${column} = 987654321
                  WHERE ctid = (SELECT ctid FROM ${table} ORDER BY ${column} IS NULL LIMIT 1)`;
      if (!(await tampered(owner, sql, anyDifference))) unseen.push(`${table}.${column}`);
    }
    expect(unseen).toEqual([]);
  },
);

test('the command says what it finds by its output and its exit code', { timeout: 60_000 }, async () => {
  const clean = await verifyBooks(['verify', 'V1']);
  expect(clean).toMatchObject({ code: 0, out: '' });
  expect(clean.err).toMatch(/^verified: \d+ parts, 10 lines in [\d.]+ s; differences: 0\n$/);
  const wrong = await tampered(owner, 'UPDATE monthly_balance SET debit = debit + 1, credit = credit + 1', () =>
    verifyBooks(['verify', 'V1/0001/2026-01']),
  );
  expect(wrong.code).toBe(1);
  const lines: Difference[] = wrong.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.length).toBeGreaterThan(3);
  for (const line of lines) {
    expect(Object.keys(line)).toEqual(['company', 'branch', 'month', 'kind', 'what', 'expected', 'found']);
    expect(line).toMatchObject({ company: 'V1', branch: '0001', month: '2026-01' });
    expect(['BALANCE', 'SEAL']).toContain(line.kind);
  }
});

test('kept seals are compared with the log', { timeout: 60_000 }, async () => {
  const kept = join(folder, 'seals.json');
  const { rows } = await owner.query(`SELECT encode(seal, 'hex') AS seal, jws FROM seal ORDER BY position`);
  await writeFile(kept, JSON.stringify(rows));
  expect(await verifyBooks(['verify', 'V1', '--against', kept])).toMatchObject({ code: 0, out: '' });
  await writeFile(kept, JSON.stringify([{ ...rows[0], seal: rows[1].seal }]));
  const wrong = await verifyBooks(['verify', 'V1', '--against', kept]);
  expect([wrong.code, JSON.parse(wrong.out).kind]).toEqual([1, 'SEAL_AGAINST']);
});

test('a run goes on where an earlier one ended', { timeout: 60_000 }, async () => {
  const state = join(folder, 'state.json');
  const scope = JSON.stringify({ company: 'V1' });
  const key = [bank.companyId, bank.branchId].map((id) => String(id).padStart(16, '0')).join('/');
  await writeFile(state, JSON.stringify({ scope, key: `${key}/2026-01`, parts: 2, lines: 8, differences: 3 }));
  const rest = await verifyBooks(['verify', 'V1', '--resume', state]);
  expect(rest.code).toBe(1);
  expect(rest.err).toMatch(/^verified: 5 parts, 10 lines in .*; differences: 3\n$/);
  await expect(readFile(state)).rejects.toThrow('ENOENT');
});

test('what cannot be verified is said in a line, with exit code 2', { timeout: 120_000 }, async () => {
  const [broken, other] = [join(folder, 'broken.json'), join(folder, 'other.json')];
  await writeFile(broken, '[1');
  await writeFile(other, JSON.stringify({ scope: '{}', parts: 0, lines: 0, differences: 0 }));
  const cases: readonly (readonly [readonly string[], string])[] = [
    [['V9'], 'there is no company V9'],
    [['V1/0009'], 'there is no branch V1/0009'],
    [['V1/0001/janeiro'], 'a month is written'],
    [['V1', '--resume', broken], 'is no state of an earlier run'],
    [['V1', '--resume', other], 'belongs to a run of'],
    [['V1', '--resume', join(folder, 'no', 'state')], 'cannot be written (ENOENT)'],
    [['V1', '--against', broken], 'is no answer of GET /seals'],
    [['V1', '--against', join(folder, 'none')], 'cannot be read (ENOENT)'],
    [['V1', '--fast'], 'Usage: npm run admin -- verify'],
  ];
  for (const [words, reason] of cases) {
    const { code, out, err } = await verifyBooks(['verify', ...words]);
    expect([words, code, out, err.trim().split('\n')]).toEqual([words, 2, '', [expect.stringContaining(reason)]]);
  }
  const away = await runAdmin({ ownerUrl: 'postgresql://nobody:x@127.0.0.1:9/none' }, ['verify']);
  expect([away.code, away.err.trim().split('\n')]).toEqual([
    2,
    [expect.stringContaining('the database cannot be reached')],
  ]);
});
