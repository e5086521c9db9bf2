import { addMonths, type Month } from '../../../accounting/period.ts';
import { throwIfAny } from '../../../accounting/problem.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { BranchKey } from '../../access/access.ts';
import { type AuditContext, recordAudit } from '../../access/audit.sql.ts';
import { recordEvents } from '../../operations/events/record-events.sql.ts';
import { lockMonthExclusive, lockMonthShared, requireOpen } from '../../posting/months/months.sql.ts';
import { selectBaseline } from '../balances/balances.read.sql.ts';
import { closeConditions } from '../checklist/close-conditions.ts';
import { compareQuotasWithBalances } from '../quotas/quotas.sql.ts';
import { insertBalances, markClosed } from './month-close.sql.ts';
import type { MonthCloseProgress, MonthCloseSummary } from './month-close-summary.ts';
import { postClosingEntries } from './post-closing-entries.ts';

/**
 * Computes and closes the balances of one month of one branch, closing entries included, all in the caller's
 * transaction (domain: closing a month, 3). Locks the month FOR UPDATE, so that no entry is posted in it while or after
 * it is closed, and the previous month, so that it is not reopened while this one is computed from it.
 */
export async function closeMonth(
  sql: Transaction,
  context: AuditContext,
  branch: BranchKey,
  month: Month,
  tell: (progress: MonthCloseProgress) => void = () => {},
): Promise<MonthCloseSummary> {
  const previous = addMonths(month, -1);
  await lockMonthShared(sql, { ...branch, month: previous });
  requireOpen(await lockMonthExclusive(sql, { ...branch, month }), month);
  const baseline = await selectBaseline(sql, branch, month);
  if (!baseline) throw new Error(`month ${month} is open in a branch without options`);
  const checked = await closeConditions(sql, branch, month, baseline, (linesRead) =>
    tell({ percent: 30, linesRead, accountsWritten: 0 }),
  );
  throwIfAny(checked.problems);
  const closingEntries = await postClosingEntries(sql, branch, baseline.chartId, month, context.caller.username);
  tell({ percent: 50, linesRead: checked.lines, accountsWritten: 0 });
  const { lines, accounts, difference, debits } = await insertBalances(
    sql,
    branch,
    month,
    month === baseline.baseMonth,
  );
  if (!/^-?0(\.0+)?$/.test(difference)) throw new Error(`balanced entries of ${month} differ by ${difference}`);
  tell({ percent: 95, linesRead: lines, accountsWritten: accounts });
  const entries = checked.entries + closingEntries;
  await markClosed(sql, branch, month, { closedBy: context.caller.username, entries, debits });
  await compareQuotasWithBalances(sql, branch, month);
  await recordAudit(sql, context, {
    action: 'CONSOLIDATE',
    entity: 'month',
    entityId: month,
    ...branch,
    after: { lines, accounts, closingEntries },
  });
  recordEvents(sql, [{ type: 'month.closed', ...branch, data: { month, lines, closingEntries } }]);
  return { lines, accounts, closingEntries, ...(checked.warning ? { warning: checked.warning } : {}) };
}
