import { type Day, firstDay, type Month } from '../../accounting/period.ts';
import type { Sql } from '../../platform/database/sql.ts';

export interface RuleInput {
  readonly name: string;
  readonly severityId: number;
  readonly businessSystemId: number;
  readonly documents: readonly number[];
  readonly baseBegin: Month;
  readonly baseEnd: Month | undefined;
  readonly description: string | undefined;
  readonly validityBegin: Day;
  readonly validityEnd: Day | undefined;
  readonly script: string | undefined;
  readonly autorun: boolean;
}

export async function insertRule(sql: Sql, rule: RuleInput): Promise<number> {
  const { id } = await sql.one<{ id: number }>({
    text: `INSERT INTO compliance_rule (name, severity_id, business_system_id, base_begin, base_end, description,
                                        validity_begin, validity_end, autorun)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
           RETURNING compliance_rule.id`,
    values: valuesOf(rule),
  });
  return id;
}

export async function updateRule(sql: Sql, rule: RuleInput): Promise<void> {
  await sql.run({
    text: `UPDATE compliance_rule
              SET severity_id = $2, business_system_id = $3, base_begin = $4, base_end = $5, description = $6,
                  validity_begin = $7, validity_end = $8, autorun = $9, updated_at = now()
            WHERE compliance_rule.name = $1`,
    values: valuesOf(rule),
  });
}

/** Keeps writers of one rule apart, so that versions of its script follow one another. */
export async function lockRule(sql: Sql, name: string): Promise<void> {
  await sql.run({
    text: 'SELECT compliance_rule.id FROM compliance_rule WHERE compliance_rule.name = $1 FOR UPDATE',
    values: [name],
  });
}

export async function replaceRuleDocuments(sql: Sql, ruleId: number, documents: readonly number[]): Promise<void> {
  await sql.run({
    text: 'DELETE FROM compliance_rule_document WHERE compliance_rule_document.rule_id = $1',
    values: [ruleId],
  });
  await sql.run({
    text: `INSERT INTO compliance_rule_document (rule_id, document_id)
           SELECT $1, document.id FROM unnest($2::bigint[]) AS document (id)`,
    values: [ruleId, [...documents]],
  });
}

/** The script becomes the rule's next version. */
export async function insertScriptVersion(
  sql: Sql,
  ruleId: number,
  script: string | undefined,
  savedBy: string,
): Promise<void> {
  await sql.run({
    text: `WITH versioned AS (
             UPDATE compliance_rule SET script_version = compliance_rule.script_version + 1
              WHERE compliance_rule.id = $1
              RETURNING compliance_rule.id, compliance_rule.script_version
           )
           INSERT INTO compliance_rule_script (rule_id, version, script, saved_by)
           SELECT versioned.id, versioned.script_version, $2, $3 FROM versioned`,
    values: [ruleId, script ?? null, savedBy],
  });
}

function valuesOf(rule: RuleInput): unknown[] {
  return [
    rule.name,
    rule.severityId,
    rule.businessSystemId,
    firstDay(rule.baseBegin),
    rule.baseEnd === undefined ? null : firstDay(rule.baseEnd),
    rule.description ?? null,
    rule.validityBegin,
    rule.validityEnd ?? null,
    rule.autorun,
  ];
}
