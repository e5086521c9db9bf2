import type { Month } from '../../accounting/period.ts';
import type { Transaction } from '../../platform/sql.ts';
import type { BranchKey } from '../balances/balances.read.sql.ts';

/** Clears the result accounts in a closing month. */
export async function closeResults(
  _sql: Transaction,
  _branch: BranchKey,
  _chartId: number,
  _month: Month,
): Promise<number> {
  return 0;
}
