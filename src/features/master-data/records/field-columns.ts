import type { Field, Fields } from './fields.ts';

// Names of tables and columns come from lists of fields in the program alone; requests only fill values.

/** `table.column AS "name"` of every field. */
export function selectList(table: string, fields: Fields): string {
  return entriesOf(fields)
    .map(([name, column]) => `${table}.${column} AS "${name}"`)
    .join(', ');
}

/**
 * Columns and values of an INSERT, or the pairs of an UPDATE. Values are appended to `parameters`; a field that was not
 * given takes the default of its column.
 */
export function columnValues(
  fields: Fields,
  input: Readonly<Record<string, unknown>>,
  parameters: unknown[],
): { readonly columns: string; readonly values: string; readonly assignments: string } {
  const pairs = entriesOf(fields).map(([name, column, { kind }]) => {
    const value = input[name];
    if (value === undefined) return [column, 'DEFAULT'] as const;
    return [column, `$${parameters.push(kind === 'json' ? JSON.stringify(value) : value)}`] as const;
  });
  return {
    columns: pairs.map(([column]) => column).join(', '),
    values: pairs.map(([, value]) => value).join(', '),
    assignments: pairs.map(([column, value]) => `${column} = ${value}`).join(', '),
  };
}

/** The same for many rows in one statement, out of `jsonb_to_recordset($1) AS added (…)`. */
export function recordsetColumns(fields: Fields): {
  readonly columns: string;
  readonly values: string;
  readonly types: string;
} {
  const entries = entriesOf(fields);
  return {
    columns: entries.map(([, column]) => column).join(', '),
    values: entries.map(([name]) => `added."${name}"`).join(', '),
    types: entries.map(([name, , { kind }]) => `"${name}" ${SQL_TYPES[kind] ?? 'text'}`).join(', '),
  };
}

const SQL_TYPES: Partial<Record<Field['kind'], string>> = {
  day: 'date',
  flag: 'boolean',
  integer: 'integer',
  id: 'bigint',
  percentage: 'numeric',
  json: 'jsonb',
};

function entriesOf(fields: Fields): [name: string, column: string, field: Field][] {
  return Object.entries(fields).map(([name, field]) => [name, field.column ?? snakeCase(name), field]);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
