import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import { offsetOf, type PageRequest } from '../../../platform/page-request.ts';
import { assertWholeList, MAX_LISTED } from '../whole-list.ts';
import { selectList } from './field-columns.ts';
import type { RecordDefinition, RecordKey, RecordOwner, RecordRow } from './record-definition.ts';

// Table and column names come from definitions in the program alone; requests only fill values.

/** Every record that the caller may see, or those of them that fulfil a condition. */
export async function selectRecords<Definition extends RecordDefinition>(
  sql: Sql,
  definition: Definition,
  condition: Fragment = SQL`true`,
): Promise<RecordRow<Definition>[]> {
  const rows = await sql.rows<RecordRow<Definition>>(SQL`
    SELECT ${columnsOf(definition)} FROM ${sourceOf(definition)}
     WHERE ${visibilityCondition(definition)} AND ${condition}
     ORDER BY ${definition.orderBy} LIMIT ${MAX_LISTED + 1}`);
  return assertWholeList(rows);
}

/** A page of them, and how many there are. */
export async function selectRecordPage<Definition extends RecordDefinition>(
  sql: Sql,
  definition: Definition,
  condition: Fragment,
  slice: PageRequest,
): Promise<{ rows: RecordRow<Definition>[]; total: number }> {
  const visible = SQL`${visibilityCondition(definition)} AND ${condition}`;
  const [rows, { count }] = await sql.pipelined((reads) =>
    Promise.all([
      reads.rows<RecordRow<Definition>>(SQL`
        SELECT ${columnsOf(definition)} FROM ${sourceOf(definition)} WHERE ${visible}
         ORDER BY ${definition.orderBy} LIMIT ${slice.size} OFFSET ${offsetOf(slice)}`),
      reads.one<{ count: number }>(SQL`SELECT count(*) AS count FROM ${sourceOf(definition)} WHERE ${visible}`),
    ]),
  );
  return { rows, total: count };
}

export function selectRecord<Definition extends RecordDefinition>(
  sql: Sql,
  definition: Definition,
  key: RecordKey,
): Promise<RecordRow<Definition> | undefined> {
  return sql.maybe<RecordRow<Definition>>(SQL`
    SELECT ${columnsOf(definition)} FROM ${sourceOf(definition)}
     WHERE ${SQL.identifier(`${definition.table}.id`)} = ${key} AND ${visibilityCondition(definition)}`);
}

/** The record, or NOT_FOUND. */
export async function requireRecord<Definition extends RecordDefinition>(
  sql: Sql,
  definition: Definition,
  key: RecordKey,
): Promise<RecordRow<Definition>> {
  return (await selectRecord(sql, definition, key)) ?? throwNoRecord(definition, key);
}

export function throwNoRecord(definition: RecordDefinition, key: RecordKey): never {
  return reject('NOT_FOUND', recordRef(definition.name, key));
}

/** The one record of a branch. */
export function selectRecordOfBranch<Definition extends RecordDefinition>(
  sql: Sql,
  definition: Definition,
  owner: RecordOwner,
): Promise<RecordRow<Definition> | undefined> {
  const table = SQL.identifier(definition.table);
  return sql.maybe<RecordRow<Definition>>(SQL`
    SELECT ${columnsOf(definition)} FROM ${sourceOf(definition)}
     WHERE ${table}.company_id = ${owner.companyId} AND ${table}.branch_id = ${owner.branchId}`);
}

function columnsOf({ table: name, owner, fields }: RecordDefinition): Fragment {
  const table = SQL.identifier(name);
  return SQL.join([
    SQL`${table}.id`,
    ...(owner === 'GLOBAL' ? [] : [SQL`company.code AS company`, SQL`branch.code AS branch`]),
    selectList(name, fields),
    SQL`${table}.created_at AS "createdAt"`,
    SQL`${table}.updated_at AS "updatedAt"`,
  ]);
}

function sourceOf({ table: name, owner }: RecordDefinition): Fragment {
  const table = SQL.identifier(name);
  if (owner === 'GLOBAL') return table;
  return SQL`${table}
    LEFT JOIN company ON company.id = ${table}.company_id
    LEFT JOIN branch ON branch.company_id = ${table}.company_id AND branch.id = ${table}.branch_id`;
}

/** Which rows the caller may see. */
export function visibilityCondition({ table: name, owner }: RecordDefinition): Fragment {
  if (owner === 'GLOBAL') return SQL`true`;
  const table = SQL.identifier(name);
  const reached = SQL`can_access(${table}.company_id, ${table}.branch_id)`;
  return owner === 'EITHER' ? SQL`(${table}.company_id IS NULL OR ${reached})` : reached;
}
