import { firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { JOB_COLUMNS, type JobRow } from '../../operations/jobs/jobs.sql.ts';
import type { MonthKey } from '../../posting/months/months.sql.ts';
import { CONSOLIDATION } from './month-close.read.sql.ts';

/** Branches of the company that the caller reaches and whose month is open. */
export function selectBranchesWithOpenMonth(
  sql: Sql,
  companyId: number,
  month: Month,
): Promise<{ branchId: number }[]> {
  return sql.rows<{ branchId: number }>({
    text: `SELECT branch.id AS "branchId"
             FROM branch
             JOIN month ON month.company_id = branch.company_id AND month.branch_id = branch.id AND month.month = $2
            WHERE branch.company_id = $1 AND month.state = 'OPEN' AND can_access(branch.company_id, branch.id)
            ORDER BY branch.id`,
    values: [companyId, firstDay(month)],
  });
}

/** The newest month close of the branch's month: the one that kept another from being queued. */
export function selectNewestMonthClose(sql: Sql, { companyId, branchId, month }: MonthKey): Promise<JobRow> {
  return sql.one<JobRow>({
    text: `SELECT ${JOB_COLUMNS} FROM job
            WHERE job.company_id = $1 AND job.branch_id = $2 AND job.month = $3 AND job.kind = $4
            ORDER BY job.id DESC LIMIT 1`,
    values: [companyId, branchId, firstDay(month), CONSOLIDATION],
  });
}

export function selectOverall(sql: Sql, companyId: number, id: number): Promise<JobRow> {
  return sql.one<JobRow>({
    text: `SELECT ${JOB_COLUMNS} FROM job WHERE job.company_id = $1 AND job.id = $2`,
    values: [companyId, id],
  });
}

export async function deleteOverall(sql: Sql, { companyId, id }: JobRow): Promise<void> {
  await sql.run({ text: 'DELETE FROM job WHERE job.company_id = $1 AND job.id = $2', values: [companyId, id] });
}

/** The overall record waits for no worker; how far it is, its parts say. */
export function endOverall(sql: Sql, { companyId, id }: JobRow, joined: readonly number[]): Promise<JobRow> {
  return sql.one<JobRow>({
    text: `UPDATE job SET status = 'DONE', payload = jsonb_build_object('joined', $3::jsonb)
            WHERE job.company_id = $1 AND job.id = $2 RETURNING ${JOB_COLUMNS}`,
    values: [companyId, id, JSON.stringify(joined)],
  });
}
