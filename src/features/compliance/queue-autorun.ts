import type { BranchId, CompanyId } from '../../accounting/ids.ts';
import { firstDay, type Month } from '../../accounting/period.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { insertJob } from '../operations/jobs/jobs.sql.ts';
import { selectAutorunRules } from './rules.read.sql.ts';

/** Queues the rules that run on their own, in the transaction that closes the month. */
export async function queueAutorun(
  sql: Sql,
  { companyId, branchId }: { companyId: CompanyId; branchId: BranchId },
  month: Month,
  requestedBy: string,
): Promise<void> {
  if ((await selectAutorunRules(sql, month)).length === 0) return;
  const job = { companyId, branchId, month: firstDay(month), requestedBy };
  await insertJob(sql, { ...job, kind: 'COMPLIANCE_RUN', payload: { documentId: null, branchIds: [branchId] } });
}
