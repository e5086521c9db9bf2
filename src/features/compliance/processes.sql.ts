import { firstDay, type Month } from '../../accounting/period.ts';
import type { Sql } from '../../platform/sql.ts';
import type { RuleResult } from './rule-result.ts';

export interface NewProcess {
  readonly companyId: number;
  readonly branchId: number;
  readonly documentId: number;
  readonly month: Month;
  readonly executedAt: Date;
  readonly executedBy: string;
  readonly counts: {
    readonly passed: number;
    readonly failed: number;
    readonly broken: number;
    readonly skipped: number;
  };
  readonly results: readonly RuleResult[];
}

/** Keeps a process with the results of all its rules. */
export async function insertProcess(sql: Sql, process: NewProcess): Promise<number> {
  const { passed, failed, broken, skipped } = process.counts;
  const { id } = await sql.one<{ id: number }>({
    name: 'insert-process',
    text: `WITH process AS (
             INSERT INTO compliance_process (company_id, branch_id, document_id, month, executed_at, executed_by,
                                             passed, failed, broken, skipped)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
             RETURNING compliance_process.id
           ), kept AS (
             INSERT INTO compliance_result (company_id, process_id, position, rule_id, rule, clue_type, business_system,
                                            script_version, status, value, messages, failure, reads, duration_ms)
             SELECT $1, process.id, result.position, result."ruleId", result.rule, result."clueType",
                    result."businessSystem", result."scriptVersion", result.status, result.value::jsonb,
                    result.messages, result.failure, result.reads, result."durationMs"
               FROM process
              CROSS JOIN jsonb_to_recordset($11::jsonb) AS result (
                    position integer, "ruleId" bigint, rule text, "clueType" text, "businessSystem" text,
                    "scriptVersion" integer, status text, value text, messages jsonb, failure jsonb, reads jsonb,
                    "durationMs" double precision)
           )
           SELECT process.id FROM process`,
    values: [
      process.companyId,
      process.branchId,
      process.documentId,
      firstDay(process.month),
      process.executedAt,
      process.executedBy,
      passed,
      failed,
      broken,
      skipped,
      JSON.stringify(process.results.map((result, position) => ({ position, ...result }))),
    ],
  });
  return id;
}
