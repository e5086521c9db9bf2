import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DoorName } from '../../src/platform/config.ts';
import type { DatabaseRole } from '../../src/platform/database/logins.ts';
import { ROLE_OF } from '../../src/program.ts';
import { SERVICES } from '../../src/services/services.ts';
import { createBank } from '../support/banks.ts';
import { book, post } from '../support/books.ts';
import { closeMonth, openMonth } from '../support/months.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
/** A connection of each login, as the program has them, under no scope. */
let logins: Record<DatabaseRole, pg.Client>;
let owner: pg.Client;

beforeAll(async () => {
  platform = await startPlatform();
  const connect = async (connectionString: string) => {
    const client = new pg.Client({ connectionString });
    await client.connect();
    return client;
  };
  const { app, reader, auth } = platform.program.logins;
  logins = { app: await connect(app!), reader: await connect(reader!), auth: await connect(auth!) };
  owner = await connect(platform.ownerUrl);
});
afterAll(async () => {
  for (const client of Object.values(logins ?? {})) await client.end();
  await owner?.end();
  await platform?.stop();
});

/** SQLSTATE of the rejection, or the number of rows. */
async function outcome(role: DatabaseRole, text: string): Promise<string | number | null> {
  const client = logins[role];
  await client.query('BEGIN');
  try {
    await client.query(`SELECT set_config('app.companies', '*', true)`);
    return (await client.query(text)).rowCount;
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await client.query('ROLLBACK');
  }
}

const FORBIDDEN = '42501';

/** S, I, U, D: the whole row; small: some columns only. Of each role in the order app, reader, auth. */
const DECISIONS: Readonly<Record<string, readonly [app: string, reader: string, auth: string]>> = {
  // Users and keys: the authentication service's own; others see users without hashes, and keys' public halves.
  app_user: ['s', 's', 'SIUD'],
  signing_key: ['s', 's', 'SIUD'],
  user_identity: ['', '', 'SIUD'],
  signin_failure: ['', '', 'SIUD'],
  console_session: ['', '', 'SIUD'],
  service_account: ['S', 'S', 'SIUD'],
  service_secret: ['', '', 'SIUD'],
  used_id_token: ['', '', 'SIUD'],
  user_totp: ['', '', 'SIUD'],
  // Rights: users' by the authentication service and by whoever makes a company, groups' by master data.
  user_permission: ['SIUD', 'S', 'SIUD'],
  user_group: ['SIUD', 'S', 'S'],
  group_member: ['SIUD', 'S', 'S'],
  group_permission: ['SIUD', 'S', 'S'],
  routine: ['SIUD', 'S', 'S'],
  routine_access: ['SIUD', 'S', 'S'],
  company: ['SIUD', 'S', 'S'],
  branch: ['SIUD', 'S', 'S'],
  // The trail grows; the authentication service alone shows it.
  audit: ['SI', 'I', 'SI'],
  // What reading services write: see grants.sql.
  report_preference: ['SIUD', 'SIU', ''],
  printed_report: ['SIUD', 'SIU', ''],
  earlier_account: ['SI', 'S', ''],
  earlier_record: ['SI', 'S', ''],
  entry_source: ['SI', 'S', ''],
  job: ['SIUD', 'SI', 's'],
  import_file: ['SID', 'S', ''],
  import_file_piece: ['SID', 'S', ''],
  report_file_piece: ['SI', 'S', ''],
  approval: ['SIu', 'S', ''],
  daily_quota: ['SIu', 'S', ''],
  regulatory_delivery: ['SIu', 'Su', ''],
  issued_book: ['SIu', 'SI', ''],
  issued_book_piece: ['SI', 'SI', ''],
  company_options: ['SIUD', 'Su', ''],
  // Returns of others.
  idempotency_key: ['SIUD', '', ''],
  webhook_secret: ['SIUD', '', ''],
  migration: ['S', 'S', 'S'],
  // Opened and locked by the program; closed, reopened and archived by the owner's functions.
  month: ['Siu', 'S', ''],
  batch_archive: ['S', 'S', ''],
  document_archive: ['S', 'S', ''],
  entry_line_archive: ['S', 'S', ''],
  line_sum: ['SI', 'S', ''],
  // Appended by the owner's functions.
  audit_link: ['S', 'S', ''],
  audit_head: ['S', 'S', ''],
  audit_chain: ['S', 'S', ''],
  seal: ['S', 'S', ''],
  seal_key: ['SI', 'S', ''],
  seal_checkpoint: ['SI', 'S', ''],
  seal_timestamp: ['SI', 'S', ''],
  verify_run: ['SU', 'S', ''],
  verify_result: ['SIUD', 'S', ''],
};

/** Books and master data: written by the program, read by the reading services, no business of authentication. */
const BOOKS = `account account_group account_mask account_use base_balance batch business_system calendar_day
  chart company_registration event event_outbox event_stream severity closure_settings control_balance compliance_process compliance_rule compliance_rule_document
  compliance_rule_script daily_balance document entry_line entry_reversal fund_settings
  fund_type import_record job_progress lookup_cache month_reopening monthly_balance quota_configuration quota_movement reference_account
  reference_chart regulatory_document regulatory_profile standard_narration entry_template entry_template_data
  entry_template_month statement statement_fact statement_line statement_selector tax_quota
  webhook webhook_queue webhook_delivery fee_accrual fund_fee`.split(/\s+/);

const ALL_DECISIONS = { ...DECISIONS, ...Object.fromEntries(BOOKS.map((name) => [name, ['SIUD', 'S', '']])) };

test('every table is decided upon, and each role has just what was decided', async () => {
  const { rows } = await owner.query<{ name: string; rights: string[] }>(`
    SELECT pg_class.relname AS name,
           ARRAY(SELECT string_agg(CASE WHEN has_table_privilege(role.name, pg_class.oid, privilege.name) THEN privilege.letter
                                        WHEN privilege.letter <> 'D' AND has_any_column_privilege(role.name, pg_class.oid, replace(privilege.name, 'DELETE', 'SELECT'))
                                        THEN lower(privilege.letter) ELSE '' END, '' ORDER BY privilege.place)
                   FROM unnest(ARRAY['partidas_app', 'partidas_reader', 'partidas_auth']) WITH ORDINALITY AS role (name, place)
                  CROSS JOIN (VALUES (1, 'S', 'SELECT'), (2, 'I', 'INSERT'), (3, 'U', 'UPDATE'), (4, 'D', 'DELETE'))
                             AS privilege (place, letter, name)
                  GROUP BY role.place ORDER BY role.place) AS rights
      FROM pg_class
     WHERE pg_class.relnamespace = 'public'::regnamespace AND pg_class.relkind IN ('r', 'p', 'v', 'm')`);
  expect(Object.fromEntries(rows.map(({ name, rights }) => [name, rights]))).toEqual(ALL_DECISIONS);
});

test('no login is mighty, owns anything, or is a member of more than its role', async () => {
  for (const [role, client] of Object.entries(logins)) {
    const { rows } = await client.query(`
      SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
             (SELECT array_agg(pg_auth_members.roleid::regrole::text) FROM pg_auth_members WHERE pg_auth_members.member = pg_roles.oid) AS groups,
             (SELECT count(*)::int FROM pg_class WHERE pg_class.relowner = pg_roles.oid) AS owned
        FROM pg_roles WHERE pg_roles.rolname = session_user`);
    expect(rows[0], role).toEqual({
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      groups: [`partidas_${role}`],
      owned: 0,
    });
  }
});

test.each(['app', 'reader'] as const)('%s sees neither password hashes nor private keys', async (role) => {
  expect(await outcome(role, 'SELECT app_user.username, app_user.name, app_user.admin FROM app_user')).toBe(1);
  expect(await outcome(role, 'SELECT app_user.password_hash FROM app_user')).toBe(FORBIDDEN);
  expect(await outcome(role, 'SELECT app_user FROM app_user')).toBe(FORBIDDEN);
  expect(await outcome(role, `UPDATE app_user SET admin = true`)).toBe(FORBIDDEN);
  expect(await outcome(role, 'SELECT * FROM user_identity')).toBe(FORBIDDEN);
  expect(await outcome(role, 'DELETE FROM signin_failure')).toBe(FORBIDDEN);
  expect(await outcome(role, `INSERT INTO signing_key (kid, private_jwk) VALUES ('x', '{}')`)).toBe(FORBIDDEN);
});

test.each(['app', 'reader', 'auth'] as const)('%s becomes nobody else and switches nothing off', async (role) => {
  const attacks = [
    'SET ROLE partidas',
    'SET SESSION AUTHORIZATION partidas',
    `SET ROLE ${role === 'auth' ? 'partidas_app' : 'partidas_auth'}`,
    'SET LOCAL session_replication_role = replica',
    'ALTER TABLE entry_line DISABLE TRIGGER ALL',
    'ALTER TABLE entry_line DISABLE ROW LEVEL SECURITY',
    'ALTER TABLE month ALTER COLUMN state DROP NOT NULL',
    'DROP POLICY tenant ON entry_line',
    'TRUNCATE entry_line',
    'DROP TRIGGER balanced_insert ON entry_line',
    'CREATE TABLE public.mine (id integer)',
    `CREATE FUNCTION public.mine() RETURNS integer LANGUAGE sql RETURN 1`,
    `CREATE OR REPLACE FUNCTION public.sees_everything() RETURNS boolean LANGUAGE sql RETURN true`,
    'CREATE SCHEMA mine',
    'CREATE ROLE mine',
    `ALTER ROLE partidas_app BYPASSRLS`,
    `SELECT pg_read_file('/etc/passwd')`,
    `COPY entry_line TO PROGRAM 'cat'`,
    'SELECT * FROM pg_authid',
    'CREATE EXTENSION dblink',
    'LOCK TABLE migration IN ACCESS EXCLUSIVE MODE',
    `INSERT INTO migration (name, run_on) VALUES ('x', now())`,
    'UPDATE audit SET username = username',
    'DELETE FROM audit',
  ];
  for (const attack of attacks) expect(await outcome(role, attack), attack).toBe(FORBIDDEN);
  await logins[role].query('RESET ROLE');
  const { rows } = await logins[role].query('SELECT current_user AS now, session_user AS login');
  expect(rows[0].now).toBe(rows[0].login);
});

test('what the program runs as changes nothing of a closed month, and no state of a month', async () => {
  const { admin } = platform;
  const bank = await createBank(admin);
  await openMonth(admin, bank, '01/2026');
  await post(admin, bank, book`05/01 1.1.1 D 10,00 3.1`);
  const line = `INSERT INTO entry_line (company_id, branch_id, document_id, account_id, month, day, sequence, side, amount, entry_number)
    SELECT entry_line.company_id, entry_line.branch_id, entry_line.document_id, entry_line.account_id, entry_line.month,
           entry_line.day, entry_line.sequence, entry_line.side, entry_line.amount, '77' FROM entry_line`;
  const open = [
    line,
    'UPDATE entry_line SET printed_narration = $$x$$',
    'UPDATE batch SET description = $$x$$',
    'DELETE FROM entry_line',
  ];
  for (const change of open) expect(await outcome('app', change), change).toBeGreaterThan(0);
  await closeMonth(platform.admin, bank, '01/2026');
  await openMonth(admin, bank, '02/2026');
  const closed = [
    ...open,
    'UPDATE entry_line SET amount = amount * 2',
    `UPDATE entry_line SET month = '2026-02-01', day = '2026-02-05'`,
    `UPDATE document SET month = '2026-02-01'`,
    'UPDATE document SET text = $$x$$',
    'UPDATE monthly_balance SET opening = opening + 1, balance = balance + 1',
    'DELETE FROM monthly_balance',
    'DELETE FROM daily_balance',
    'UPDATE daily_balance SET balances = debits',
    `INSERT INTO monthly_balance SELECT company_id, branch_id, month, account_id + 1000000, 0, 0, 0, 0, 0 FROM monthly_balance`,
    `INSERT INTO batch (company_id, branch_id, month, number) SELECT company_id, branch_id, month, 'X' FROM batch`,
    // The scope narrowed before the triggers look, and a table of the attacker's in front of the real one.
    `WITH gone AS (DELETE FROM entry_line RETURNING id) SELECT set_config('app.companies', '0', true) FROM gone`,
    `SELECT 1; CREATE TEMP TABLE month (company_id bigint, branch_id bigint, month date, state text) ON COMMIT DROP;
     INSERT INTO pg_temp.month SELECT company_id, branch_id, month, 'OPEN' FROM public.month; DELETE FROM entry_line`,
  ];
  for (const change of closed) expect(await outcome('app', change), change).toBe('PB002');
  const states = [
    `UPDATE month SET state = 'OPEN'`,
    `UPDATE month SET closed_at = now()`,
    `UPDATE month SET archived = true`,
    `UPDATE month SET month = '2025-01-01'`,
    'DELETE FROM month',
    `INSERT INTO month (company_id, branch_id, month, state) SELECT company_id, branch_id, '2026-03-01', 'CLOSED' FROM month`,
    'DELETE FROM entry_line_archive',
    'INSERT INTO batch_archive (company_id) SELECT company_id FROM batch',
  ];
  for (const change of states) expect(await outcome('app', change), change).toBe(FORBIDDEN);
  const call = (work: string, month: string) => `SELECT ${work} FROM month WHERE month.month = '${month}'`;
  // The gates do one thing each, in order.
  expect(await outcome('app', call(`close_month(company_id, branch_id, '2026-03-01')`, '2026-01-01'))).toBe('PB002');
  expect(await outcome('app', call(`reopen_month(company_id, branch_id, '2026-02-01')`, '2026-02-01'))).toBe('PB002');
  expect(await outcome('app', call('move_movements(company_id, branch_id, ARRAY[month], true)', '2026-02-01'))).toBe(
    'PB002',
  );
  const foreign = `SELECT set_config('app.companies', '0', true), reopen_month(${bank.companyId}, ${bank.branchId}, '2026-01-01')`;
  expect(await outcome('app', foreign)).toBe(FORBIDDEN);
});

test('the reading login writes the trail, preferences, what was printed, orders of reports and issued books, and nothing else', async () => {
  const { rows } = await owner.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
  );
  for (const { name } of rows) {
    if (name === 'report_preference') continue;
    expect(await outcome('reader', `DELETE FROM ${name}`), `delete ${name}`).toBe(FORBIDDEN);
    if (['audit', 'job', 'issued_book', 'issued_book_piece', 'printed_report'].includes(name)) continue;
    expect(await outcome('reader', `INSERT INTO ${name} DEFAULT VALUES`), `insert ${name}`).toBe(FORBIDDEN);
  }
  const job = (kind: string) => `INSERT INTO job (company_id, kind, requested_by) VALUES (1, '${kind}', 'x')`;
  expect(await outcome('reader', job('REPORT'))).toBe(1);
  expect(await outcome('reader', job('FILING'))).toBe(1);
  expect(await outcome('reader', job('CONSOLIDATION'))).toBe(FORBIDDEN);
  expect(await outcome('reader', 'UPDATE company_options SET diary_book_number = 1')).toBeTypeOf('number');
  expect(await outcome('reader', `UPDATE regulatory_delivery SET sha256 = repeat('0', 64)`)).toBe(FORBIDDEN);
  expect(await outcome('reader', 'UPDATE company_options SET chart_id = 1')).toBe(FORBIDDEN);
});

test('an Idempotency-Key is taken by services whose login may keep it', () => {
  const takers = Object.entries(SERVICES).filter(([, { routes }]) => routes.some(({ idempotent }) => idempotent));
  expect(takers.map(([service]) => ROLE_OF[service as DoorName])).toEqual(takers.map(() => 'app'));
  expect(takers.length).toBeGreaterThan(0);
});

test('nobody changes what is issued', async () => {
  for (const role of ['app', 'reader'] as const) {
    for (const change of [`SET sha256 = repeat('0', 64)`, 'SET first_number = 1', `SET request = '{}'`]) {
      expect(await outcome(role, `UPDATE issued_book ${change}`), `${role} ${change}`).toBe(FORBIDDEN);
    }
    expect(await outcome(role, `UPDATE issued_book_piece SET content = ''`)).toBe(FORBIDDEN);
    expect(await outcome(role, 'DELETE FROM issued_book_piece')).toBe(FORBIDDEN);
    expect(await outcome(role, 'DELETE FROM issued_book')).toBe(FORBIDDEN);
  }
  expect(await outcome('reader', `UPDATE issued_book SET state = 'ISSUED'`)).toBe(FORBIDDEN);
});

test('the program holds no connection of the owner', async () => {
  await platform.admin.get('masterdata', '/companies');
  const { rows } = await owner.query(
    `SELECT DISTINCT usename AS login FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() ORDER BY 1`,
  );
  expect(rows.map(({ login }) => login)).toEqual([
    'partidas_app_login',
    'partidas_auth_login',
    'partidas_reader_login',
  ]);
});
