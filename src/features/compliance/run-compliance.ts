import type { CompanyId } from '../../accounting/ids.ts';
import { firstDay, type Month, slashOf } from '../../accounting/period.ts';
import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import type { Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/sql.ts';
import type { JobRow } from '../operations/jobs/jobs.sql.ts';
import { type JobLimits, queueJob } from '../operations/jobs/queue-job.ts';
import type { WatchedJob } from '../operations/jobs/watch-job.ts';
import { type BranchChoice, chooseBranches } from './choose-branches.ts';
import { type LookupRow, selectRegulatoryDocuments } from './lookups.read.sql.ts';
import { selectRunJob } from './processes.read.sql.ts';
import { selectRulesOf } from './rules.read.sql.ts';
import { compileRules, type Process, runRules } from './run-rules.ts';

export interface RunRequest extends BranchChoice {
  readonly month: Month;
  readonly documentId?: number | undefined;
  readonly documentCode?: string | undefined;
}

/** More branches than this are a job, not a response to wait for. */
const MAX_BRANCHES_AT_ONCE = 200;

/** Runs the rules of a document over the chosen branches; all processes are one commit. */
export async function runCompliance(context: Context, request: RunRequest): Promise<Process[]> {
  const document = await documentOf(context.sql, request);
  const branches = await chooseBranches(context.sql, request, request.month);
  if (branches.length > MAX_BRANCHES_AT_ONCE) reject('TOO_MANY_BRANCHES', { limit: MAX_BRANCHES_AT_ONCE });
  const rules = await compileRules(await selectRulesOf(context.sql, document.id, request.month), request.month);
  const { month } = request;
  return context.transaction(async (sql) => {
    const run = { month, executedAt: context.now(), executedBy: context.caller.username };
    const processes: Process[] = [];
    for await (const ofBranch of runRules(sql, branches, [{ document, rules }], run)) processes.push(...ofBranch);
    return processes.length > 0 ? processes : reject('MONTH_NOT_CONSOLIDATED', { month: slashOf(month) }, 'month');
  });
}

/** The same in the background: the job's result names the processes. */
export async function requestComplianceRun(
  context: Context,
  request: RunRequest,
  limits: JobLimits,
): Promise<JobRow<'COMPLIANCE_RUN'>> {
  const document = await documentOf(context.sql, request);
  const branches = await chooseBranches(context.sql, request, request.month);
  const payload = { documentId: document.id, branchIds: branches.map(({ branchId }) => branchId) };
  const job = { companyId: branches[0]!.companyId, month: firstDay(request.month), payload };
  return queueJob(context, { ...job, kind: 'COMPLIANCE_RUN' }, limits);
}

/** A run in the background, to read or to watch until it ends. */
export function watchedRun(context: Context, companyId: CompanyId, id: number): WatchedJob<JobRow<'COMPLIANCE_RUN'>> {
  const read = async () =>
    (await selectRunJob(context.sql, companyId, id)) ?? reject('NOT_FOUND', recordRef('Job', id));
  return { companyId, id, read, status: (job) => job.status };
}

async function documentOf(sql: Sql, { documentId, documentCode }: RunRequest): Promise<LookupRow> {
  if (documentId === undefined && documentCode === undefined) {
    reject('ONE_OF_FIELDS', { one: { path: 'documentId' }, other: { path: 'documentCode' } }, 'documentId');
  }
  const documents = await selectRegulatoryDocuments(sql);
  const byId = documents.find(({ id }) => id === documentId);
  const byCode = documents.find(({ code }) => code === documentCode);
  if (documentId !== undefined && !byId) reject('NOT_FOUND', recordRef('Document', documentId), 'documentId');
  if (documentCode !== undefined && !byCode) reject('NOT_FOUND', recordRef('Document', documentCode), 'documentCode');
  if (byId && byCode && byId !== byCode) {
    reject('FIELDS_DIFFER', { one: { path: 'documentId' }, other: { path: 'documentCode' } }, 'documentCode');
  }
  return (byId ?? byCode)!;
}
