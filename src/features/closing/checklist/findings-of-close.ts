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

/** The findings of an open month that stop its close by the branch's options, and what it only warns of. */
export async function findingsOfClose(sql: Sql, branch: BranchKey, month: Month): Promise<CloseFindings> {
  const blocking = await codesThatBlock(sql, branch, month);
  if (blocking === undefined) return { problems: [], warning: undefined };
  const problems = await problemsOf(sql, branch, month, blocking);
  const isClosureRequired = blocking.includes('CLOSURE_SETTINGS_MISSING');
  const [warning] = isClosureRequired ? [] : await problemsOf(sql, branch, month, ['CLOSURE_SETTINGS_MISSING']);
  return { problems, warning };
}

/** The findings of an open month that stop its close by the branch's options. */
export async function blockingFindings(sql: Sql, branch: BranchKey, month: Month): Promise<readonly Problem[]> {
  return problemsOf(sql, branch, month, (await codesThatBlock(sql, branch, month)) ?? []);
}

/** Undefined unless the month is open. */
async function codesThatBlock(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  month: Month,
): Promise<readonly BlockingCode[] | undefined> {
  const [options] = await selectChecklistBranches(sql, companyId, month, 1, branchId);
  return options?.monthState === 'OPEN' ? blockingCodes(options.layout, options.blockOn) : undefined;
}

/** Unbalanced entries are left to the close itself, which proves every month under its lock and names them. */
async function problemsOf(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  month: Month,
  codes: readonly BlockingCode[],
): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const code of codes) {
    if (code === 'UNBALANCED_DOCUMENTS') continue;
    const rows = await FINDERS[code](sql, { companyId, branchIds: [branchId], month, items: undefined });
    const count = rows.find((each) => each.code === code)?.count ?? 0;
    if (count > 0) problems.push(problemOf(code, month, count));
  }
  return problems;
}

function problemOf(code: BlockingCode, month: Month, count: number): Problem {
  if (code === 'CLOSURE_SETTINGS_MISSING') return problem(code, { month: slashOf(month) });
  if (code === 'DRAFTS_WAITING') return problem('DRAFTS_WAIT', { month: slashOf(month), count }, 'month');
  return problem('CLOSING_BLOCKED', { month: slashOf(month), finding: code, count });
}
