import { firstDay, type Month } from '../../accounting/period.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { insertJob } from '../operations/jobs/jobs.sql.ts';
import { selectAutorunRules } from './rules.read.sql.ts';

/** Queues the rules that run on their own, in the transaction that closes the month. */
export async function queueAutorun(
  sql: Sql,
  { companyId, branchId }: { companyId: number; branchId: number },
  month: Month,
  requestedBy: string,
): Promise<void> {
  if ((await selectAutorunRules(sql, month)).length === 0) return;
  const payload: RunPayload = { documentId: null, branchIds: [branchId] };
  const job = { companyId, branchId, month: firstDay(month), payload: { ...payload } };
  await insertJob(sql, { ...job, kind: COMPLIANCE_RUN, requestedBy });
}

/** A run of rules in the background. */
export const COMPLIANCE_RUN = 'COMPLIANCE_RUN';

/** Without a document: the rules that run on their own after a month close, each for its documents. */
export interface RunPayload {
  readonly documentId: number | null;
  readonly branchIds: readonly number[];
}
