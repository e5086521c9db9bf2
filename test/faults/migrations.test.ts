import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { StartError } from '../../src/platform/config.ts';
import { type LoneConnection, withOwnerConnection } from '../../src/platform/database/connections.ts';
import { migrate } from '../../src/platform/database/migrate.ts';
import { databaseUrl } from '../support/database-server.ts';

// Small migrations on a database of their own: several programs at once, files that are not those of the release, and
// others who hold what a migration needs.

let folder: string;
let url: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'partidas-migrations-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(async () => {
  const name = `test_${randomBytes(6).toString('hex')}`;
  url = databaseUrl(inject('serverUrl'), name);
  await withOwnerConnection(inject('serverUrl'), (client) => client.query(`CREATE DATABASE ${name}`));
  await rm(folder, { recursive: true });
  await cp(new URL('../../migrations/grants', import.meta.url), join(folder, 'grants'), { recursive: true });
  await write('grants/grants', 'SELECT 1;');
  await write('0001-first', 'CREATE TABLE kept (id bigint PRIMARY KEY);\nINSERT INTO kept VALUES (1), (2);');
  await write('0002-second', 'CREATE TABLE second (id bigint);');
  return async () => {
    const { pathname } = new URL(url);
    await withOwnerConnection(inject('serverUrl'), (client) =>
      client.query(`DROP DATABASE ${pathname.slice(1)} WITH (FORCE)`),
    );
  };
});

test('two that start at once run each migration once', async () => {
  const [one, other] = await Promise.all([migrate(url, { folder }), migrate(url, { folder })]);
  expect([...one, ...other].sort()).toEqual(['0001-first', '0002-second']);
  expect(await applied()).toEqual(['0001-first', '0002-second']);
  expect(await migrate(url, { folder })).toEqual([]);
});

test('a newer schema is rejected, whatever else is missing', async () => {
  await migrate(url, { folder });
  await rm(join(folder, '0002-second.sql'));
  await expectRefusal(
    'the database is of a newer version (it has migration 0002-second): start that version, or restore a backup of before the upgrade',
  );
});

test('a migration that was edited, renamed, removed or put between is rejected', async () => {
  await migrate(url, { folder });
  await write('0001-first', 'CREATE TABLE kept (id bigint PRIMARY KEY);');
  await expectRefusal(
    'migration 0001-first is not the one that the database has run: bring back the file of the release',
  );
  await rename(join(folder, '0001-first.sql'), join(folder, '0001-begin.sql'));
  await expectRefusal(
    'the database is that of a development version (it has migration 0001-first): give DATA_DIR an empty folder, or DATABASE_URL an empty database',
  );
  await rm(join(folder, '0001-begin.sql'));
  await expect(migrate(url, { folder })).rejects.toThrow(/\(it has migration 0001-first\)/);
  await write('0001-first', 'CREATE TABLE kept (id bigint PRIMARY KEY);\nINSERT INTO kept VALUES (1), (2);');
  await write('0001-late', 'CREATE TABLE late (id bigint);');
  await expectRefusal(
    'migration 0001-late stands before 0002-second, which the database has run already: give it a later number',
  );
});

test('a migration that fails leaves nothing of itself, and those before it stay', async () => {
  await write('0002-second', 'CREATE TABLE second (id bigint);\nSELECT no_such_function();');
  await expect(migrate(url, { folder })).rejects.toThrow(/no_such_function/);
  expect(await applied()).toEqual(['0001-first']);
  await write('0002-second', 'CREATE TABLE second (id bigint);');
  expect(await migrate(url, { folder })).toEqual(['0002-second']);
});

test('a database from before checksums gets those of the files', async () => {
  await migrate(url, { folder });
  await owner((client) => client.query('ALTER TABLE migration DROP COLUMN checksum'));
  await write('0003-third', 'CREATE TABLE third (id bigint);');
  expect(await migrate(url, { folder })).toEqual(['0003-third']);
  await write('0002-second', 'CREATE TABLE second (id text);');
  await expect(migrate(url, { folder })).rejects.toThrow('migration 0002-second is not the one');
});

test('one that waits for a lock lets the others go first, and is made when it is free', async () => {
  await migrate(url, { folder });
  await write('0003-third', 'ALTER TABLE kept ADD COLUMN note text;');
  const made = await owner(async (holder) => {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM kept');
    const waiting = migrate(url, { folder });
    await untilWaiting();
    // Behind the migration, which needs the table for itself: served as soon as it gives up for now.
    await owner((later) => later.query('SELECT FROM kept'));
    await holder.query('COMMIT');
    return waiting;
  });
  expect(made).toEqual(['0003-third']);
});

test('whoever holds the lock for too long is said in one line', async () => {
  await migrate(url, { folder });
  await write('0003-third', 'ALTER TABLE kept ADD COLUMN note text;');
  await owner(async (holder) => {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM kept');
    await expectRefusal(
      'migration 0003-third waits for a lock that others hold: end what they do, and start again',
      migrate(url, { folder, patienceMs: 1 }),
    );
    await holder.query('COMMIT');
  });
  expect(await applied()).toEqual(['0001-first', '0002-second']);
});

test('an index is built beside the writers, by one of two programs', async () => {
  await migrate(url, { folder });
  await write(
    '0003-index',
    `-- outside of a transaction
DROP INDEX CONCURRENTLY IF EXISTS kept_even;
CREATE INDEX CONCURRENTLY kept_even ON kept (id) WHERE id % 2 = 0;
COMMENT ON INDEX kept_even IS 'Even ones; with a semicolon inside';
`,
  );
  await owner(async (writer) => {
    await writer.query('BEGIN');
    await writer.query('INSERT INTO kept VALUES (3)');
    const both = Promise.all([migrate(url, { folder }), migrate(url, { folder })]);
    await untilWaiting();
    await owner((other) => other.query('INSERT INTO kept VALUES (4)'));
    await writer.query('COMMIT');
    expect((await both).flat()).toEqual(['0003-index']);
  });
  await owner(async (client) => {
    const { rows } = await client.query(`SELECT indisvalid FROM pg_index WHERE indexrelid = 'kept_even'::regclass`);
    expect(rows).toEqual([{ indisvalid: true }]);
  });
});

function write(name: string, sql: string): Promise<void> {
  return writeFile(join(folder, `${name}.sql`), sql);
}

function owner<T>(work: (client: LoneConnection) => Promise<T>): Promise<T> {
  return withOwnerConnection(url, work);
}

async function applied(): Promise<string[]> {
  const { rows } = await owner((client) => client.query<{ name: string }>('SELECT name FROM migration ORDER BY id'));
  return rows.map(({ name }) => name);
}

async function expectRefusal(line: string, refused = migrate(url, { folder })): Promise<void> {
  const error = await refused.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StartError);
  expect((error as StartError).message).toBe(line);
}

/** Until some connection to the database waits for a lock. */
async function untilWaiting(): Promise<void> {
  const waiting = `SELECT FROM pg_stat_activity
                    WHERE pg_stat_activity.datname = current_database() AND pg_stat_activity.wait_event_type = 'Lock'`;
  await owner((client) =>
    expect
      .poll(async () => (await client.query(waiting)).rowCount, { interval: 10, timeout: 20_000 })
      .toBeGreaterThan(0),
  );
}
