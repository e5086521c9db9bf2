import { codeSortKey, isAccountCode, prefixMatches } from '../../accounting/account-code.ts';
import { addMovements, type Movement, NO_MOVEMENT } from '../../accounting/balance.ts';
import { type Month, slashOf } from '../../accounting/period.ts';
import { type Problem, problem, refuse, refuseIfAny } from '../../accounting/problem.ts';
import { type MonthBalances, readMonth } from '../balances/read-balances.ts';
import type { AccountRow } from '../chart/chart.read.sql.ts';
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
  if (balances.anchor.state === null) refuse('MONTH_NOT_OPEN', { month: slashOf(month) }, field);
  return balances;
}

/** The accounts chosen, in the order of the chart. */
export function chosenBalances(
  accounts: readonly AccountRow[],
  movements: ReadonlyMap<number, Movement>,
  selection: BalanceSelection,
): AccountBalance[] {
  const isInRange = rangeOf(selection);
  return accounts
    .filter((account) => account.level <= (selection.level ?? Number.POSITIVE_INFINITY) && isInRange(account.code))
    .map((account) => ({ account, movement: shownMovement(movements.get(account.id) ?? NO_MOVEMENT, selection) }))
    .filter(({ movement }) => selection.showZeroBalances || !isNothing(movement));
}

export function totalOf(balances: readonly AccountBalance[]): Movement {
  return balances.map(({ movement }) => movement).reduce(addMovements, NO_MOVEMENT);
}

/** The analytic accounts of the range, whatever level is printed: what totals are made of. */
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

/** Reasons why the choice makes no sense. */
export function selectionProblems({ accountFrom: from, accountTo: to }: BalanceSelection): Problem[] {
  const problems = [
    ...(from !== undefined && !isAccountCode(from)
      ? [problem('INVALID_ACCOUNT_CODE', { account: from }, 'accountFrom')]
      : []),
    ...(to !== undefined && !isAccountCode(to) ? [problem('INVALID_ACCOUNT_CODE', { account: to }, 'accountTo')] : []),
  ];
  if (problems.length > 0 || from === undefined || to === undefined) return problems;
  const isReversed = codeSortKey(from) > codeSortKey(to) && !prefixMatches(to, from);
  return isReversed ? [problem('ACCOUNT_RANGE_REVERSED', { from, to }, 'accountFrom')] : [];
}

/** From the first account to the last with all below it. */
export function rangeOf(selection: Pick<BalanceSelection, 'accountFrom' | 'accountTo'>): (code: string) => boolean {
  refuseIfAny(selectionProblems(selection as BalanceSelection));
  const { accountFrom, accountTo } = selection;
  if (accountFrom === undefined && accountTo === undefined) return () => true;
  const first = accountFrom === undefined ? '' : codeSortKey(accountFrom);
  const last = accountTo === undefined ? undefined : codeSortKey(accountTo);
  return (code) => {
    const key = codeSortKey(code);
    return key >= first && (last === undefined || key <= last || prefixMatches(accountTo!, code));
  };
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
