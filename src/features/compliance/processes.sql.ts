import { firstDay, type Month } from '../../accounting/period.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { RuleResult } from './rule-result.ts';
import { storedResults } from './stored-results.ts';

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
    text: `INSERT INTO compliance_process (company_id, branch_id, document_id, month, executed_at, executed_by,
                                           passed, failed, broken, skipped, results)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
           RETURNING compliance_process.id`,
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
      JSON.stringify(storedResults(process.results)),
    ],
  });
  return id;
}
