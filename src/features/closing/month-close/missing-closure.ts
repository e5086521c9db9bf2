import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import { type Month, monthNumberOf } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { selectBranchesWithResult, selectUnsettledYearEnds, type YearEnd } from './closing-entries.sql.ts';

/** Those of the branches that close their result in the month, have result balances and no closure settings. */
export async function selectMissingClosures(
  sql: Sql,
  companyId: CompanyId,
  branchIds: readonly BranchId[],
  month: Month,
): Promise<BranchId[]> {
  const closing = (await selectUnsettledYearEnds(sql, companyId, branchIds)).filter((yearEnd) =>
    closesIn(yearEnd, monthNumberOf(month)),
  );
  if (closing.length === 0) return [];
  return selectBranchesWithResult(
    sql,
    companyId,
    closing.map(({ branchId }) => branchId),
    month,
  );
}

/** Balance sheets of financial institutions are drawn up on 30 June and 31 December (Lei 4.595/1964, art. 31). */
const HALF_YEAR_ENDS: readonly number[] = [6, 12];

/**
 * A fund closes in the last month of its own year; others in that of their own year, institutions under COSIF every
 * half-year too.
 */
function closesIn({ layout, fiscalYearEndMonth, fundYearEnd }: YearEnd, month: number): boolean {
  if (fundYearEnd !== null) return month === fundYearEnd;
  return month === fiscalYearEndMonth || (layout === 'COSIF' && HALF_YEAR_ENDS.includes(month));
}
