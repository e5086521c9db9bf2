import type { Sql } from '../../platform/database/sql.ts';

/** A severity, a business system or a regulatory document. */
export interface LookupRow {
  readonly id: number;
  readonly code: string;
  readonly name: string;
}

export function selectSeverities(sql: Sql): Promise<LookupRow[]> {
  return selectLookup(sql, 'severity');
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

function selectLookup(sql: Sql, table: 'severity' | 'business_system' | 'regulatory_document'): Promise<LookupRow[]> {
  return sql.rows<LookupRow>({
    text: `SELECT ${table}.id, ${table}.code, ${table}.name FROM ${table} ORDER BY ${table}.id`,
  });
}
