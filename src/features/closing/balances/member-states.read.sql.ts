import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import { BEFORE_ALL_DAYS, firstDay, type Month } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { BranchGroup } from './balance-rules.sql.ts';

/** How far the books of a branch are, seen from a month. */
export interface MemberState {
  readonly branchId: BranchId;
  /** Its last closed month up to the one asked; null: none. */
  readonly closed: Month | null;
  /** Of the month asked; null: not opened. */
  readonly state: 'OPEN' | 'CLOSED' | null;
  readonly archived: boolean;
}

export function selectMemberStates(
  sql: Sql,
  companyId: CompanyId,
  branchIds: readonly BranchId[],
  month: Month,
): Promise<MemberState[]> {
  return sql.rows<MemberState>(SQL`
    SELECT member.id AS "branchId",
           to_char(nullif((SELECT coalesce(max(month.month), ${BEFORE_ALL_DAYS}) FROM month
                            WHERE month.company_id = ${companyId} AND month.branch_id = member.id
                              AND month.month <= ${firstDay(month)} AND month.state = 'CLOSED'),
                          ${BEFORE_ALL_DAYS}), 'YYYY-MM') AS closed,
           asked.state, coalesce(asked.archived, false) AS archived
      FROM unnest(${branchIds}::bigint[]) AS member (id)
      LEFT JOIN month AS asked ON asked.company_id = ${companyId} AND asked.branch_id = member.id
       AND asked.month = ${firstDay(month)}`);
}

/** The branches by where their closed balances end, seen from a month. */
export async function selectBranchGroups(
  sql: Sql,
  companyId: CompanyId,
  branchIds: readonly BranchId[],
  month: Month,
): Promise<BranchGroup[]> {
  return groupByClosed(companyId, await selectMemberStates(sql, companyId, branchIds, month));
}

export function groupByClosed(companyId: CompanyId, states: readonly MemberState[]): BranchGroup[] {
  return [...Map.groupBy(states, ({ closed }) => closed)].map(([closed, group]) => ({
    companyId,
    branchIds: group.map(({ branchId }) => branchId),
    closed,
  }));
}
