import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pastTriggers } from '../support/past-triggers.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

let platform: Platform;
/** The owner, who sees everything. */
let owner: pg.Client;
/** The program's role on a connection of its own, on which nothing was set. */
let app: pg.Client;
/** Tables whose rows belong to a company, and the column that says to which. */
let tenantTables: { table: string; column: string }[];

const OURS = 7_001;
const THEIRS = 7_002;

beforeAll(async () => {
  platform = await startPlatform({ SERVICES: 'authentication', JOBS: 'off' });
  owner = new pg.Client({ connectionString: platform.ownerUrl });
  app = new pg.Client({ connectionString: platform.ownerUrl, options: '-c role=partidas_app' });
  await owner.connect();
  await app.connect();
  const { rows } = await owner.query(`
    SELECT pg_class.relname AS table, pg_attribute.attname AS column
      FROM pg_class
      JOIN pg_attribute ON pg_attribute.attrelid = pg_class.oid
     WHERE pg_class.relnamespace = 'public'::regnamespace AND pg_class.relkind IN ('r', 'p')
       AND (pg_attribute.attname = 'company_id' OR (pg_class.relname = 'company' AND pg_attribute.attname = 'id'))
     ORDER BY 1`);
  tenantTables = rows;
  for (const { table, column } of tenantTables) {
    for (const company of [OURS, THEIRS]) await insertSample(table, column, company);
  }
});
afterAll(async () => {
  await owner?.end();
  await app?.end();
  await platform?.stop();
});

/** A row of any table: its checks and keys are put aside, a value is made up for every column. */
async function insertSample(table: string, companyColumn: string, company: number): Promise<void> {
  const { rows: checks } = await owner.query(
    `SELECT conname FROM pg_constraint WHERE conrelid = $1::regclass AND contype = 'c'`,
    [table],
  );
  for (const { conname } of checks) await owner.query(`ALTER TABLE ${table} DROP CONSTRAINT ${conname}`);
  const { rows: columns } = await owner.query<{ name: string; type: string }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attidentity <> 'a' AND attgenerated = ''`,
    [table],
  );
  const values = columns.map(({ name, type }) => (name === companyColumn ? String(company) : sampleOf(type, company)));
  // Foreign keys are triggers, too.
  await pastTriggers(owner, () =>
    owner.query(
      `INSERT INTO ${table} (${columns.map(({ name }) => `"${name}"`).join(', ')}) VALUES (${values.join(', ')})`,
    ),
  );
}

function sampleOf(type: string, company: number): string {
  if (type.endsWith('[]')) return `'{}'::${type}`;
  if (/^(numeric|double|real)/.test(type)) return '1';
  if (/^(bigint|integer|smallint)/.test(type)) return String(company);
  if (type === 'date') return `DATE '2026-01-01'`;
  if (type.startsWith('timestamp')) return 'now()';
  if (type === 'xid8') return `'7'::xid8`;
  if (type === 'boolean') return 'true';
  if (type.startsWith('json')) return `'{}'::${type}`;
  if (type === 'uuid') return `'00000000-0000-0000-0000-00000000${company}'::uuid`;
  if (type === 'bytea') return `'\\x00'::bytea`;
  return `'${type === '"char"' ? 'D' : `T${company}`}'::${type}`;
}

const scoped = (companies: string) =>
  app.query(`SELECT set_config('app.companies', $1, false), set_config('app.whole_companies', $1, false)`, [companies]);

test('there are tenant tables, and each has a policy that is switched on', async () => {
  console.log(`row-level security: ${tenantTables.length} tables with a company`);
  expect(tenantTables.length).toBeGreaterThan(15);
  for (const { table } of tenantTables) {
    const { rows } = await owner.query(
      `SELECT pg_class.relrowsecurity AS enabled,
              (SELECT count(*)::int FROM pg_policy WHERE pg_policy.polrelid = pg_class.oid) AS policies
         FROM pg_class WHERE pg_class.oid = $1::regclass`,
      [table],
    );
    expect(rows[0], table).toMatchObject({ enabled: true });
    expect(rows[0].policies, table).toBeGreaterThan(0);
  }
});

test('a query without a scope sees no row of any tenant table', async () => {
  for (const { table } of tenantTables) {
    const seen = await app.query(`SELECT count(*)::int AS count FROM ${table}`);
    const there = await owner.query(`SELECT count(*)::int AS count FROM ${table}`);
    expect(seen.rows[0].count, table).toBe(0);
    expect(there.rows[0].count, table).toBeGreaterThanOrEqual(2);
  }
});

test('under the scope of one company its rows are seen and no others', async () => {
  await scoped(String(OURS));
  for (const { table, column } of tenantTables) {
    const { rows } = await app.query(
      `SELECT DISTINCT ${column}::int AS company FROM ${table} WHERE ${column} IS NOT NULL`,
    );
    const seen = rows.map((row) => row.company);
    expect(seen, table).toEqual([OURS]);
  }
});

test('under the scope of one company no row of another can be changed, deleted or made', async () => {
  const copiedInto: string[] = [];
  await scoped(String(OURS));
  for (const { table, column } of tenantTables) {
    const touched = async (statement: string) => {
      await app.query('BEGIN');
      try {
        return (await app.query(statement)).rowCount;
      } catch (error) {
        return (error as { code: string }).code;
      } finally {
        await app.query('ROLLBACK');
      }
    };
    // 42501: forbidden to the role altogether.
    expect([0, '42501'], `update ${table}`).toContain(
      await touched(`UPDATE ${table} SET ${column} = ${column} WHERE ${column} = ${THEIRS}`),
    );
    expect([0, '42501'], `delete ${table}`).toContain(
      await touched(`DELETE FROM ${table} WHERE ${column} = ${THEIRS}`),
    );
    if (table === 'audit') continue;
    expect(await touched(`UPDATE ${table} SET ${column} = ${THEIRS} WHERE ${column} = ${OURS}`), `move ${table}`).toBe(
      '42501',
    );
    const copied = `INSERT INTO ${table} SELECT (jsonb_populate_record(NULL::${table},
      to_jsonb(mine) || jsonb_build_object('${column}', ${THEIRS + 1}))).* FROM ${table} AS mine WHERE mine.${column} = ${OURS}`;
    const { rows } = await owner.query(
      `SELECT count(*)::int AS count FROM pg_attribute WHERE attrelid = $1::regclass AND (attidentity = 'a' OR attgenerated <> '')`,
      [table],
    );
    if (rows[0].count > 0) continue;
    copiedInto.push(table);
    expect(await touched(copied), `insert ${table}`).toBe('42501');
  }
  expect(copiedInto).not.toEqual([]);
});

test("the program's role owns nothing, may not pass the policies by, and cannot change the trail", async () => {
  const one = async (text: string) => (await owner.query(text)).rows[0];
  expect(
    await one(
      `SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin FROM pg_roles WHERE rolname = 'partidas_app'`,
    ),
  ).toEqual({ rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false, rolcanlogin: false });
  const owned = await one(`
    SELECT (SELECT count(*)::int FROM pg_class WHERE relowner = 'partidas_app'::regrole)
         + (SELECT count(*)::int FROM pg_proc WHERE proowner = 'partidas_app'::regrole)
         + (SELECT count(*)::int FROM pg_namespace WHERE nspowner = 'partidas_app'::regrole) AS count`);
  expect(owned.count).toBe(0);
  for (const privilege of ['UPDATE', 'DELETE', 'TRUNCATE']) {
    const { allowed } = await one(`SELECT has_table_privilege('partidas_app', 'audit', '${privilege}') AS allowed`);
    expect(allowed, privilege).toBe(false);
  }
  const { rows: truncatable } = await owner.query(`
    SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
       AND has_table_privilege('partidas_app', oid, 'TRUNCATE, REFERENCES, TRIGGER')`);
  expect(truncatable).toEqual([]);
  const create = await one(`SELECT has_schema_privilege('partidas_app', 'public', 'CREATE') AS allowed`);
  expect(create.allowed).toBe(false);
});

/** Keys of tenant tables that do not begin with the company, each for a reason. */
const KEY_EXCEPTIONS: Readonly<Record<string, string>> = {
  company_pkey: 'the company itself',
  company_code_key: 'codes of companies are unique over all of them',
  standard_narration_pkey: "narrations without a company are everybody's",
  audit_pkey: 'the trail is kept for the whole platform and never joined to books',
};

test('the company is the first column of every key and foreign key of a tenant table', async () => {
  const { rows } = await owner.query<{ table: string; name: string; kind: string; first: string; target: string }>(
    `SELECT pg_class.relname AS table, pg_constraint.conname AS name, pg_constraint.contype AS kind,
            target.relname AS target,
            (SELECT attname FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum = pg_constraint.conkey[1]) AS first
       FROM pg_constraint
       JOIN pg_class ON pg_class.oid = pg_constraint.conrelid
       LEFT JOIN pg_class AS target ON target.oid = pg_constraint.confrelid
      WHERE pg_class.relname = ANY ($1) AND pg_constraint.contype IN ('p', 'u', 'f')`,
    [tenantTables.map(({ table }) => table)],
  );
  const tables = new Set(tenantTables.map(({ table }) => table));
  const wrong = rows.filter(
    ({ name, kind, first, target }) =>
      first !== 'company_id' && !(name in KEY_EXCEPTIONS) && !(kind === 'f' && !tables.has(target)),
  );
  expect(wrong).toEqual([]);
});

test('nothing waits for the end of a transaction to be checked, and no extension is needed', async () => {
  const { rows: deferrable } = await owner.query(`SELECT conname FROM pg_constraint WHERE condeferrable`);
  expect(deferrable).toEqual([]);
  const { rows: extensions } = await owner.query(`SELECT extname FROM pg_extension WHERE extname <> 'plpgsql'`);
  expect(extensions).toEqual([]);
});

test('every table, and every index made by name, says what it is for', async () => {
  const { rows } = await owner.query(`
    SELECT pg_class.relname AS name
      FROM pg_class
     WHERE pg_class.relnamespace = 'public'::regnamespace
       AND pg_class.relkind IN ('r', 'p', 'i', 'I')
       AND pg_class.relname NOT LIKE 'migration%'
       AND obj_description(pg_class.oid, 'pg_class') IS NULL
       AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE pg_constraint.conindid = pg_class.oid)
       AND NOT EXISTS (SELECT 1 FROM pg_inherits WHERE pg_inherits.inhrelid = pg_class.oid)
     ORDER BY 1`);
  expect(rows.map((row) => row.name)).toEqual([]);
});
