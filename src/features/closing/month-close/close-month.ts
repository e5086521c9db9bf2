import { addMonths, type Month, slashOf } from '../../../accounting/period.ts';
import { BusinessError, problem, reject, throwIfAny } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { BranchKey } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { lockMonthExclusive, lockMonthShared, requireOpen } from '../../posting/months/months.sql.ts';
import { selectBaseline } from '../balances/balances.read.sql.ts';
import { compareQuotasWithBalances } from '../quotas/quotas.sql.ts';
import { missingClosure } from './missing-closure.ts';
import { checkEntries, insertBalances, markClosed } from './month-close.sql.ts';
import type { MonthCloseProgress, MonthCloseSummary } from './month-close-summary.ts';
import { closeResults } from './post-closing-entries.ts';

/** Maximum number of unbalanced entries that a rejection names. */
const MAX_NAMED = 5;

/**
 * Computes and closes the balances of one month of one branch, closing entries included, all in the caller's
 * transaction (domain: closing a month, 3). Locks the month FOR UPDATE, so that no entry is posted in it while or after
 * it is closed, and the previous month, so that it is not reopened while this one is computed from it.
 */
export async function closeMonth(
  sql: Transaction,
  context: Pick<Context, 'caller' | 'address'>,
  branch: BranchKey,
  month: Month,
  tell: (progress: MonthCloseProgress) => void = () => {},
): Promise<MonthCloseSummary> {
  const previous = addMonths(month, -1);
  await lockMonthShared(sql, { ...branch, month: previous });
  requireOpen(await lockMonthExclusive(sql, { ...branch, month }), month);
  const baseline = await selectBaseline(sql, branch, month);
  if (!baseline) throw new Error(`month ${month} is open in a branch without options`);
  const isFirst = month === baseline.baseMonth;
  if (!isFirst && baseline.closed !== previous) reject('PREVIOUS_MONTH_OPEN', { month: slashOf(previous) });
  const checked = await checkEntries(sql, branch, month, MAX_NAMED);
  throwIfAny(
    checked.unbalanced.map(({ batch, document, entry, ...sums }) =>
      problem('UNBALANCED_ENTRY', { entry: `${entry} (${batch}/${document})`, ...sums }),
    ),
  );
  tell({ percent: 30, linesRead: checked.lines, accountsWritten: 0 });
  const missing = await missingClosure(sql, branch, month);
  if (missing?.isRefused) throw new BusinessError(missing.problem);
  const closingEntries = await closeResults(sql, branch, baseline.chartId, month, isFirst, context.caller.username);
  tell({ percent: 50, linesRead: checked.lines, accountsWritten: 0 });
  const { lines, accounts, difference } = await insertBalances(sql, branch, month, isFirst);
  if (!/^-?0(\.0+)?$/.test(difference)) throw new Error(`balanced entries of ${month} differ by ${difference}`);
  tell({ percent: 95, linesRead: lines, accountsWritten: accounts });
  await markClosed(sql, branch, month);
  await compareQuotasWithBalances(sql, branch, month);
  await recordAudit(sql, context, {
    action: 'CONSOLIDATE',
    entity: 'month',
    entityId: month,
    ...branch,
    after: { lines, accounts, closingEntries },
  });
  return { lines, accounts, closingEntries, ...(missing ? { warning: missing.problem } : {}) };
}
