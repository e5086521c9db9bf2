import type { AccountId } from '../../../accounting/ids.ts';
import type { Centavos } from '../../../accounting/money.ts';
import { type Month, slashOf } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Institution, membersIn } from '../../master-data/companies/institution.ts';
import type { BranchGroup } from './balance-rules.sql.ts';
import { type BalanceBaseline, selectBaseBalances } from './balances.read.sql.ts';
import { groupByClosed, type MemberState, selectMemberStates } from './member-states.read.sql.ts';

/** Where the closed balances of an institution's branches end. */
export interface InstitutionBaseline extends BalanceBaseline {
  readonly groups: readonly BranchGroup[];
}

/**
 * Where the closed balances of its branches end as of the month. The month is closed when every branch has closed it.
 * Rejects a month before all of its books.
 */
export async function readInstitutionBaseline(
  sql: Sql,
  institution: Institution,
  month: Month,
): Promise<InstitutionBaseline> {
  const { companyId, chartId, baseMonth } = institution;
  if (month < baseMonth) reject('BEFORE_BASE_MONTH', { month: slashOf(month), base: slashOf(baseMonth) });
  const members = membersIn(institution, month);
  const states = await selectMemberStates(
    sql,
    companyId,
    members.map(({ branchId }) => branchId),
    month,
  );
  const unopenedIds = new Set(states.filter(({ state }) => state === null).map(({ branchId }) => branchId));
  return {
    chartId,
    baseMonth,
    closed: states.map(({ closed }) => closed).reduce(earlierOf),
    state: stateOf(states),
    archived: states.some(({ archived }) => archived),
    groups: groupByClosed(companyId, states),
    unopened: members.filter(({ branchId }) => unopenedIds.has(branchId)),
  };
}

/**
 * Base balances of the branches that join the institution after a month, up to another: in its papers of the months
 * before, they are in no figure.
 */
export function readJoiningBalances(
  sql: Sql,
  { companyId, members }: Institution,
  after: Month,
  to: Month,
): Promise<ReadonlyMap<AccountId, Centavos>> {
  const joining = members.filter(({ baseMonth }) => baseMonth > after && baseMonth <= to);
  if (joining.length === 0) return Promise.resolve(new Map());
  return selectBaseBalances(sql, { companyId, branchIds: joining.map(({ branchId }) => branchId) });
}

function earlierOf(a: Month | null, b: Month | null): Month | null {
  return a === null || b === null ? null : a < b ? a : b;
}

function stateOf(states: readonly MemberState[]): BalanceBaseline['state'] {
  if (states.some(({ state }) => state === null)) return null;
  return states.every(({ state }) => state === 'CLOSED') ? 'CLOSED' : 'OPEN';
}
