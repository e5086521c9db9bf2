import type { Sql } from '../../platform/database/sql.ts';
import { SQL } from '../../platform/database/statement.ts';

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
  const { rules } = await sql.one<{ rules: number }>(SQL`SELECT count(*) AS rules FROM compliance_rule`);
  return rules;
}

function selectLookup(sql: Sql, table: 'severity' | 'business_system' | 'regulatory_document'): Promise<LookupRow[]> {
  return sql.rows<LookupRow>(
    SQL`SELECT lookup.id, lookup.code, lookup.name FROM ${SQL.identifier(table)} AS lookup ORDER BY lookup.id`,
  );
}
