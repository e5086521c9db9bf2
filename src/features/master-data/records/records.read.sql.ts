import type { Sql } from '../../../platform/database/sql.ts';
import type { RecordDefinition } from './record-definition.ts';

/** The tenant of a record; both null for everybody's. */
export interface RecordOwner {
  readonly companyId: number | null;
  readonly branchId: number | null;
}

export type RecordRow = Record<string, unknown> & { createdAt: Date; updatedAt: Date };

// Table and column names come from the definitions in this folder alone; requests only fill values.

export function selectRecords(sql: Sql, definition: RecordDefinition): Promise<RecordRow[]> {
  return sql.rows<RecordRow>({
    text: `SELECT ${columnsOf(definition)} FROM ${sourceOf(definition)}
            WHERE ${visibilityCondition(definition)} ORDER BY ${definition.orderBy} LIMIT 100000`,
  });
}

export function selectRecord(
  sql: Sql,
  definition: RecordDefinition,
  key: number | string,
): Promise<RecordRow | undefined> {
  return sql.maybe<RecordRow>({
    text: `SELECT ${columnsOf(definition)} FROM ${sourceOf(definition)}
            WHERE ${definition.table}.id = $1 AND ${visibilityCondition(definition)}`,
    values: [key],
  });
}

export function selectRecordOfBranch(
  sql: Sql,
  definition: RecordDefinition,
  owner: RecordOwner,
): Promise<RecordRow | undefined> {
  return sql.maybe<RecordRow>({
    text: `SELECT ${columnsOf(definition)} FROM ${sourceOf(definition)}
            WHERE ${definition.table}.company_id = $1 AND ${definition.table}.branch_id = $2`,
    values: [owner.companyId, owner.branchId],
  });
}

function columnsOf({ table, owner, key, fields }: RecordDefinition): string {
  return [
    `${table}.id AS "${key}"`,
    ...(owner === 'GLOBAL' ? [] : ['company.code AS company', 'branch.code AS branch']),
    ...Object.entries(fields).map(([wire, { column }]) => `${table}.${column} AS "${wire}"`),
    `${table}.created_at AS "createdAt"`,
    `${table}.updated_at AS "updatedAt"`,
  ].join(', ');
}

function sourceOf({ table, owner }: RecordDefinition): string {
  if (owner === 'GLOBAL') return table;
  return `${table}
    LEFT JOIN company ON company.id = ${table}.company_id
    LEFT JOIN branch ON branch.company_id = ${table}.company_id AND branch.id = ${table}.branch_id`;
}

/** Which rows the caller may see. */
export function visibilityCondition({ table, owner }: RecordDefinition): string {
  if (owner === 'GLOBAL') return 'true';
  const reached = `can_access(${table}.company_id, ${table}.branch_id)`;
  return owner === 'EITHER' ? `(${table}.company_id IS NULL OR ${reached})` : reached;
}
