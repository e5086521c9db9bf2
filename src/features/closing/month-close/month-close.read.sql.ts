import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import { firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import { JOB_COLUMNS, type JobRow } from '../../operations/jobs/jobs.sql.ts';

/** The month close of a branch, or the record over those of all branches. */
export type MonthCloseJob = JobRow<'CONSOLIDATION' | 'CONSOLIDATION_OF_ALL'>;

/** The summary of the parts of an overall record. */
export interface Parts {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** Of accessible branches with a message, the failed ones first. */
  readonly message: string | null;
}

/** A month close: its job, its tenant's codes, and the parts of an overall one. */
export interface MonthCloseState {
  readonly job: MonthCloseJob;
  readonly company: string;
  readonly branch: string | null;
  readonly parts: Parts | undefined;
}

export async function selectMonthClose(
  sql: Sql,
  companyId: CompanyId,
  id: number,
): Promise<MonthCloseState | undefined> {
  const row = await sql.maybe<MonthCloseRow>(SQL`
    SELECT ${MONTH_CLOSE}
     WHERE job.company_id = ${companyId} AND job.id = ${id}
       AND job.kind IN ('CONSOLIDATION', 'CONSOLIDATION_OF_ALL')`);
  return row && stateOf(sql, row);
}

/** The month closes of a month, newest first: those of a branch, or without one those of all branches together. */
export async function selectMonthCloses(
  sql: Sql,
  { companyId, branchId }: { readonly companyId: CompanyId; readonly branchId?: BranchId | undefined },
  month: Month,
  limit: number,
): Promise<MonthCloseState[]> {
  const kind = branchId === undefined ? 'CONSOLIDATION_OF_ALL' : 'CONSOLIDATION';
  const rows = await sql.rows<MonthCloseRow>(SQL`
    SELECT ${MONTH_CLOSE}
     WHERE job.company_id = ${companyId} AND job.kind = ${kind} AND job.month = ${firstDay(month)}
       AND coalesce(job.branch_id, 0) = ${branchId ?? 0}
     ORDER BY job.id DESC LIMIT ${limit}`);
  return sql.pipelined((reads) => Promise.all(rows.map((row) => stateOf(reads, row))));
}

type MonthCloseRow = MonthCloseJob & { readonly company: string; readonly branch: string | null };

const MONTH_CLOSE = SQL`${JOB_COLUMNS}, company.code AS company, branch.code AS branch
      FROM job
      JOIN company ON company.id = job.company_id
      LEFT JOIN branch ON branch.company_id = job.company_id AND branch.id = job.branch_id`;

async function stateOf(sql: Sql, { company, branch, ...job }: MonthCloseRow): Promise<MonthCloseState> {
  if (job.kind !== 'CONSOLIDATION_OF_ALL') return { job, company, branch, parts: undefined };
  const parts = await selectParts(sql, job);
  const { startedAt, finishedAt, message } = parts;
  const status = statusOf(parts);
  const hasEnded = status === 'DONE' || status === 'ERROR';
  return {
    job: { ...job, status, startedAt, finishedAt: hasEnded ? finishedAt : null, message },
    company,
    branch,
    parts,
  };
}

/** Maximum number of failed branches whose reasons are reported. */
const MAX_REPORTED = 5;

function selectParts(sql: Sql, { companyId, id, payload }: JobRow<'CONSOLIDATION_OF_ALL'>): Promise<Parts> {
  const { joined = [] } = payload;
  return sql.one<Parts>(SQL`
    WITH part AS (
      SELECT job.status, job.started_at, job.finished_at, branch.code, job.message,
             can_access(branch.company_id, branch.id) AS reached,
             row_number() OVER (PARTITION BY job.message IS NULL ORDER BY job.status DESC, branch.code) AS place
        FROM job
        JOIN branch ON branch.company_id = job.company_id AND branch.id = job.branch_id
       WHERE job.company_id = ${companyId} AND (job.parent_id = ${id} OR job.id = ANY (${joined}::bigint[]))
    )
    SELECT count(*) AS total, count(*) FILTER (WHERE part.status = 'DONE') AS done,
           count(*) FILTER (WHERE part.status = 'ERROR') AS failed, min(part.started_at) AS "startedAt",
           max(part.finished_at) AS "finishedAt",
           string_agg(part.code || ': ' || part.message, '; ' ORDER BY part.place)
             FILTER (WHERE part.message IS NOT NULL AND part.reached AND part.place <= ${MAX_REPORTED}) AS message
      FROM part`);
}

function statusOf({ total, done, failed, startedAt }: Parts): JobRow['status'] {
  if (total > 0 && startedAt === null) return 'PENDING';
  if (done + failed < total) return 'RUNNING';
  return failed > 0 ? 'ERROR' : 'DONE';
}
