import type { CompanyId } from '../../../accounting/ids.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, type Row, SQL } from '../../../platform/database/statement.ts';
import { rowOf } from './field-columns.ts';
import type { RecordDefinition, RecordInput, RecordKey, RecordOwner } from './record-definition.ts';
import { visibilityCondition } from './records.read.sql.ts';

/** Inserts the record and returns its key. */
export async function insertRecord(
  sql: Sql,
  { table, owner, fields }: RecordDefinition,
  { companyId, branchId }: RecordOwner,
  input: RecordInput,
): Promise<RecordKey> {
  const ownerColumns: Row = owner === 'GLOBAL' ? {} : { company_id: companyId, branch_id: branchId };
  const row = { ...ownerColumns, ...rowOf(fields, input) };
  const { id } = await sql.one<{ id: RecordKey }>(SQL`
    INSERT INTO ${SQL.identifier(table)} (${SQL.columns(row)}) VALUES (${SQL.values(row)})
    RETURNING ${SQL.identifier(`${table}.id`)}`);
  return id;
}

/** Replaces every writable field; the tenant of a record never changes. False when there is no such record of it. */
export async function updateRecord(
  sql: Sql,
  { table: name, owner, fields }: RecordDefinition,
  key: RecordKey,
  { companyId, branchId }: RecordOwner,
  input: RecordInput,
): Promise<boolean> {
  const table = SQL.identifier(name);
  const owned =
    owner === 'GLOBAL'
      ? SQL`true`
      : SQL`${ofCompany(table, companyId)} AND ${table}.branch_id IS NOT DISTINCT FROM ${branchId}::bigint`;
  const changed = await sql.run(SQL`
    UPDATE ${table} SET ${SQL.assignments(rowOf(fields, input))}, updated_at = now()
     WHERE ${table}.id = ${key} AND ${owned}`);
  return changed === 1;
}

/** Returns the record's tenant; undefined when the caller can access no such record. */
export async function deleteRecordRow(
  sql: Sql,
  definition: RecordDefinition,
  key: RecordKey,
): Promise<RecordOwner | undefined> {
  const table = SQL.identifier(definition.table);
  const owner =
    definition.owner === 'GLOBAL'
      ? SQL`NULL::bigint AS "companyId", NULL::bigint AS "branchId"`
      : SQL`${table}.company_id AS "companyId", ${table}.branch_id AS "branchId"`;
  const found = await sql.maybe<RecordOwner>(SQL`
    SELECT ${owner} FROM ${table} WHERE ${table}.id = ${key} AND ${visibilityCondition(definition)}`);
  if (!found) return undefined;
  const owned = definition.owner === 'GLOBAL' ? SQL`true` : ofCompany(table, found.companyId);
  return sql.maybe<RecordOwner>(SQL`
    DELETE FROM ${table} WHERE ${table}.id = ${key} AND ${owned} RETURNING ${owner}`);
}

function ofCompany(table: Fragment, companyId: CompanyId | null): Fragment {
  return companyId === null ? SQL`${table}.company_id IS NULL` : SQL`${table}.company_id = ${companyId}`;
}
