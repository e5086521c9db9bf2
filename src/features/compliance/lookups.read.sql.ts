import type { Sql } from '../../platform/database/sql.ts';

/** A clue type, a business system or a regulatory document. */
export interface LookupRow {
  readonly id: number;
  readonly code: string;
  readonly name: string;
}

export function selectClueTypes(sql: Sql): Promise<LookupRow[]> {
  return selectLookup(sql, 'clue_type');
}

export function selectBusinessSystems(sql: Sql): Promise<LookupRow[]> {
  return selectLookup(sql, 'business_system');
}

export function selectRegulatoryDocuments(sql: Sql): Promise<LookupRow[]> {
  return selectLookup(sql, 'regulatory_document');
}

/** Fails while the database cannot answer. */
export async function countRules(sql: Sql): Promise<number> {
  const { rules } = await sql.one<{ rules: number }>({
    text: 'SELECT count(*) AS rules FROM compliance_rule',
  });
  return rules;
}

function selectLookup(sql: Sql, table: 'clue_type' | 'business_system' | 'regulatory_document'): Promise<LookupRow[]> {
  return sql.rows<LookupRow>({
    text: `SELECT ${table}.id, ${table}.code, ${table}.name FROM ${table} ORDER BY ${table}.id`,
  });
}
