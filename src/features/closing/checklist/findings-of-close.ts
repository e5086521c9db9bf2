import { blockingCodes } from '../../../accounting/closing-checklist.ts';
import type { BlockingCode } from '../../../accounting/finding-code.ts';
import { type Month, slashOf } from '../../../accounting/period.ts';
import { type Problem, problem } from '../../../accounting/problem.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { BranchKey } from '../../access/access.ts';
import { selectChecklistBranches } from './checklist-branches.read.sql.ts';
import { FINDERS } from './findings.ts';

/** What findings say about closing a month: those that stop it, and what it only warns of. */
export interface CloseFindings {
  readonly problems: readonly Problem[];
  readonly warning: Problem | undefined;
}

/**
 * The findings of an open month that stop its close by the branch's options. Unbalanced entries are left to the close
 * itself, which proves every month under its lock and names them.
 */
export async function findingsOfClose(sql: Sql, branch: BranchKey, month: Month): Promise<CloseFindings> {
  const [options] = await selectChecklistBranches(sql, branch.companyId, month, 1, branch.branchId);
  if (options?.monthState !== 'OPEN') return { problems: [], warning: undefined };
  const blocking = blockingCodes(options.layout, options.blockOn);
  const problems: Problem[] = [];
  for (const code of blocking) {
    if (code === 'UNBALANCED_DOCUMENTS') continue;
    problems.push(...(await problemsOf(sql, branch, month, code)));
  }
  const isClosureRequired = blocking.includes('CLOSURE_SETTINGS_MISSING');
  const [warning] = isClosureRequired ? [] : await problemsOf(sql, branch, month, 'CLOSURE_SETTINGS_MISSING');
  return { problems, warning };
}

async function problemsOf(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  month: Month,
  code: BlockingCode,
): Promise<Problem[]> {
  const rows = await FINDERS[code](sql, { companyId, branchIds: [branchId], month, items: undefined });
  const found = rows.find((each) => each.code === code);
  if (found === undefined || found.count === 0) return [];
  if (code === 'CLOSURE_SETTINGS_MISSING') return [problem(code, { month: slashOf(month) })];
  return [problem('CLOSING_BLOCKED', { month: slashOf(month), finding: code, count: found.count })];
}
