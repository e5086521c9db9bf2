import type { FourEyesKind } from '../../../accounting/four-eyes.ts';
import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import { firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';
import { JOB_COLUMNS, type JobRow } from '../../operations/jobs/jobs.sql.ts';
import type { MonthKey } from '../../posting/months/months.sql.ts';

/** The record over the month closes of all branches. */
type Overall = JobRow<'CONSOLIDATION_OF_ALL'>;

/** Branches of the company that the caller can access and whose month is open. */
export function selectBranchesWithOpenMonth(
  sql: Sql,
  companyId: CompanyId,
  month: Month,
): Promise<{ branchId: BranchId; fourEyes: readonly FourEyesKind[] }[]> {
  return sql.rows(SQL`
    SELECT branch.id AS "branchId", coalesce(company_options.four_eyes, '{}') AS "fourEyes"
      FROM branch
      JOIN month ON month.company_id = branch.company_id AND month.branch_id = branch.id
      AND month.month = ${firstDay(month)}
      LEFT JOIN company_options ON company_options.company_id = branch.company_id
       AND company_options.branch_id = branch.id
     WHERE branch.company_id = ${companyId} AND month.state = 'OPEN' AND can_access(branch.company_id, branch.id)
     ORDER BY branch.id`);
}

/** How many lines the month has and what its debits add up to. */
export function selectMovement(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  month: Month,
): Promise<{ lines: number; debits: string }> {
  return sql.one(SQL`
    SELECT count(*) AS lines, coalesce(sum(entry_line.amount) FILTER (WHERE entry_line.side = 'D'), 0)::text AS debits
      FROM entry_line
     WHERE entry_line.company_id = ${companyId} AND entry_line.branch_id = ${branchId}
       AND entry_line.month = ${firstDay(month)}`);
}

/** The newest month close of the branch's month, which prevented another from being queued. */
export function selectNewestMonthClose(
  sql: Sql,
  { companyId, branchId, month }: MonthKey,
): Promise<JobRow<'CONSOLIDATION'>> {
  return sql.one<JobRow<'CONSOLIDATION'>>(SQL`
    SELECT ${JOB_COLUMNS} FROM job
     WHERE job.company_id = ${companyId} AND job.branch_id = ${branchId} AND job.month = ${firstDay(month)}
       AND job.kind = 'CONSOLIDATION'
     ORDER BY job.id DESC LIMIT 1`);
}

export function selectOverall(sql: Sql, companyId: CompanyId, id: number): Promise<Overall> {
  return sql.one<Overall>(SQL`SELECT ${JOB_COLUMNS} FROM job WHERE job.company_id = ${companyId} AND job.id = ${id}`);
}

export async function deleteOverall(sql: Sql, { companyId, id }: Overall): Promise<void> {
  await sql.run(SQL`DELETE FROM job WHERE job.company_id = ${companyId} AND job.id = ${id}`);
}

/** The overall record needs no worker; its progress is that of its parts. */
export function endOverall(sql: Sql, { companyId, id }: Overall, joined: readonly number[]): Promise<Overall> {
  return sql.one<Overall>(SQL`
    UPDATE job SET status = 'DONE', payload = jsonb_build_object('joined', ${JSON.stringify(joined)}::jsonb)
     WHERE job.company_id = ${companyId} AND job.id = ${id} RETURNING ${JOB_COLUMNS}`);
}
