import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setOpenings } from '../support/balances.ts';
import { type Bank, closureSettings, createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { recordFigure } from '../support/figures.ts';
import { archiveMonth, closeMonth, openMonth } from '../support/months.ts';
import { bodyOf, type Platform, startPlatform } from '../support/platform.ts';
import { chainTrail, differencesOf, tamperedWithin } from '../support/tampering.ts';
import { volumeOf } from '../support/volumes.ts';

// Somebody with the owner's login changes the books by SQL, past all triggers. November is archived, December closes the
// result, January is closed twice.

let platform: Platform;
let owner: pg.Client;
let bank: Bank;
beforeAll(async () => {
  platform = await startPlatform();
  owner = new pg.Client({ connectionString: platform.ownerUrl });
  await owner.connect();
  bank = await createBank(platform.admin, { baseYearMonth: '11/2025' });
  await fill();
  await chainTrail(platform);
}, 120_000);
afterAll(async () => {
  await owner?.end();
  await platform?.stop();
});

async function fill(): Promise<void> {
  const { admin } = platform;
  await setOpenings(admin, bank, '1.1.2  5.000,00 D\n3.1  5.000,00 C');
  await bodyOf(admin.post('masterdata', '/closuresettings', closureSettings(bank, [12])));
  for (const month of ['11/2025', '12/2025', '01/2026']) {
    await openMonth(admin, bank, month);
    for (const day of ['05', '12', '28']) {
      await post(
        admin,
        bank,
        book`
        ${day}/${month}  1  1.1.1  D  1.${day},10  7.1    "Juros do dia ${day}"
        ${day}/${month}  1  8.1    D    3${day},07  1.1.2  "Folha"
        ${day}/${month}  2  8.2    D     20,00           "Aluguel e luz"
                            8.2    D      5,55
                            1.1.2  C     25,55`,
      );
    }
    await closeMonth(admin, bank, month);
  }
  const { company, branch, accounts } = bank;
  const quota = { company, branch, netEquityAccountId: accounts.get('3.1'), numberOfQuotas: 1000 };
  await bodyOf(admin.post('masterdata', '/quotacalculation/', quota));
  await openMonth(admin, bank, '01/2026');
  await closeMonth(admin, bank, '01/2026');
  await openMonth(admin, bank, '02/2026');
  await bodyOf(admin.get('movements', `/taxquotacalculation/${company}/${branch}?confirmed=true`));
  await archiveMonth(admin, bank, '11/2025');
}

/** What is done to one row of a table, chosen by `row`; `other` is another row of it. */
interface Tampering {
  readonly table: string;
  readonly where?: string;
  readonly sql: (row: string, other: string) => string[];
}

const set = (table: string, assignment: string, where?: string): Tampering => ({
  table,
  ...(where && { where }),
  sql: (row) => [`UPDATE ${table} SET ${assignment} WHERE ctid = ${row}`],
});
const remove = (table: string, where?: string): Tampering => ({
  table,
  ...(where && { where }),
  sql: (row) => [`DELETE FROM ${table} WHERE ctid = ${row}`],
});
/** A row once more, under other keys. */
const add = (table: string, changes: string, where?: string): Tampering => ({
  table,
  ...(where && { where }),
  sql: (row) => [
    `INSERT INTO ${table} SELECT (jsonb_populate_record(${table}, ${changes})).* FROM ${table} WHERE ctid = ${row}`,
  ],
});
/** What two rows say in a column, exchanged. */
const swap = (table: string, column: string, where?: string): Tampering => ({
  table,
  ...(where && { where }),
  sql: (row, other) => [
    `UPDATE ${table} AS one SET ${column} = two.${column} FROM ${table} AS two
      WHERE one.ctid IN (${row}, ${other}) AND two.ctid IN (${row}, ${other}) AND one.ctid <> two.ctid
        AND one.${column} IS DISTINCT FROM two.${column}`,
  ],
});

const lines = (table: string, closed?: string): Tampering[] => [
  set(table, 'amount = amount + 0.01', closed),
  set(table, `side = CASE side WHEN 'D' THEN 'C' ELSE 'D' END::"char"`, closed),
  set(
    table,
    'account_id = (SELECT min(id) FROM account WHERE account_type = $$A$$ AND account.id <> account_id)',
    closed,
  ),
  set(table, `day = CASE WHEN day = month THEN day + 1 ELSE month END`, closed),
  set(table, `narration = 'Outro', printed_narration = 'Outro'`, closed),
  set(table, `entry_number = entry_number || '9'`, closed),
  set(table, 'offset_account_id = coalesce(offset_account_id, 0) + 1', closed),
  set(table, 'closing = NOT closing', closed),
  set(table, `month = month + interval '1 month'`, closed),
  set(table, 'document_id = document_id + 1000', closed),
  set(table, 'sequence = sequence + 7', closed),
  remove(table, closed),
  add(table, `jsonb_build_object('id', id + 100000, 'sequence', sequence + 50)`, closed),
  swap(table, 'account_id', closed),
  swap(table, 'amount', closed),
  swap(table, 'document_id', closed),
];

const OF_JANUARY = `month = '2026-01-01'`;
const TAMPERINGS: readonly Tampering[] = [
  ...lines('entry_line', `month < '2026-02-01'`),
  ...lines('entry_line_archive'),
  set('document', `number = number || '7'`, OF_JANUARY),
  set('document', `month = month - interval '1 month'`, OF_JANUARY),
  set('document', 'batch_id = batch_id + 1000'),
  remove('document'),
  swap('document', 'number', OF_JANUARY),
  remove('document_archive'),
  set('document_archive', `number = number || '7'`),
  set('batch', `number = number || '7'`),
  set('batch', 'closing = NOT closing'),
  set('batch', `month = month + interval '7 months'`),
  remove('batch'),
  remove('batch_archive'),
  set('batch_archive', `number = number || '7'`),
  set(
    'account',
    `code = code || '.77'`,
    `account_type = 'A' AND EXISTS (SELECT FROM entry_line WHERE account_id = account.id)`,
  ),
  swap('account', 'parent_id', `account_type = 'A' AND EXISTS (SELECT FROM entry_line WHERE account_id = account.id)`),
  set(
    'account',
    'parent_id = NULL',
    `account_type = 'A' AND EXISTS (SELECT FROM entry_line WHERE account_id = account.id)`,
  ),
  set('account', `account_type = 'S'`, 'EXISTS (SELECT FROM entry_line WHERE account_id = account.id)'),
  set('base_balance', 'balance = balance + 1'),
  remove('base_balance'),
  swap('base_balance', 'balance'),
  set('monthly_balance', 'opening = opening + 1, balance = balance + 1'),
  set('monthly_balance', 'debit = debit + 1, credit = credit + 1'),
  remove('monthly_balance'),
  add('monthly_balance', `jsonb_build_object('account_id', account_id + 1000)`),
  swap('monthly_balance', 'account_id', OF_JANUARY),
  set('daily_balance', 'balances[1] = balances[1] + 1'),
  set('daily_balance', 'debits[1] = debits[1] + 1'),
  set('daily_balance', 'days[1] = days[1] + 1'),
  remove('daily_balance'),
  swap('daily_balance', 'balances', `${OF_JANUARY} AND cardinality(days) = 3`),
  set('month', `state = CASE state WHEN 'OPEN' THEN 'CLOSED' ELSE 'OPEN' END`),
  set('month', 'entries = entries + 1', `state = 'CLOSED'`),
  set('month', 'debits = debits + 1', `state = 'CLOSED'`),
  set('month', 'archived = NOT archived'),
  remove('month', `month < '2026-02-01'`),
  remove('month_reopening'),
  set('month_reopening', `month = '2025-12-01'`),
  set('seal', 'lines = lines + 1'),
  set('seal', `lines_root = sha256('x')`),
  set('seal', `balances_root = sha256('x')`),
  set('seal', `previous = sha256('x')`),
  set('seal', `seal = sha256('x')`),
  set('seal', `sealed_by = 'x'`),
  set('seal', `sealed_at = sealed_at + interval '1 second'`),
  set('seal', `reason = 'x'`),
  set('seal', `jws = overlay(jws PLACING 'AAAA' FROM 150)`),
  set('seal', 'position = position + 100'),
  remove('seal'),
  swap('seal', 'jws'),
  swap('seal', 'lines_root'),
  set('tax_quota', 'quota_value = quota_value + 0.00000001'),
  set('tax_quota', 'net_equity = net_equity + 1'),
  set('tax_quota', 'number_of_quotas = number_of_quotas + 1'),
  set('tax_quota', `reference_day = reference_day - 31`),
  set('quota_movement', 'quotas = quotas + 1'),
  remove('quota_movement'),
  set('audit', `username = 'x'`),
  set('audit', `at = at - interval '1 second'`),
  set('audit', `after = '{}'`, `after IS DISTINCT FROM '{}'`),
  set('audit', 'id = id + 1000000'),
  set('audit', 'company_id = coalesce(company_id, 0) + 1'),
  remove('audit'),
  add('audit', `jsonb_build_object('id', -id)`),
  swap('audit', 'entity_id'),
  remove('audit_link'),
  set('audit_link', `hash = sha256('x')`),
  swap('audit_link', 'hash'),
  set('audit_head', `jws = overlay(jws PLACING 'AAAA' FROM 80)`),
];

/** Rows in the order in which they stand; the first and the last come first, then others from place to place. */
async function rowOf({ table, where = 'true' }: Tampering, turn: number): Promise<[string, string] | undefined> {
  const { rows } = await owner.query<{ at: string }>(
    `SELECT ctid::text AS at FROM ${table} WHERE ${where} ORDER BY ctid`,
  );
  if (rows.length === 0) return undefined;
  const at = turn === 0 ? 0 : turn === 1 ? rows.length - 1 : (turn * 7) % rows.length;
  const quoted = (place: number) => `'${rows[place % rows.length]!.at}'::tid`;
  return [quoted(at), quoted(at + 1 + (turn % Math.max(1, rows.length - 1)))];
}

/** The trail is of the platform as a whole. */
const scopeOf = ({ table }: Tampering) => (table.startsWith('audit') ? {} : { company: bank.company });

const found = () => differencesOf(platform);

test('books that nobody has tampered with are clean', async () => {
  expect(await found()).toEqual([]);
});

test('each tampering by SQL as the owner is found', { timeout: 900_000 }, async () => {
  const wanted = volumeOf('TAMPERINGS');
  const unfound: string[] = [];
  const tables = new Set<string>();
  let done = 0;
  for (let turn = 0; done < wanted && turn < wanted; turn++) {
    for (const [at, tampering] of TAMPERINGS.entries()) {
      if (done >= wanted) break;
      // Short forms take every kind as well: kinds first, rows afterwards.
      if (wanted < TAMPERINGS.length && (at + turn) % Math.ceil(TAMPERINGS.length / wanted) !== 0) continue;
      const rows = await rowOf(tampering, turn);
      if (rows === undefined) throw new Error(`there is no row of ${tampering.table}`);
      const statements = tampering.sql(...rows);
      const differences = await tamperedWithin(owner, statements, (database) =>
        differencesOf(platform, scopeOf(tampering), { database }),
      );
      if (differences === undefined) continue;
      done++;
      tables.add(tampering.table);
      if (differences.length === 0) unfound.push(statements.join('; '));
    }
  }
  expect(unfound).toEqual([]);
  expect(await found()).toEqual([]);
  recordFigure({
    part: 'tamperings',
    what: 'tamperings by SQL as the owner',
    figure: `${done - unfound.length} of ${done} found, in ${tables.size} tables`,
    control: 'the same books before and after: no difference',
  });
  expect(done).toBe(wanted);
});

test('who rewrites the seal as well is found by its signature; who cuts the log off, by a seal that somebody kept', async () => {
  const line = `UPDATE entry_line SET narration = 'Outro', printed_narration = 'Outro' WHERE ${OF_JANUARY}`;
  const seal = (column: string) => `UPDATE seal SET ${column} WHERE position = (SELECT max(position) FROM seal)`;
  const rewritten = await tamperedWithin(
    owner,
    [line, seal(`lines_root = sha256('x')`), seal(`seal = sha256('y')`)],
    (database) => differencesOf(platform, {}, { database }),
  );
  expect(rewritten!.map(({ kind }) => kind)).toContain('SEAL_RECORD');
  const { rows: seals } = await owner.query(`SELECT encode(seal, 'hex') AS seal, jws FROM seal ORDER BY position`);
  expect(seals.length).toBe(4);
  expect(await differencesOf(platform, {}, { seals })).toEqual([]);
  const cut = [
    `DELETE FROM seal_checkpoint WHERE position = 3`,
    `DELETE FROM seal_timestamp WHERE position = 3`,
    'DELETE FROM seal WHERE position = 3',
    `DELETE FROM month_reopening`,
  ];
  const withoutKept = await tamperedWithin(owner, cut, (database) => differencesOf(platform, {}, { database }));
  expect(withoutKept).toEqual([]);
  const withKept = await tamperedWithin(owner, cut, (database) => differencesOf(platform, {}, { database, seals }));
  expect(withKept!.map(({ kind }) => kind)).toEqual(['SEAL_AGAINST']);
  const forged = [{ seal: seals[0].seal, jws: seals[1].jws }];
  expect((await differencesOf(platform, {}, { seals: forged })).map(({ kind }) => kind)).toEqual(['SEAL_AGAINST']);
});
