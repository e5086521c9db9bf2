import type { BranchId } from '../../../accounting/ids.ts';
import { type Month, slashOf } from '../../../accounting/period.ts';
import { BusinessError, type Problem, problem, reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Context } from '../../../platform/context.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { ELEVATION } from '../../access/elevation-reasons.ts';
import { type AwaitingApproval, askIfNeeded } from '../../operations/approvals/ask-approval.ts';
import { type ArchivableBranch, lockMonths, moveMovements, selectBranches, selectIdsInRange } from './archive.sql.ts';

export interface ArchiveRequest {
  /** Exactly two ids, first to last inclusive. */
  readonly useRange: boolean;
  /** The ids listed. */
  readonly alternate: boolean;
  readonly branchIds: readonly BranchId[];
  readonly month: Month;
  /** True: months up to `month` go to the archive; false: months from it on come back. */
  readonly send: boolean;
}

/** Maximum number of branches of one request. */
const MAX_BRANCHES = 10_000;

/**
 * Archives or restores branch by branch, each in a transaction of its own; a branch that fails is unchanged and
 * reported (domain: archiving). Balances stay where they are.
 */
export async function archiveMovements(context: Context, request: ArchiveRequest): Promise<Problem[]> {
  const selection = await selectedIds(context, request);
  if (!Array.isArray(selection)) return [selection];
  const reached = new Map((await selectBranches(context.sql, selection)).map((branch) => [branch.branchId, branch]));
  const problems: Problem[] = [];
  // The response does not reveal other branches between the two given ids.
  const isNamed = (id: BranchId) => request.branchIds.includes(id);
  if (selection.some((id) => !reached.has(id) && !isNamed(id))) problems.push(problem('PURGE_RANGE_OF_OTHERS'));
  for (const id of selection) {
    const branch = reached.get(id);
    if (branch) problems.push(...(await archiveBranch(context, branch, request)));
    else if (isNamed(id)) problems.push(problem('NOT_FOUND', recordRef('Branch', id)));
  }
  return problems;
}

async function selectedIds(context: Context, request: ArchiveRequest): Promise<BranchId[] | Problem> {
  const ids = [...new Set(request.branchIds)];
  if (request.useRange === request.alternate) return problem('PURGE_SELECTION_MODE');
  if (ids.length === 0 || ids.length > MAX_BRANCHES) return problem('PURGE_NO_BRANCHES');
  if (request.alternate) return ids;
  if (request.branchIds.length !== 2) return problem('PURGE_RANGE_OF_TWO');
  const [first, last] = [Math.min(...request.branchIds), Math.max(...request.branchIds)];
  return context.elevated(ELEVATION.branchRange, (system) => selectIdsInRange(system, first, last, MAX_BRANCHES));
}

async function archiveBranch(context: Context, branch: ArchivableBranch, request: ArchiveRequest): Promise<Problem[]> {
  try {
    const awaiting = await archiveOneBranch(context, branch, request);
    if (!awaiting) return [];
    return [problem('PURGE_AWAITS_APPROVAL', { place: placeOf(branch), approval: awaiting.approval.id })];
  } catch (error) {
    if (error instanceof BusinessError) return [...error.problems];
    throw error;
  }
}

/** Archives or restores one branch, all of it or nothing; or asks for a second person (domain: four eyes, 1). */
export function archiveOneBranch(
  context: Context,
  branch: ArchivableBranch,
  request: Pick<ArchiveRequest, 'month' | 'send'>,
): Promise<AwaitingApproval | undefined> {
  return context.transaction(async (sql) => {
    const months = await lockMonths(sql, branch, request.month, request.send ? 'UP_TO' : 'FROM');
    const place = placeOf(branch);
    if (months.length === 0) reject('PURGE_NO_MONTHS', { place, month: slashOf(request.month) });
    if (request.send) {
      const open = months.find((each) => each.state !== 'CLOSED')?.month;
      // The month named must be closed itself: the branch may not have opened it yet.
      const wrong = open ?? (months.at(-1)!.month === request.month ? undefined : request.month);
      if (wrong !== undefined) reject('PURGE_MONTH_OPEN', { place, month: slashOf(wrong) });
    }
    const chosen = months.filter((each) => each.archived !== request.send).map((each) => each.month);
    if (chosen.length === 0) return undefined;
    const { month, send } = request;
    const awaiting = await askIfNeeded(sql, context, branch, {
      kind: 'ARCHIVING',
      month,
      request: { month, send },
      books: async () => chosen,
    });
    if (awaiting) return awaiting;
    await moveMovements(sql, branch, chosen, request.send ? 'ARCHIVED' : 'LIVE');
    await recordAudit(sql, context, {
      action: request.send ? 'PURGE' : 'RESTORE',
      entity: 'month',
      companyId: branch.companyId,
      branchId: branch.branchId,
      after: { months: chosen },
    });
    return undefined;
  });
}

function placeOf({ company, branch }: ArchivableBranch): string {
  return `${company}/${branch}`;
}
