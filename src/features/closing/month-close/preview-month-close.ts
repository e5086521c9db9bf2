import type { AccountId } from '../../../accounting/ids.ts';
import type { Centavos } from '../../../accounting/money.ts';
import { type Month, slashOf } from '../../../accounting/period.ts';
import { monthProblem } from '../../../accounting/posting.ts';
import { BusinessError, type Problem, problem } from '../../../accounting/problem.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { selectPostingAccounts } from '../../posting/entries/entries.sql.ts';
import { baselineOf } from '../balances/read-balances.ts';
import { closeConditions } from '../checklist/close-conditions.ts';
import { type Checklist, readChecklist } from '../checklist/read-checklist.ts';
import { isBatchTaken, type OpenAccount, selectBalancesToClose } from './closing-entries.sql.ts';
import { type ClosingDecision, decideClosingEntries, unpostableProblems } from './decide-closing-entries.ts';

/** What a month close would do now. */
export interface MonthClosePreview {
  readonly lines: number;
  /** Why it would be rejected, as it would say; empty: it would close the month. */
  readonly problems: readonly Problem[];
  readonly warning: Problem | undefined;
  /** Result accounts with a balance, before closing. */
  readonly result: readonly OpenAccount[];
  /** Their sum, debit-positive: a profit is negative. */
  readonly netResult: Centavos;
  /** Undefined: no closing entries in this month. */
  readonly closing: ClosingDecision | undefined;
  /** Code and name of the accounts that closing entries touch. */
  readonly accounts: ReadonlyMap<AccountId, { readonly code: string }>;
  readonly checklist: Checklist;
}

/** What the close of an open month would do, decided by the code of the close itself; nothing is written or locked. */
export async function previewMonthClose(sql: Sql, tenant: Tenant, month: Month): Promise<MonthClosePreview> {
  const baseline = await baselineOf(sql, tenant, month);
  const shut = monthProblem(baseline.state ?? 'NOT_OPENED', month, 'month');
  if (shut) throw new BusinessError(shut);
  const { lines, problems, warning } = await closeConditions(sql, tenant, month, baseline);
  const result = (await selectBalancesToClose(sql, tenant, month)).filter((each) => each.accountClass === '04');
  const closing = await decideClosingEntries(sql, tenant, baseline.chartId, month);
  const touched = closing?.entries.flatMap((entry) => entry.lines.map((line) => line.accountId)) ?? [];
  const accounts = await selectPostingAccounts(sql, baseline.chartId, [...new Set(touched)]);
  return {
    lines,
    problems: [...problems, ...(closing ? await problemsOfClosing(sql, tenant, month, closing) : [])],
    warning,
    result,
    netResult: result.reduce((sum, { balance }) => sum + balance, 0n),
    closing,
    accounts: new Map(accounts.map((account) => [account.id, account])),
    checklist: await readChecklist(sql, tenant, month),
  };
}

async function problemsOfClosing(sql: Sql, tenant: Tenant, month: Month, closing: ClosingDecision): Promise<Problem[]> {
  const { batchNumber } = closing;
  const isTaken = await isBatchTaken(sql, tenant, month, batchNumber);
  return [
    ...(await unpostableProblems(sql, tenant, month, closing, selectPostingAccounts)),
    ...(isTaken ? [problem('CLOSING_BATCH_TAKEN', { batch: batchNumber, month: slashOf(month) })] : []),
  ];
}
