import { createHash } from 'node:crypto';
import { appendFile, cp, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMigrations } from '../../src/platform/database/migration-files.ts';
import { rollingProblems } from '../support/migration-rules.ts';
import { changesSinceRelease, keptVersions, MIGRATIONS, newerThan, readReleases } from '../support/releases.ts';

// What was released is never edited, renamed or removed; what comes after it can be applied while the version before works.

let copy: string;
beforeAll(async () => {
  copy = await mkdtemp(join(tmpdir(), 'partidas-released-'));
  await cp(MIGRATIONS, copy, { recursive: true });
});
afterAll(() => rm(copy, { recursive: true, force: true }));

test('every released migration is as it was released', async () => {
  expect(readReleases().map(({ version }) => version)).toEqual(keptVersions());
  expect(readReleases()[0]!.files.size).toBeGreaterThan(30);
  expect(await changesSinceRelease()).toEqual([]);
});

test('an edited, a renamed and a removed one are told', async () => {
  await appendFile(join(copy, '0005-closing.sql'), '\n');
  await rename(join(copy, '0006-reporting.sql'), join(copy, '0006-printing.sql'));
  await rm(join(copy, '0007-compliance.sql'));
  expect(await changesSinceRelease(copy)).toEqual([
    '0005-closing.sql of 0.2.0 was edited',
    '0006-reporting.sql of 0.2.0 is gone',
    '0007-compliance.sql of 0.2.0 is gone',
  ]);
});

test('each later migration can be applied while the version before works', async () => {
  const releases = readReleases();
  const earlier = releases.slice(0, -1).map(({ version }) => version);
  // Nobody upgrades to the first release: its migrations meet no older program.
  const later = (await readMigrations(MIGRATIONS)).filter(({ name }) => !releases[0]!.files.has(`${name}.sql`));
  const problems = later.flatMap(({ name, sql }) => rollingProblems(sql, earlier).map((each) => `${name}: ${each}`));
  expect(problems).toEqual([]);
});

test('other rights come with a migration: without one, an older program would give its own again', async () => {
  const releases = readReleases();
  const grants = await readFile(join(MIGRATIONS, 'grants/grants.sql'));
  const isAsReleased = releases.at(-1)!.grants === createHash('sha256').update(grants).digest('hex');
  expect(isAsReleased || newerThan(releases, await readMigrations(MIGRATIONS)).length > 0).toBe(true);
});

test.each([
  ['ALTER TABLE branch DROP COLUMN name', 'takes away'],
  ['ALTER TABLE branch DROP name', 'takes away'],
  ['DROP TABLE branch', 'takes away'],
  ['DROP FUNCTION f(bigint)', 'takes away'],
  ['alter table branch\n  rename name to title', 'takes away'],
  ['ALTER TABLE branch RENAME TO place', 'takes away'],
  ['ALTER TABLE branch ALTER COLUMN name TYPE varchar(9)', 'writes the table anew'],
  ['ALTER TABLE branch ALTER name SET DATA TYPE text', 'writes the table anew'],
  ['ALTER TABLE branch ALTER COLUMN name SET NOT NULL', 'rejects what the version before writes'],
  ['ALTER TABLE branch ADD COLUMN region text NOT NULL', 'rejects what the version before writes'],
  ['ALTER TABLE branch ADD COLUMN added timestamptz DEFAULT clock_timestamp()', 'writes the table anew'],
  ['ALTER TABLE branch ADD COLUMN short text GENERATED ALWAYS AS (left(name, 3)) STORED', 'writes the table anew'],
  ["ALTER TABLE branch ADD CONSTRAINT named CHECK (name <> '')", 'NOT VALID first'],
  ['ALTER TABLE branch ADD FOREIGN KEY (company_id) REFERENCES company (id)', 'NOT VALID first'],
  ['ALTER TABLE branch ADD CONSTRAINT one_name UNIQUE (name)', 'USING INDEX'],
  ['CREATE INDEX branch_name ON branch (name)', 'CONCURRENTLY'],
  ['DROP INDEX branch_name', 'CONCURRENTLY'],
  ['LOCK TABLE branch', 'keeps everybody out'],
  ["UPDATE branch SET name = 'x'", 'locks every row'],
  ['-- contract: unused since 0.9.0\nALTER TABLE branch DROP COLUMN name', 'takes away'],
])('%s is rejected', (sql, why) => {
  expect(rollingProblems(`CREATE TABLE other (id bigint);\n${sql};`, ['0.1.0']).join()).toContain(why);
});

test.each([
  ['ALTER TABLE branch ADD COLUMN region text'],
  ["ALTER TABLE branch ADD COLUMN region text NOT NULL DEFAULT ''"],
  ['ALTER TABLE branch ALTER COLUMN name DROP NOT NULL'],
  ['ALTER TABLE branch DROP CONSTRAINT branch_name_check'],
  ["ALTER TABLE branch ADD CONSTRAINT named CHECK (name <> '') NOT VALID"],
  ['ALTER TABLE branch VALIDATE CONSTRAINT named'],
  ['ALTER TABLE branch ADD CONSTRAINT one_name UNIQUE USING INDEX branch_name'],
  ['CREATE INDEX CONCURRENTLY branch_name ON branch (name)'],
  ['CREATE TABLE region (id bigint); CREATE INDEX region_id ON region (id); ALTER TABLE region ADD UNIQUE (id)'],
  ["CREATE OR REPLACE FUNCTION f() RETURNS void LANGUAGE sql AS $$ UPDATE branch SET name = ''; DROP TABLE branch $$"],
  ["COMMENT ON TABLE branch IS 'DROP TABLE branch; and so on'"],
  ['-- contract: unused since 0.1.0\nALTER TABLE branch DROP COLUMN name'],
])('%s may be', (sql) => {
  expect(rollingProblems(`${sql};`, ['0.1.0'])).toEqual([]);
});
