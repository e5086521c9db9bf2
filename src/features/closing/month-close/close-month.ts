import { addMonths, type Month } from '../../../accounting/period.ts';
import { throwIfAny } from '../../../accounting/problem.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { BranchKey } from '../../access/access.ts';
import { type AuditContext, recordAudit } from '../../access/audit.sql.ts';
import { recordEvents } from '../../operations/events/record-events.sql.ts';
import { lockMonthExclusive, lockMonthShared, type MonthKey, requireOpen } from '../../posting/months/months.sql.ts';
import { selectBaseline } from '../balances/balances.read.sql.ts';
import { closeConditions } from '../checklist/close-conditions.ts';
import { markClosedAgain } from '../quotas/daily-quotas.sql.ts';
import { compareQuotasWithBalances } from '../quotas/quotas.sql.ts';
import type { LeafHasher, MonthHashing } from '../seals/leaf-hasher.ts';
import { type MonthRoots, uncommittedLeaves } from '../seals/month-roots.ts';
import { selectClosingLines, selectSealedBalances } from '../seals/seal-leaves.read.sql.ts';
import { type Sealer, sealMonth } from '../seals/seal-month.ts';
import { insertBalances, markClosed } from './month-close.sql.ts';
import type { MonthCloseProgress, MonthCloseSummary } from './month-close-summary.ts';
import { postClosingEntries } from './post-closing-entries.ts';

/** What seals the month. */
export interface Sealing extends Sealer {
  readonly hasher: LeafHasher;
}

/**
 * Computes and closes the balances of one month of one branch, closing entries included, and seals it, all in the caller's
 * transaction (domain: closing a month, 3). Locks the month FOR UPDATE, so that no entry is posted in it while or after
 * it is closed, and the previous month, so that it is not reopened while this one is computed from it. Its lines are hashed
 * meanwhile.
 */
export async function closeMonth(
  sql: Transaction,
  context: AuditContext,
  branch: BranchKey,
  month: Month,
  sealing: Sealing,
  tell: (progress: MonthCloseProgress) => void = () => {},
): Promise<MonthCloseSummary> {
  // Where nothing can sign, nothing is begun.
  await sealing.keys.current();
  const previous = addMonths(month, -1);
  await lockMonthShared(sql, { ...branch, month: previous });
  requireOpen(await lockMonthExclusive(sql, { ...branch, month }), month);
  const hashing = sealing.hasher.begin({ ...branch, month, archived: false });
  try {
    return await closeLocked(sql, context, branch, month, { ...sealing, hashing }, tell);
  } finally {
    hashing.abandon();
  }
}

async function closeLocked(
  sql: Transaction,
  context: AuditContext,
  branch: BranchKey,
  month: Month,
  sealing: Sealing & { readonly hashing: MonthHashing },
  tell: (progress: MonthCloseProgress) => void,
): Promise<MonthCloseSummary> {
  const baseline = await selectBaseline(sql, branch, month);
  if (!baseline) throw new Error(`month ${month} is open in a branch without options`);
  const checked = await closeConditions(sql, branch, month, baseline, (linesRead) =>
    tell({ percent: 30, linesRead, accountsWritten: 0 }),
  );
  throwIfAny(checked.problems);
  const { chartId } = baseline;
  const closingEntries = await postClosingEntries(sql, branch, chartId, month, context.caller.username);
  tell({ percent: 50, linesRead: checked.lines, accountsWritten: 0 });
  const isFirst = month === baseline.baseMonth;
  const { lines, accounts, difference, debits } = await insertBalances(sql, branch, month, isFirst);
  if (!/^-?0(\.0+)?$/.test(difference)) throw new Error(`balanced entries of ${month} differ by ${difference}`);
  tell({ percent: 95, linesRead: lines, accountsWritten: accounts });
  const roots = await finishHashing(sql, { ...branch, month }, sealing.hashing, closingEntries > 0);
  const entries = checked.entries + closingEntries;
  await markClosed(sql, branch, month, { closedBy: context.caller.username, entries, debits });
  await compareQuotasWithBalances(sql, branch, month);
  await markClosedAgain(sql, branch, month);
  if ((await roots()).lines !== lines) throw new Error(`of ${lines} lines of ${month} not all were hashed`);
  recordEvents(sql, [{ type: 'month.closed', ...branch, data: { month, lines, closingEntries } }]);
  const seal = await sealMonth(sql, branch, month, await roots(), sealing);
  await recordAudit(sql, context, {
    action: 'CONSOLIDATE',
    entity: 'month',
    entityId: month,
    ...branch,
    after: { lines, accounts, closingEntries, seal },
  });
  return { lines, accounts, closingEntries, ...(checked.warning ? { warning: checked.warning } : {}) };
}

/** Gives the thread what the close has written; what is returned waits for its roots. */
async function finishHashing(
  sql: Transaction,
  month: MonthKey,
  hashing: MonthHashing,
  hasClosing: boolean,
): Promise<() => Promise<MonthRoots>> {
  const closing = hasClosing ? await selectClosingLines(sql, month) : [];
  const balances = await selectSealedBalances(sql, month);
  const roots = hashing.finish(uncommittedLeaves(month.month, closing, balances));
  roots.catch(() => {});
  return () => roots;
}
