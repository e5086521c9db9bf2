import type { Sql } from '../../platform/sql.ts';
import { JOB_COLUMNS, type JobRow } from '../jobs.sql.ts';
import { CONSOLIDATION, CONSOLIDATION_OF_ALL, type Parts, selectParts } from './request-consolidation.ts';

/** A consolidation as it stands: its job, its tenant's codes, and the parts of an overall one. */
export interface ConsolidationState {
  readonly job: JobRow;
  readonly company: string;
  readonly branch: string | null;
  readonly parts: Parts | undefined;
}

export async function selectConsolidation(
  sql: Sql,
  companyId: number,
  id: number,
): Promise<ConsolidationState | undefined> {
  const row = await sql.maybe<JobRow & { company: string; branch: string | null }>({
    text: `SELECT ${JOB_COLUMNS}, company.code AS company, branch.code AS branch
             FROM job
             JOIN company ON company.id = job.company_id
             LEFT JOIN branch ON branch.company_id = job.company_id AND branch.id = job.branch_id
            WHERE job.company_id = $1 AND job.id = $2 AND job.kind = ANY ($3)`,
    values: [companyId, id, [CONSOLIDATION, CONSOLIDATION_OF_ALL]],
  });
  if (!row) return undefined;
  const { company, branch, ...job } = row;
  const parts = job.kind === CONSOLIDATION_OF_ALL ? await selectParts(sql, companyId, id) : undefined;
  return { job: parts ? { ...job, status: statusOf(parts) } : job, company, branch, parts };
}

function statusOf({ total, done, failed }: Parts): JobRow['status'] {
  if (done + failed < total) return 'RUNNING';
  return failed > 0 ? 'ERROR' : 'DONE';
}
