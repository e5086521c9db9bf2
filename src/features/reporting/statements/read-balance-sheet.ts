import { balanceOf, type Movement, withoutClosing } from '../../../accounting/balance.ts';
import { addMonths, type Month } from '../../../accounting/period.ts';
import { type BalanceSheet, type Balances, balanceSheet } from '../../../accounting/statements/balance-sheet.ts';
import { previousYearEnd } from '../../../accounting/statements/statement-period.ts';
import { readJoiningBalances } from '../../closing/balances/institution-baseline.ts';
import { readMonth } from '../../closing/balances/read-balances.ts';
import type { StatementAccountRow } from '../../master-data/chart/chart.read.sql.ts';
import { isOfBranches } from '../../master-data/companies/institution.ts';
import { type MonthSelection, readMonthFacts } from './read-month-balances.ts';
import { readFundYearEnd } from './read-quota.ts';
import type { MonthStatement, StatementSource } from './statement-source.ts';

export type Comparative = 'PREVIOUS_MONTH' | 'PREVIOUS_YEAR_END' | 'NONE';

export interface SheetSelection extends MonthSelection {
  readonly comparative: Comparative;
}

export interface BalanceSheetStatement extends MonthStatement {
  readonly sheet: BalanceSheet<StatementAccountRow>;
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
  const yearEnd = (await readFundYearEnd(source)) ?? options.fiscalYearEndMonth;
  const compared = comparedMonth(selection, yearEnd);
  const { considerClosing } = selection;
  const current = balancesOf(facts.movements, considerClosing);
  const summed =
    compared === undefined ? undefined : await balancesAt(source, compared, options.baseMonth, considerClosing);
  const previous = summed && facts.eliminations.eliminateBalances(summed);
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
  const next = addMonths(month, 1);
  if (next < baseMonth) return undefined;
  const known =
    month < baseMonth ? new Map() : balancesOf((await readMonth(sql, tenant, month)).accounts, considerClosing);
  // A branch whose books begin with the next month holds its base balances already.
  if (isOfBranches(tenant)) return addBalances(known, await readJoiningBalances(sql, tenant, month, next));
  if (month >= baseMonth) return known;
  const { accounts } = await readMonth(sql, tenant, baseMonth);
  return new Map([...accounts].map(([id, { opening }]) => [id, opening]));
}

function addBalances(known: Balances, more: Balances): Balances {
  const sums = new Map(known);
  for (const [id, balance] of more) sums.set(id, (sums.get(id) ?? 0n) + balance);
  return sums;
}
