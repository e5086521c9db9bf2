import type { BranchId, CompanyId } from '../../accounting/ids.ts';
import { firstDay, type Month } from '../../accounting/period.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { SQL } from '../../platform/database/statement.ts';
import type { RuleResult } from './rule-result.ts';
import { storedResults } from './stored-results.ts';

export interface NewProcess {
  readonly companyId: CompanyId;
  readonly branchId: BranchId;
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

/** Stores a process with the results of all its rules. */
export async function insertProcess(sql: Sql, process: NewProcess): Promise<number> {
  const { passed, failed, broken, skipped } = process.counts;
  const { id } = await sql.one<{ id: number }>(SQL.named('insert-process')`
    INSERT INTO compliance_process (company_id, branch_id, document_id, month, executed_at, executed_by,
                                    passed, failed, broken, skipped, results)
    VALUES (${process.companyId}, ${process.branchId}, ${process.documentId}, ${firstDay(process.month)},
            ${process.executedAt}, ${process.executedBy}, ${passed}, ${failed}, ${broken}, ${skipped},
            ${JSON.stringify(storedResults(process.results))})
    RETURNING compliance_process.id`);
  return id;
}
