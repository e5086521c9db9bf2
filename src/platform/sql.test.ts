import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { databaseUrl } from '../../test/support/database-server.ts';
import { type Database, EVERYTHING, openDatabase, type Sql, sqlState, withOwnerConnection } from './sql.ts';

const name = `test_${randomBytes(6).toString('hex')}`;
let database: Database;
beforeAll(async () => {
  const serverUrl = inject('serverUrl');
  await withOwnerConnection(serverUrl, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template_books`));
  const url = databaseUrl(serverUrl, name);
  await withOwnerConnection(url, (client) =>
    client.query(
      `INSERT INTO company (id, code, name, cnpj, zip_code) VALUES (1, 'A', 'A', '', ''), (2, 'B', 'B', '', '')`,
    ),
  );
  // One connection: what a read leaves behind is what the next one finds.
  database = openDatabase(url, { max: 1 });
});
afterAll(async () => {
  await database.close();
  await withOwnerConnection(inject('serverUrl'), (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
});

const companies = (sql: Sql) =>
  sql.rows<{ id: number }>({ name: 'companies', text: 'SELECT id FROM company ORDER BY id' });
const moment = (sql: Sql) =>
  sql.one<{ at: string }>({ text: 'SELECT pg_current_snapshot()::text AS at, pg_sleep(0.01)' });
const only = (company: number) => ({ companies: [company], wholeCompanies: [], branches: [] });

test('reads together see one moment, whatever is written meanwhile', async () => {
  const sql = database.under(EVERYTHING);
  const [first, second] = await sql.together((sql) => Promise.all([moment(sql), moment(sql)]));
  expect(second.at).toBe(first.at);
  expect(await sql.together(async () => 'nothing to read')).toBe('nothing to read');
});

test('each scope sees its own, on a connection that another had before', async () => {
  for (const company of [1, 2, 1]) {
    const [seen, again] = await database
      .under(only(company))
      .together((sql) => Promise.all([companies(sql), companies(sql)]));
    expect([seen, again]).toEqual([[{ id: company }], [{ id: company }]]);
  }
  expect(await companies(database.under(EVERYTHING))).toHaveLength(2);
});

test('the first failure is the one reported, and the connection goes on', async () => {
  const sql = database.under(only(1));
  const failing = sql.together((sql) =>
    Promise.all([
      companies(sql),
      sql.rows({ text: 'SELECT 1 / 0 AS nothing' }),
      companies(sql),
      sql.rows({ text: 'SELEC' }),
    ]),
  );
  expect(sqlState(await failing.catch((error: unknown) => error))).toBe('22012');
  await expect(sql.together(() => Promise.reject(new Error('of the work')))).rejects.toThrow('of the work');
  expect(await companies(sql)).toEqual([{ id: 1 }]);
});

test('a read that waits for another is a mistake, and says so', async () => {
  const sql = database.under(only(1));
  const waiting = sql.together(async (sql) => {
    await companies(sql);
    return companies(sql);
  });
  await expect(waiting).rejects.toThrow('sent after waiting');
  await expect(sql.together((sql) => sql.rows({ text: 'DELETE FROM company' }))).rejects.toThrow('read-only');
});

test('a transaction begins with its first statement, whatever that is', async () => {
  const level = (sql: Sql) =>
    sql.one<{ level: string }>({ text: `SELECT current_setting('transaction_isolation') AS level` });
  const failing = database.transaction(EVERYTHING, async (sql) => {
    await sql.rows({ text: 'SELECT 1 / 0 AS nothing' }).catch(() => {});
    return companies(sql);
  });
  expect(sqlState(await failing.catch((error: unknown) => error))).toBe('25P02');
  expect(await database.snapshot(EVERYTHING, level)).toEqual({ level: 'repeatable read' });
  expect(await database.snapshot(EVERYTHING, (sql) => sql.together(level))).toEqual({ level: 'repeatable read' });
  expect(await database.transaction(EVERYTHING, async () => 'nothing')).toBe('nothing');
  const both = await database.transaction(EVERYTHING, (sql) => Promise.all([companies(sql), companies(sql)]));
  expect(both.map((each) => each.length)).toEqual([2, 2]);
  await database
    .transaction(EVERYTHING, async (sql) => {
      await sql.connection.query(`UPDATE company SET name = 'undone' WHERE id = 1`);
      throw new Error('undo');
    })
    .catch(() => {});
  await database
    .transaction(EVERYTHING, async (sql) => {
      await sql.run({ text: `UPDATE company SET name = 'undone' WHERE id = 2` });
      throw new Error('undo');
    })
    .catch(() => {});
  expect(await database.under(EVERYTHING).rows({ text: 'SELECT name FROM company ORDER BY id' })).toEqual([
    { name: 'A' },
    { name: 'B' },
  ]);
});

test('inside a transaction they see what it has written, and leave it open', async () => {
  await database.transaction(EVERYTHING, async (sql) => {
    await sql.run({ text: `UPDATE company SET name = 'C' WHERE id = 1` });
    const names = (inner: Sql) => inner.one<{ name: string }>({ text: 'SELECT name FROM company WHERE id = 1' });
    const [first, second] = await sql.together((inner) => Promise.all([names(inner), inner.together(names)]));
    expect([first.name, second.name]).toEqual(['C', 'C']);
    expect(await sql.run({ text: `UPDATE company SET name = 'D' WHERE id = 1` })).toBe(1);
  });
});
