import { balanceOf, type Movement, withoutClosing } from '../../../accounting/balance.ts';
import { addMonths, type Month } from '../../../accounting/period.ts';
import { type BalanceSheet, type Balances, balanceSheet } from '../../../accounting/statements/balance-sheet.ts';
import { previousYearEnd } from '../../../accounting/statements/statement-period.ts';
import { readMonth } from '../../closing/balances/read-balances.ts';
import type { AccountRow } from '../../master-data/chart/chart.read.sql.ts';
import { selectFundYearEnd } from './fund.read.sql.ts';
import { type MonthSelection, readMonthFacts } from './read-month-balances.ts';
import type { MonthStatement, StatementSource } from './statement-source.ts';

export type Comparative = 'PREVIOUS_MONTH' | 'PREVIOUS_YEAR_END' | 'NONE';

export interface SheetSelection extends MonthSelection {
  readonly comparative: Comparative;
}

export interface BalanceSheetStatement extends MonthStatement {
  readonly sheet: BalanceSheet<AccountRow>;
  /** The month of the second column, which is missing where its balances are not known. */
  readonly compared: Month | undefined;
}

/** The balance sheet of a month beside an earlier one. Rejects a month that is not opened. */
export async function readBalanceSheet(
  source: StatementSource,
  selection: SheetSelection,
): Promise<BalanceSheetStatement> {
  const { facts, ...statement } = await readMonthFacts(source, selection);
  const { options } = statement.entity;
  const yearEnd = (await selectFundYearEnd(source.sql, source.tenant)) ?? options.fiscalYearEndMonth;
  const compared = comparedMonth(selection, yearEnd);
  const { considerClosing } = selection;
  const current = balancesOf(facts.movements, considerClosing);
  const previous =
    compared === undefined ? undefined : await balancesAt(source, compared, options.baseMonth, considerClosing);
  return { ...statement, compared, sheet: balanceSheet({ ...facts, current, previous }, selection, facts.isWhole) };
}

export function balancesOf(movements: ReadonlyMap<number, Movement>, considerClosing: boolean): Balances {
  return new Map(
    [...movements].map(([id, movement]) => [id, balanceOf(considerClosing ? movement : withoutClosing(movement))]),
  );
}

function comparedMonth({ comparative, month }: SheetSelection, fiscalYearEnd: number): Month | undefined {
  if (comparative === 'NONE') return undefined;
  return comparative === 'PREVIOUS_MONTH' ? addMonths(month, -1) : previousYearEnd(month, fiscalYearEnd);
}

/** Balances at the end of a month; those before the base month are the base balances, earlier ones are unknown. */
export async function balancesAt(
  { sql, tenant }: StatementSource,
  month: Month,
  baseMonth: Month,
  considerClosing: boolean,
): Promise<Balances | undefined> {
  if (month >= baseMonth) return balancesOf((await readMonth(sql, tenant, month)).accounts, considerClosing);
  if (addMonths(month, 1) !== baseMonth) return undefined;
  const { accounts } = await readMonth(sql, tenant, baseMonth);
  return new Map([...accounts].map(([id, { opening }]) => [id, opening]));
}
