import { type Day, firstDay, lastDay, type Month } from '../../accounting/period.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../platform/database/statement.ts';

export interface RuleRow {
  readonly id: number;
  readonly name: string;
  readonly severityId: number;
  readonly severity: string;
  readonly businessSystemId: number;
  readonly businessSystem: string;
  readonly documents: readonly number[];
  readonly baseBegin: Month;
  readonly baseEnd: Month | null;
  readonly description: string | null;
  readonly validityBegin: Day;
  readonly validityEnd: Day | null;
  readonly script: string | null;
  readonly scriptVersion: number;
  readonly autorun: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const RULE = SQL`
  SELECT compliance_rule.id, compliance_rule.name, compliance_rule.severity_id AS "severityId",
         severity.code AS "severity", compliance_rule.business_system_id AS "businessSystemId",
         business_system.code AS "businessSystem",
         ARRAY(SELECT compliance_rule_document.document_id FROM compliance_rule_document
                WHERE compliance_rule_document.rule_id = compliance_rule.id
                ORDER BY compliance_rule_document.document_id) AS documents,
         to_char(compliance_rule.base_begin, 'YYYY-MM') AS "baseBegin",
         to_char(compliance_rule.base_end, 'YYYY-MM') AS "baseEnd", compliance_rule.description,
         compliance_rule.validity_begin AS "validityBegin", compliance_rule.validity_end AS "validityEnd",
         compliance_rule_script.script, compliance_rule.script_version AS "scriptVersion", compliance_rule.autorun,
         compliance_rule.created_at AS "createdAt", compliance_rule.updated_at AS "updatedAt"
    FROM compliance_rule
    JOIN severity ON severity.id = compliance_rule.severity_id
    JOIN business_system ON business_system.id = compliance_rule.business_system_id
    LEFT JOIN compliance_rule_script ON compliance_rule_script.rule_id = compliance_rule.id
     AND compliance_rule_script.version = compliance_rule.script_version`;

export async function hasRules(sql: Sql): Promise<boolean> {
  return (await sql.rows(SQL`SELECT 1 FROM compliance_rule LIMIT 1`)).length > 0;
}

export function selectRules(sql: Sql): Promise<RuleRow[]> {
  return sql.rows<RuleRow>(SQL`${RULE} ORDER BY compliance_rule.name`);
}

export function selectRule(sql: Sql, name: string): Promise<RuleRow | undefined> {
  return sql.maybe<RuleRow>(SQL`${RULE} WHERE compliance_rule.name = ${name}`);
}

export interface ScriptVersion {
  readonly version: number;
  /** Null where the script was taken away. */
  readonly script: string | null;
  readonly savedBy: string;
  readonly savedAt: Date;
}

/** Every script that the rule has had, oldest first; undefined when there is no such rule. */
export async function selectScriptVersions(sql: Sql, ruleId: number): Promise<ScriptVersion[] | undefined> {
  const rows = await sql.rows<ScriptVersion>(SQL`
    SELECT compliance_rule_script.version, compliance_rule_script.script,
           compliance_rule_script.saved_by AS "savedBy", compliance_rule_script.saved_at AS "savedAt"
      FROM compliance_rule
      LEFT JOIN compliance_rule_script ON compliance_rule_script.rule_id = compliance_rule.id
     WHERE compliance_rule.id = ${ruleId}
     ORDER BY compliance_rule_script.version`);
  return rows.length === 0 ? undefined : rows.filter(({ version }) => version !== null);
}

/** Its base period holds the month, its validity any day of it. */
function appliesTo(month: Month): Fragment {
  const [first, last] = [firstDay(month), lastDay(month)];
  return SQL`compliance_rule.base_begin <= ${first}
       AND (compliance_rule.base_end IS NULL OR compliance_rule.base_end >= ${first})
       AND compliance_rule.validity_begin <= ${last}
       AND (compliance_rule.validity_end IS NULL OR compliance_rule.validity_end >= ${first})`;
}

/** The rules of a document that apply to the month. */
export function selectRulesOf(sql: Sql, documentId: number, month: Month): Promise<RuleRow[]> {
  return sql.rows<RuleRow>(SQL`
    ${RULE}
    WHERE ${appliesTo(month)}
      AND EXISTS (SELECT FROM compliance_rule_document
                   WHERE compliance_rule_document.document_id = ${documentId}
                     AND compliance_rule_document.rule_id = compliance_rule.id)
    ORDER BY compliance_rule.name`);
}

/** The rules that run after the month close of the month, whatever their documents. */
export function selectAutorunRules(sql: Sql, month: Month): Promise<RuleRow[]> {
  return sql.rows<RuleRow>(
    SQL`${RULE} WHERE ${appliesTo(month)} AND compliance_rule.autorun ORDER BY compliance_rule.name`,
  );
}
