import type { Sql } from '../../../platform/database/sql.ts';
import type { RecordDefinition, RecordValues } from './record-definition.ts';
import { type RecordOwner, visibilityCondition } from './records.read.sql.ts';

/** Inserts the record and answers its key. */
export async function insertRecord(
  sql: Sql,
  definition: RecordDefinition,
  owner: RecordOwner,
  values: RecordValues,
): Promise<number | string> {
  const columns = [...ownerColumns(definition), ...Object.values(definition.fields).map((field) => field.column)];
  const parameters = [...ownerValues(definition, owner), ...valuesOf(definition, values)];
  const given = columns.map((column, at) => ({ column, at })).filter(({ at }) => parameters[at] !== undefined);
  const row = await sql.one<{ id: number | string }>({
    text: `INSERT INTO ${definition.table} (${given.map(({ column }) => column).join(', ')})
           VALUES (${given.map((_, at) => `$${at + 1}`).join(', ')}) RETURNING ${definition.table}.id`,
    values: given.map(({ at }) => parameters[at]),
  });
  return row.id;
}

/** Replaces every writable field; the tenant of a record never changes. False when there is no such record of it. */
export async function updateRecord(
  sql: Sql,
  definition: RecordDefinition,
  key: number | string,
  owner: RecordOwner,
  values: RecordValues,
): Promise<boolean> {
  const { table, fields } = definition;
  const parameters: unknown[] = [key];
  const parameter = (value: unknown) => `$${parameters.push(value)}`;
  const kept = valuesOf(definition, values);
  const sets = Object.values(fields).map(({ column }, at) =>
    kept[at] === undefined ? `${column} = DEFAULT` : `${column} = ${parameter(kept[at])}`,
  );
  const owned =
    definition.owner === 'GLOBAL'
      ? 'true'
      : `${table}.company_id IS NOT DISTINCT FROM ${parameter(owner.companyId)}::bigint
         AND ${table}.branch_id IS NOT DISTINCT FROM ${parameter(owner.branchId)}::bigint`;
  const changed = await sql.run({
    text: `UPDATE ${table} SET ${sets.join(', ')}, updated_at = now() WHERE ${table}.id = $1 AND ${owned}`,
    values: parameters,
  });
  return changed === 1;
}

/** Returns the record's tenant; undefined when the caller can access no such record. */
export function deleteRecordRow(
  sql: Sql,
  definition: RecordDefinition,
  key: number | string,
): Promise<RecordOwner | undefined> {
  const { table, owner } = definition;
  const [company, branch] =
    owner === 'GLOBAL' ? ['NULL::bigint', 'NULL::bigint'] : [`${table}.company_id`, `${table}.branch_id`];
  return sql.maybe<RecordOwner>({
    text: `DELETE FROM ${table} WHERE ${table}.id = $1 AND ${visibilityCondition(definition)}
           RETURNING ${company} AS "companyId", ${branch} AS "branchId"`,
    values: [key],
  });
}

function ownerColumns({ owner }: RecordDefinition): string[] {
  return owner === 'GLOBAL' ? [] : ['company_id', 'branch_id'];
}

function ownerValues({ owner }: RecordDefinition, { companyId, branchId }: RecordOwner): unknown[] {
  return owner === 'GLOBAL' ? [] : [companyId, branchId];
}

function valuesOf({ fields }: RecordDefinition, values: RecordValues): unknown[] {
  return Object.entries(fields).map(([wire, { kind }]) => {
    const value = values[wire];
    return kind === 'json' && value !== undefined ? JSON.stringify(value) : value;
  });
}
