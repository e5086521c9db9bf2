import { isMovedByClosing } from '../../../accounting/balance.ts';
import type { AccountId } from '../../../accounting/ids.ts';
import { addMonths, type Month, monthRange } from '../../../accounting/period.ts';
import { type MonthlyFigure, type MonthlyRow, monthlyColumns } from '../../../accounting/statements/monthly-columns.ts';
import { baselineOf, type MonthBalances, readMonth } from '../../closing/balances/read-balances.ts';
import type { StatementAccountRow } from '../../master-data/chart/chart.read.sql.ts';
import { findAccounts, readAccounts } from './read-accounts.ts';
import { requireOpened } from './read-month-balances.ts';
import { readReportingEntity } from './reporting-entity.ts';
import type { BalanceSelection, ShownFigures, StatementSource } from './statement-source.ts';

/** Most months side by side. */
export const MOST_MONTHS = 12;

export interface MonthlySelection extends BalanceSelection {
  /** The last month, and how many there are; undefined: as many as the books have, up to `mostMonths`. */
  readonly month: Month;
  readonly months: number | undefined;
  /** undefined: a year. */
  readonly mostMonths: number | undefined;
  /** These alone, posting or summary accounts; none: all. */
  readonly accounts: readonly (AccountId | string)[];
  readonly figure: MonthlyFigure;
}

export interface MonthlyStatement extends ShownFigures {
  readonly months: readonly Month[];
  readonly rows: readonly MonthlyRow<StatementAccountRow>[];
}

/** Accounts with their months side by side, named as the last month names them. Rejects a month that is not opened. */
export async function readMonthlyColumns(
  source: StatementSource,
  selection: MonthlySelection,
): Promise<MonthlyStatement> {
  const { month, figure, accounts: picked, considerClosing } = selection;
  const entity = await readReportingEntity(source, month);
  const months = await monthsOf(source, selection);
  const read: MonthBalances[] = [];
  for (const each of months) read.push(await readMonth(source.sql, source.tenant, each));
  const states = read.map(({ baseline }, at) => requireOpened(baseline, months[at]!, 'month'));
  const { accounts, eliminations } = await readAccounts(source, entity, selection);
  const movements = read.map(({ accounts: summed }) => eliminations.eliminate(summed));
  const chosen = findAccounts(accounts, picked, 'accounts');
  return {
    entity,
    months,
    state: states.includes('OPEN') ? 'OPEN' : 'CLOSED',
    residues: eliminations.residuesIn(movements.at(-1)!),
    isAfterClosing: considerClosing && read.some((each) => each.accounts.values().some(isMovedByClosing)),
    rows: monthlyColumns(
      picked.length === 0 ? accounts : accounts.filter(({ id }) => chosen.has(id)),
      movements,
      figure,
      selection,
    ),
  };
}

async function monthsOf(
  { sql, tenant }: StatementSource,
  { month, months, mostMonths = MOST_MONTHS }: MonthlySelection,
): Promise<Month[]> {
  if (months !== undefined) return monthRange(addMonths(month, 1 - months), month);
  const { baseMonth } = await baselineOf(sql, tenant, month);
  return monthRange(addMonths(month, 1 - mostMonths), month).filter((each) => each >= baseMonth);
}
