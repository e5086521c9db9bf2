import { beforeAll, describe, expect, inject, test } from 'vitest';
import { type LoneConnection, withOwnerConnection } from '../../src/platform/database/connections.ts';
import { databaseUrl, TEMPLATE } from '../support/database-server.ts';
import { TABLE_KINDS, type TableKind } from '../support/table-kinds.ts';

// deploy/citus/distribute.sql spreads the tables over a cluster by company. What a cluster wants of the schema is looked at here, on
// one server: which kind each table is of, and that its keys allow it.

interface Key {
  readonly table: string;
  readonly name: string;
  readonly columns: readonly string[];
  readonly target: string;
  readonly targetColumns: readonly string[];
}

/**
 * Keys that lead from a table of one kind to another than a reference table. A chart is made by a user, whom the coordinator keeps:
 * there both are tables of the coordinator, too.
 */
const EXCUSED = ['chart_created_by_fkey'];

let tables: { name: string; company: 'NOT NULL' | 'NULL' | null }[];
let keys: Key[];
let unique: { table: string; name: string; columns: string[] }[];
beforeAll(() =>
  withOwnerConnection(databaseUrl(inject('serverUrl'), TEMPLATE), async (owner: LoneConnection) => {
    tables = (await owner.query(TABLES)).rows;
    keys = (await owner.query(KEYS)).rows;
    unique = (await owner.query(UNIQUE)).rows;
  }),
);

const kindOf = (table: string): TableKind | undefined => TABLE_KINDS.get(table);
const distributed = <Row extends { readonly table: string }>(rows: readonly Row[]) =>
  rows.filter(({ table }) => kindOf(table) === 'distributed');

test('every table is of one kind', () => {
  expect(tables.map(({ name }) => name)).toEqual([...TABLE_KINDS.keys()].sort());
  expect(TABLE_KINDS.size).toBeGreaterThan(90);
});

describe('a distributed table', () => {
  test('has a company in every row', () => {
    const without = tables.filter(({ name, company }) => kindOf(name) === 'distributed' && company !== 'NOT NULL');
    expect(without).toEqual([]);
  });

  test('has the company in every unique index', () => {
    expect(distributed(unique).filter(({ columns }) => !columns.includes('company_id'))).toEqual([]);
  });

  test('has the company at the same place on both sides of every key to another', () => {
    const between = distributed(keys).filter(({ target }) => kindOf(target) === 'distributed');
    expect(between.length).toBeGreaterThan(10);
    const wrong = between.filter(
      ({ columns, targetColumns }) =>
        !columns.includes('company_id') || targetColumns[columns.indexOf('company_id')] !== 'company_id',
    );
    expect(wrong).toEqual([]);
  });
});

test('no key leads to another kind than to a reference table', () => {
  const across = keys.filter(
    ({ table, target, name }) =>
      kindOf(table) !== kindOf(target) && kindOf(target) !== 'reference' && !EXCUSED.includes(name),
  );
  expect(across).toEqual([]);
});

const TABLES = `
  SELECT pg_class.relname AS name,
         (SELECT CASE WHEN pg_attribute.attnotnull THEN 'NOT NULL' ELSE 'NULL' END FROM pg_attribute
           WHERE pg_attribute.attrelid = pg_class.oid AND pg_attribute.attname = 'company_id') AS company
    FROM pg_class
   WHERE pg_class.relkind IN ('r', 'p') AND pg_class.relnamespace = 'public'::regnamespace
   ORDER BY pg_class.relname COLLATE "C"`;

const columnsOf = (relation: string, numbers: string) => `
  ARRAY(SELECT pg_attribute.attname::text FROM unnest(${numbers}) WITH ORDINALITY AS place (number, at)
          JOIN pg_attribute ON pg_attribute.attrelid = ${relation} AND pg_attribute.attnum = place.number ORDER BY place.at)`;

const KEYS = `
  SELECT pg_constraint.conrelid::regclass::text AS table, pg_constraint.conname AS name,
         pg_constraint.confrelid::regclass::text AS target,
         ${columnsOf('pg_constraint.conrelid', 'pg_constraint.conkey')} AS columns,
         ${columnsOf('pg_constraint.confrelid', 'pg_constraint.confkey')} AS "targetColumns"
    FROM pg_constraint
   WHERE pg_constraint.contype = 'f' AND pg_constraint.connamespace = 'public'::regnamespace
   ORDER BY 1, 2`;

const UNIQUE = `
  SELECT pg_index.indrelid::regclass::text AS table, pg_index.indexrelid::regclass::text AS name,
         ${columnsOf('pg_index.indrelid', 'pg_index.indkey::int2[]')} AS columns
    FROM pg_index
    JOIN pg_class ON pg_class.oid = pg_index.indrelid AND pg_class.relnamespace = 'public'::regnamespace
   WHERE pg_index.indisunique
   ORDER BY 1, 2`;
