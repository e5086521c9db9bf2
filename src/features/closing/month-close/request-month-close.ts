import { firstDay, type Month } from '../../../accounting/period.ts';
import { monthProblem } from '../../../accounting/posting.ts';
import { type Problem, throwIfAny } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { BranchKey, CompanyTenant, Tenant } from '../../access/access.ts';
import { AwaitingApproval, askIfNeeded } from '../../operations/approvals/ask-approval.ts';
import type { Jobs } from '../../operations/jobs/job-kinds.ts';
import { insertJob } from '../../operations/jobs/jobs.sql.ts';
import { selectMonthState } from '../../posting/months/months.read.sql.ts';
import { blockingFindings } from '../checklist/findings-of-close.ts';
import type { MonthCloseJob } from './month-close.read.sql.ts';
import {
  deleteOverall,
  endOverall,
  selectBranchesWithOpenMonth,
  selectMovement,
  selectNewestMonthClose,
  selectOverall,
} from './month-close-jobs.sql.ts';

/**
 * Queues the month close of an open month; a second request while it waits or runs returns the same record (domain:
 * closing a month, 1).
 */
export async function requestMonthClose(
  context: Context,
  tenant: Tenant,
  month: Month,
): Promise<MonthCloseJob | AwaitingApproval> {
  const job = await context.transaction(async (sql) => {
    throwIfAny(await blockingFindings(sql, tenant, month));
    const awaiting = await askToClose(sql, context, tenant, month, () => monthProblems(sql, tenant, month));
    if (awaiting) return awaiting;
    const job = await queue(sql, context, tenant, month);
    // Read after the job is queued: a waiting or running job has not closed the month yet.
    if (job.status === 'PENDING') throwIfAny(await monthProblems(sql, tenant, month));
    return job;
  });
  if (!(job instanceof AwaitingApproval)) context.wakeJobs();
  return job;
}

/** A month that takes no close is rejected before anybody is asked. */
async function askToClose(
  sql: Transaction,
  context: Context,
  branch: BranchKey,
  month: Month,
  problems?: () => Promise<Problem[]>,
): Promise<AwaitingApproval | undefined> {
  const books = async () => {
    if (problems) throwIfAny(await problems());
    return selectMovement(sql, branch, month);
  };
  return askIfNeeded(sql, context, branch, { kind: 'MONTH_CLOSE', month, request: { month }, books });
}

/**
 * Queues one job for each branch of the company that the caller can access, under an overall record. Months that wait
 * or run already count as its parts; when they all belong to one earlier record, that one is returned. Branches that
 * want a second person get a request each.
 */
export async function requestMonthCloseOfAll(
  context: Context,
  company: CompanyTenant,
  month: Month,
): Promise<MonthCloseJob> {
  const job = await context.transaction(async (sql) => {
    const branches = await selectBranchesWithOpenMonth(sql, company.companyId, month);
    const overall = await insertJob(sql, {
      companyId: company.companyId,
      month: firstDay(month),
      kind: 'CONSOLIDATION_OF_ALL',
      payload: {},
      requestedBy: context.caller.username,
    });
    const parts: MonthCloseJob[] = [];
    for (const { fourEyes, ...each } of branches) {
      const branch = { companyId: company.companyId, ...each };
      // What waits for a second person is no part: once approved it is closed by itself.
      const awaiting = fourEyes.includes('MONTH_CLOSE') && (await askToClose(sql, context, branch, month));
      if (!awaiting) parts.push(await queue(sql, context, branch, month, overall!.id));
    }
    const [first] = parts;
    const earlier = first?.parentId ?? null;
    if (earlier !== null && earlier !== overall!.id && parts.every((part) => part.parentId === earlier)) {
      await deleteOverall(sql, overall!);
      return selectOverall(sql, company.companyId, earlier);
    }
    const joined = parts.filter((part) => part.parentId !== overall!.id).map((part) => part.id);
    return endOverall(sql, overall!, joined);
  });
  context.wakeJobs();
  return job;
}

async function monthProblems(sql: Transaction, { companyId, branchId }: Tenant, month: Month): Promise<Problem[]> {
  const state = (await selectMonthState(sql, companyId, branchId, month)) ?? 'NOT_OPENED';
  return [monthProblem(state, month, 'month') ?? []].flat();
}

async function queue(
  sql: Transaction,
  context: Context,
  branch: BranchKey,
  month: Month,
  parentId?: number,
): Promise<MonthCloseJob> {
  const added = await insertJob(sql, {
    companyId: branch.companyId,
    branchId: branch.branchId,
    month: firstDay(month),
    kind: 'CONSOLIDATION',
    payload: approvedPayload(context),
    requestedBy: context.caller.username,
    ...(parentId === undefined ? {} : { parentId }),
  });
  return added ?? selectNewestMonthClose(sql, { ...branch, month });
}

function approvedPayload({ approved }: Context): Jobs['CONSOLIDATION']['payload'] {
  if (!approved) return {};
  const { id, requestedBy, approvedBy } = approved;
  return { approved: { id, requestedBy, approvedBy } };
}
