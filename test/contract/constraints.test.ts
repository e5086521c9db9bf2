import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, inject, test } from 'vitest';
import { CONSTRAINT } from '../../src/features/constraints.ts';
import { withOwnerConnection } from '../../src/platform/database/connections.ts';
import { databaseUrl } from '../support/database-server.ts';

/** Every name that PostgreSQL may put into the field `constraint` of an error. */
const schemaNames = () =>
  withOwnerConnection(databaseUrl(inject('serverUrl'), 'template_books'), async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT pg_constraint.conname AS name FROM pg_constraint
        WHERE pg_constraint.connamespace = 'public'::regnamespace
        UNION SELECT pg_class.relname FROM pg_index JOIN pg_class ON pg_class.oid = pg_index.indexrelid
        WHERE pg_index.indisunique AND pg_class.relnamespace = 'public'::regnamespace`,
    );
    return rows.map(({ name }) => name);
  });

test('every constraint that the program tells apart is in the migrated schema', async () => {
  const names = new Set(await schemaNames());
  expect(Object.values(CONSTRAINT).filter((each) => !names.has(each))).toEqual([]);
});

test('the foreign key of a field is named after its table and column', async () => {
  const { rows } = await withOwnerConnection(databaseUrl(inject('serverUrl'), 'template_books'), (client) =>
    client.query<{ name: string; expected: string }>(
      `SELECT pg_constraint.conname AS name, pg_class.relname || '_' || pg_attribute.attname || '_fkey' AS expected
         FROM pg_constraint
         JOIN pg_class ON pg_class.oid = pg_constraint.conrelid
         JOIN pg_attribute ON pg_attribute.attrelid = pg_class.oid AND pg_attribute.attnum = pg_constraint.conkey[1]
        WHERE pg_constraint.contype = 'f' AND cardinality(pg_constraint.conkey) = 1
          AND pg_constraint.connamespace = 'public'::regnamespace`,
    ),
  );
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter(({ name, expected }) => name !== expected)).toEqual([]);
});

test('no other file of the program names a constraint', async () => {
  const source = fileURLToPath(new URL('../../src', import.meta.url));
  const names = (await schemaNames()).map((name) => `'${name}'`);
  const naming = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && file !== join('features', 'constraints.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(source, file), 'utf8');
      return names.filter((name) => text.includes(name)).map((name) => `${file} ${name}`);
    });
  expect(naming).toEqual([]);
});
