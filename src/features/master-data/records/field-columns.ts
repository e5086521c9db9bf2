import { type Fragment, type Row, SQL, type Value } from '../../../platform/database/statement.ts';
import type { Field, Fields } from './fields.ts';

// Names of tables and columns come from lists of fields in the program alone; requests only fill values.

/** `table.column AS "name"` of every field. */
export function selectList(table: string, fields: Fields): Fragment {
  return SQL.join(
    entriesOf(fields).map(([name, column]) => SQL`${SQL.identifier(`${table}.${column}`)} AS ${SQL.identifier(name)}`),
  );
}

/** The row of an INSERT or UPDATE; a field that was not given takes the default of its column. */
export function rowOf(fields: Fields, input: Readonly<Record<string, unknown>>): Row {
  return Object.fromEntries(
    entriesOf(fields).map(([name, column, { kind }]) => {
      const value = input[name];
      if (value === undefined) return [column, SQL`DEFAULT`];
      return [column, kind === 'json' ? JSON.stringify(value) : (value as Value)];
    }),
  );
}

/** The same for many rows in one statement, out of `jsonb_to_recordset(…) AS added (…)`. */
export function recordsetColumns(fields: Fields): {
  readonly columns: Fragment;
  readonly values: Fragment;
  readonly types: Fragment;
} {
  const entries = entriesOf(fields);
  return {
    columns: SQL.join(entries.map(([, column]) => SQL.identifier(column))),
    values: SQL.join(entries.map(([name]) => SQL.identifier(`added.${name}`))),
    types: SQL.join(entries.map(([name, , { kind }]) => SQL`${SQL.identifier(name)} ${SQL_TYPES[kind] ?? SQL`text`}`)),
  };
}

/** The field of a foreign key, which PostgreSQL names after the table and the key's column. */
export function fieldOfForeignKey(table: string, fields: Fields, constraint: string | undefined): string | undefined {
  return entriesOf(fields).find(([, column]) => constraint === `${table}_${column}_fkey`)?.[0];
}

const SQL_TYPES: Partial<Record<Field['kind'], Fragment>> = {
  day: SQL`date`,
  flag: SQL`boolean`,
  integer: SQL`integer`,
  id: SQL`bigint`,
  uuid: SQL`uuid`,
  percentage: SQL`numeric`,
  decimal: SQL`numeric`,
  json: SQL`jsonb`,
};

function entriesOf(fields: Fields): [name: string, column: string, field: Field][] {
  return Object.entries(fields).map(([name, field]) => [name, field.column ?? snakeCase(name), field]);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
