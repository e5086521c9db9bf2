import { type Day, type Month, monthOfDay, monthRange, slashOf } from '../../../accounting/period.ts';
import { type Problem, problem } from '../../../accounting/problem.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import {
  isOfBranches,
  type Member,
  membersIn,
  nameBranches,
  type ReportedBooks,
} from '../../master-data/companies/institution.ts';
import { type BranchMonth, selectMonthStates, selectOpenedMonths } from './month-states.read.sql.ts';
import type { Moment } from './printed-names.read.sql.ts';

export interface MonthState {
  readonly month: Month;
  /** Of an institution: closed when every branch has closed it. */
  readonly state: 'OPEN' | 'CLOSED';
  readonly archived: boolean;
  /** Of an institution: when the last of its branches closed it. */
  readonly closedAt: Moment | null;
  /** Its result has been closed, in a branch of an institution at least. */
  readonly hasClosing: boolean;
  /** Branches of an institution that have not opened the month, or whose lines are in the archive. */
  readonly unopenedIn?: readonly Member[];
  readonly archivedIn?: readonly Member[];
}

/** The opened months of a span of days; those of an institution that any of its branches has opened. */
export async function readMonthStates(sql: Sql, books: ReportedBooks, from: Day, to: Day): Promise<MonthState[]> {
  const found = await selectMonthStates(sql, books, from, to);
  if (!isOfBranches(books)) return found;
  const byMonth = Map.groupBy(found, ({ month }) => month);
  return monthRange(monthOfDay(from), monthOfDay(to)).flatMap((month) => {
    const states = byMonth.get(month);
    return states === undefined ? [] : [stateOfMembers(month, membersIn(books, month), states)];
  });
}

/** Months that have been opened, in their order; those of an institution that all its branches have opened. */
export async function readOpenedMonths(sql: Sql, books: ReportedBooks): Promise<Month[]> {
  const opened = await selectOpenedMonths(sql, books);
  const isWhole = ({ month, branches }: (typeof opened)[number]) =>
    !isOfBranches(books) || branches === membersIn(books, month).length;
  return opened.filter(isWhole).map(({ month }) => month);
}

function stateOfMembers(month: Month, members: readonly Member[], states: readonly BranchMonth[]): MonthState {
  const byBranch = new Map(states.map((each) => [each.branchId, each]));
  const isClosed = members.every(({ branchId }) => byBranch.get(branchId)?.state === 'CLOSED');
  return {
    month,
    state: isClosed ? 'CLOSED' : 'OPEN',
    archived: states.some(({ archived }) => archived),
    closedAt: isClosed
      ? states
          .map(({ closedAt }) => closedAt!)
          .toSorted()
          .at(-1)!
      : null,
    hasClosing: states.some(({ hasClosing }) => hasClosing),
    unopenedIn: members.filter(({ branchId }) => !byBranch.has(branchId)),
    archivedIn: members.filter(({ branchId }) => byBranch.get(branchId)?.archived),
  };
}

/** Why the month cannot be shown: not opened, by the branches where it is not. `path` is the input that named it. */
export function unopenedProblem(month: Month, found: MonthState | undefined, path: string): Problem | undefined {
  if (found === undefined) return problem('MONTH_NOT_OPEN', { month: slashOf(month) }, path);
  const { unopenedIn = [] } = found;
  if (unopenedIn.length === 0) return undefined;
  return problem('MONTH_NOT_OPEN_IN_BRANCHES', { month: slashOf(month), branches: nameBranches(unopenedIn) }, path);
}

/** Why its lines cannot be shown: they are in the archive. */
export function archivedProblem({ month, archived, archivedIn }: MonthState, path?: string): Problem | undefined {
  if (!archived) return undefined;
  return archivedIn === undefined
    ? problem('MONTH_PURGED', { month: slashOf(month) }, path)
    : problem('MONTH_PURGED_IN_BRANCHES', { month: slashOf(month), branches: nameBranches(archivedIn) }, path);
}
