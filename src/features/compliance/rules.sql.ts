import { type Day, firstDay, type Month } from '../../accounting/period.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { type Row, SQL } from '../../platform/database/statement.ts';

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
  const { id } = await sql.one<{ id: number }>(SQL`
    INSERT INTO compliance_rule (name, ${SQL.columns(columnsOf(rule))})
    VALUES (${rule.name}, ${SQL.values(columnsOf(rule))})
    RETURNING compliance_rule.id`);
  return id;
}

export async function updateRule(sql: Sql, rule: RuleInput): Promise<void> {
  await sql.run(SQL`
    UPDATE compliance_rule SET ${SQL.assignments(columnsOf(rule))}, updated_at = now()
     WHERE compliance_rule.name = ${rule.name}`);
}

/** Serializes writers of one rule, so that the versions of its script are consecutive. */
export async function lockRule(sql: Sql, name: string): Promise<void> {
  await sql.run(SQL`SELECT compliance_rule.id FROM compliance_rule WHERE compliance_rule.name = ${name} FOR UPDATE`);
}

export async function replaceRuleDocuments(sql: Sql, ruleId: number, documents: readonly number[]): Promise<void> {
  await sql.run(SQL`DELETE FROM compliance_rule_document WHERE compliance_rule_document.rule_id = ${ruleId}`);
  await sql.run(SQL`
    INSERT INTO compliance_rule_document (rule_id, document_id)
    SELECT ${ruleId}, document.id FROM unnest(${documents}::bigint[]) AS document (id)`);
}

/** The script becomes the rule's next version. */
export async function insertScriptVersion(
  sql: Sql,
  ruleId: number,
  script: string | undefined,
  savedBy: string,
): Promise<void> {
  await sql.run(SQL`
    WITH versioned AS (
      UPDATE compliance_rule SET script_version = compliance_rule.script_version + 1
       WHERE compliance_rule.id = ${ruleId}
       RETURNING compliance_rule.id, compliance_rule.script_version
    )
    INSERT INTO compliance_rule_script (rule_id, version, script, saved_by)
    SELECT versioned.id, versioned.script_version, ${script ?? null}, ${savedBy} FROM versioned`);
}

function columnsOf(rule: RuleInput): Row {
  return {
    severity_id: rule.severityId,
    business_system_id: rule.businessSystemId,
    base_begin: firstDay(rule.baseBegin),
    base_end: rule.baseEnd === undefined ? null : firstDay(rule.baseEnd),
    description: rule.description ?? null,
    validity_begin: rule.validityBegin,
    validity_end: rule.validityEnd ?? null,
    autorun: rule.autorun,
  };
}

/** Nobody else adds or changes a rule until the transaction ends. */
export async function lockRules(sql: Sql): Promise<void> {
  await sql.run(SQL`LOCK TABLE compliance_rule IN SHARE ROW EXCLUSIVE MODE`);
}
