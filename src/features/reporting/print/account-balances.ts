import { type AccountMask, codeSortKey, isAccountCode, prefixMatches } from '../../../accounting/account-code.ts';
import { addMovements, type Movement, NO_MOVEMENT } from '../../../accounting/balance.ts';
import { type Month, slashOf } from '../../../accounting/period.ts';
import { type Problem, problem, reject, throwIfAny } from '../../../accounting/problem.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type MonthBalances, readMonth } from '../../closing/balances/read-balances.ts';
import type { AccountRow } from '../../master-data/chart/chart.read.sql.ts';
import { masksOfChart } from '../../master-data/chart/masks-of-chart.ts';
import type { BalanceSelection } from './report-request.ts';
import type { ReportSource } from './report-source.ts';

/** An account as a balance report prints it. */
export interface AccountBalance {
  readonly account: AccountRow;
  readonly movement: Movement;
}

/** Balances of a month that was opened; `field` is the wire name of the input that named it. */
export async function readOpenedMonth(
  { sql, tenant }: ReportSource,
  month: Month,
  field: string,
): Promise<MonthBalances> {
  const balances = await readMonth(sql, tenant, month);
  if (balances.baseline.state === null) reject('MONTH_NOT_OPEN', { month: slashOf(month) }, field);
  return balances;
}

/** What is printed of these accounts, in the order of the chart. */
export function chosenBalances(
  accounts: readonly AccountRow[],
  movements: ReadonlyMap<number, Movement>,
  selection: BalanceSelection,
): AccountBalance[] {
  return accounts
    .filter((account) => account.level <= (selection.level ?? Number.POSITIVE_INFINITY))
    .map((account) => ({ account, movement: shownMovement(movements.get(account.id) ?? NO_MOVEMENT, selection) }))
    .filter(({ movement }) => selection.showZeroBalances || !isNothing(movement));
}

export function totalOf(balances: readonly AccountBalance[]): Movement {
  return balances.map(({ movement }) => movement).reduce(addMovements, NO_MOVEMENT);
}

/** The posting accounts among the accounts, whatever level is printed: what totals are made of. */
export function leavesOf(
  accounts: readonly AccountRow[],
  movements: ReadonlyMap<number, Movement>,
  selection: BalanceSelection,
): AccountBalance[] {
  return chosenBalances(
    accounts.filter((account) => account.type === 'A'),
    movements,
    { ...selection, level: undefined, showZeroBalances: false },
  );
}

type AccountRange = Pick<BalanceSelection, 'accountFrom' | 'accountTo'>;

/**
 * The accounts from the first to the last with all below it, their codes read by the masks of their chart. Refuses a
 * range that makes no sense.
 */
export async function accountsInRange(
  sql: Sql,
  chartId: number,
  accounts: readonly AccountRow[],
  range: AccountRange,
): Promise<readonly AccountRow[]> {
  const { accountFrom, accountTo } = range;
  if (accountFrom === undefined && accountTo === undefined) return accounts;
  const masks = await masksOfChart(sql, chartId);
  throwIfAny(rangeProblems(range, masks));
  const first = accountFrom === undefined ? '' : codeSortKey(accountFrom, masks);
  const last = accountTo === undefined ? undefined : codeSortKey(accountTo, masks);
  return accounts.filter(({ code }) => {
    const key = codeSortKey(code, masks);
    return key >= first && (last === undefined || key <= last || prefixMatches(accountTo!, code, masks));
  });
}

function rangeProblems({ accountFrom: from, accountTo: to }: AccountRange, masks: readonly AccountMask[]): Problem[] {
  const problems = [
    ...(from !== undefined && !isAccountCode(from)
      ? [problem('INVALID_ACCOUNT_CODE', { account: from }, 'accountFrom')]
      : []),
    ...(to !== undefined && !isAccountCode(to) ? [problem('INVALID_ACCOUNT_CODE', { account: to }, 'accountTo')] : []),
  ];
  if (problems.length > 0 || from === undefined || to === undefined) return problems;
  const isReversed = codeSortKey(from, masks) > codeSortKey(to, masks) && !prefixMatches(to, from, masks);
  return isReversed ? [problem('ACCOUNT_RANGE_REVERSED', { from, to }, 'accountFrom')] : [];
}

/**
 * The same with the closing inside the debits or credits: for reports without a column of its own, whose lines must add
 * up all the same.
 */
export function withClosingInside({ opening, debit, credit, closing }: Movement): Movement {
  return closing > 0n
    ? { opening, debit: debit + closing, credit, closing: 0n }
    : { opening, debit, credit: credit - closing, closing: 0n };
}

function shownMovement(movement: Movement, { considerClosing }: BalanceSelection): Movement {
  return considerClosing ? movement : { ...movement, closing: 0n };
}

function isNothing({ opening, debit, credit, closing }: Movement): boolean {
  return opening === 0n && debit === 0n && credit === 0n && closing === 0n;
}
