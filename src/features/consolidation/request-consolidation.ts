import { firstDay, type Month } from '../../accounting/period.ts';
import type { Context } from '../../platform/context.ts';
import type { Transaction } from '../../platform/sql.ts';
import type { CompanyTenant, Tenant } from '../access/access.ts';
import { insertJob, JOB_COLUMNS, type JobRow } from '../jobs.sql.ts';

/** One branch's month, run by the workers. */
export const CONSOLIDATION = 'CONSOLIDATION';
/** The record over the jobs of all branches; no worker takes it, its state is that of its parts. */
export const CONSOLIDATION_OF_ALL = 'CONSOLIDATION_OF_ALL';

/** Queues the consolidation of a month; asking again while it waits or runs answers the same record. */
export async function requestConsolidation(context: Context, tenant: Tenant, month: Month): Promise<JobRow> {
  const job = await context.transaction((sql) => queue(sql, context, tenant, month));
  context.wakeJobs();
  return job;
}

/**
 * Queues one job for each branch of the company that the caller reaches, under an overall record. Months that wait or run
 * already count as its parts; when they all belong to one earlier record, that one is answered.
 */
export async function requestConsolidationOfAll(
  context: Context,
  company: CompanyTenant,
  month: Month,
): Promise<JobRow> {
  const job = await context.transaction(async (sql) => {
    const branches = await sql.rows<{ branchId: number }>({
      text: `SELECT branch.id AS "branchId"
               FROM branch
               JOIN month ON month.company_id = branch.company_id AND month.branch_id = branch.id AND month.month = $2
              WHERE branch.company_id = $1 AND month.state = 'OPEN' AND reaches(branch.company_id, branch.id)
              ORDER BY branch.id`,
      values: [company.companyId, firstDay(month)],
    });
    const overall = await insertJob(sql, {
      companyId: company.companyId,
      month: firstDay(month),
      kind: CONSOLIDATION_OF_ALL,
      requestedBy: context.caller.username,
    });
    const parts: JobRow[] = [];
    for (const branch of branches) parts.push(await queue(sql, context, { ...company, ...branch }, month, overall!.id));
    const [first] = parts;
    const earlier = first?.parentId ?? null;
    if (earlier !== null && earlier !== overall!.id && parts.every((part) => part.parentId === earlier)) {
      await deleteOverall(sql, overall!);
      return selectJob(sql, company.companyId, earlier);
    }
    const joined = parts.filter((part) => part.parentId !== overall!.id).map((part) => part.id);
    return endOverall(sql, overall!, joined);
  });
  context.wakeJobs();
  return job;
}

async function queue(
  sql: Transaction,
  context: Context,
  branch: { companyId: number; branchId: number },
  month: Month,
  parentId?: number,
): Promise<JobRow> {
  const added = await insertJob(sql, {
    companyId: branch.companyId,
    branchId: branch.branchId,
    month: firstDay(month),
    kind: CONSOLIDATION,
    requestedBy: context.caller.username,
    ...(parentId === undefined ? {} : { parentId }),
  });
  return (
    added ??
    sql.one<JobRow>({
      text: `SELECT ${JOB_COLUMNS} FROM job
            WHERE job.company_id = $1 AND job.branch_id = $2 AND job.month = $3 AND job.kind = $4
            ORDER BY job.id DESC LIMIT 1`,
      values: [branch.companyId, branch.branchId, firstDay(month), CONSOLIDATION],
    })
  );
}

async function deleteOverall(sql: Transaction, { companyId, id }: JobRow): Promise<void> {
  await sql.run({ text: 'DELETE FROM job WHERE job.company_id = $1 AND job.id = $2', values: [companyId, id] });
}

/** The overall record waits for no worker; how far it is, its parts say. */
function endOverall(sql: Transaction, { companyId, id }: JobRow, joined: readonly number[]): Promise<JobRow> {
  return sql.one<JobRow>({
    text: `UPDATE job SET status = 'DONE', payload = jsonb_build_object('joined', $3::jsonb)
            WHERE job.company_id = $1 AND job.id = $2 RETURNING ${JOB_COLUMNS}`,
    values: [companyId, id, JSON.stringify(joined)],
  });
}

function selectJob(sql: Transaction, companyId: number, id: number): Promise<JobRow> {
  return sql.one<JobRow>({
    text: `SELECT ${JOB_COLUMNS} FROM job WHERE job.company_id = $1 AND job.id = $2`,
    values: [companyId, id],
  });
}
