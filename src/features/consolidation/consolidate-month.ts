import { addMonths, type Month, slashOf } from '../../accounting/period.ts';
import { refuse } from '../../accounting/problem.ts';
import type { Context } from '../../platform/context.ts';
import type { Transaction } from '../../platform/sql.ts';
import { recordAudit } from '../access/audit.sql.ts';
import { type BranchKey, selectAnchor } from '../balances/balances.read.sql.ts';
import { lockMonthAlone, requireOpen } from '../months/months.sql.ts';
import { closeResults } from './close-results.ts';
import { insertBalances, markConsolidated, selectUnbalancedEntry } from './consolidation.sql.ts';

export interface Consolidated {
  readonly lines: number;
  readonly accounts: number;
  readonly closingEntries: number;
}

/**
 * Computes and freezes the balances of one month of one branch, closing entries included, all in the caller's
 * transaction (domain: balances, 1). Holds the month alone: no entry lands in it while or after it is frozen.
 */
export async function consolidateMonth(
  sql: Transaction,
  context: Pick<Context, 'caller' | 'address'>,
  branch: BranchKey,
  month: Month,
): Promise<Consolidated> {
  requireOpen(await lockMonthAlone(sql, { ...branch, month }), month);
  const anchor =
    (await selectAnchor(sql, branch, month)) ?? refuse('CHART_NOT_CONFIGURED', { company: '', branch: '' });
  const isFirst = month === anchor.baseMonth;
  const previous = addMonths(month, -1);
  if (!isFirst && anchor.consolidated !== previous) refuse('PREVIOUS_MONTH_OPEN', { month: slashOf(previous) });
  const closingEntries = await closeResults(sql, branch, anchor.chartId, month, isFirst);
  const { lines, accounts, difference } = await insertBalances(sql, branch, month, isFirst);
  if (!/^-?0(\.0+)?$/.test(difference)) {
    const entry = await selectUnbalancedEntry(sql, branch, month);
    refuse('UNBALANCED_ENTRY', {
      entry: entry?.number ?? '',
      debits: entry?.debits ?? difference,
      credits: entry?.credits ?? '',
    });
  }
  await markConsolidated(sql, branch, month);
  await recordAudit(sql, context, {
    action: 'CONSOLIDATE',
    entity: 'month',
    entityId: month,
    ...branch,
    after: { lines, accounts, closingEntries },
  });
  return { lines, accounts, closingEntries };
}
