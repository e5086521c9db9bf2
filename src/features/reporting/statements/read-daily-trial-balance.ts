import { isMovedByClosing } from '../../../accounting/balance.ts';
import { type Day, monthOfDay } from '../../../accounting/period.ts';
import { type Problem, problem, throwIfAny } from '../../../accounting/problem.ts';
import { type TrialBalance, trialBalance } from '../../../accounting/statements/trial-balance.ts';
import { baselineOf, type DayBalances, readDays } from '../../closing/balances/read-balances.ts';
import type { StatementAccountRow } from '../../master-data/chart/chart.read.sql.ts';
import { readAccounts, type StatementAccounts } from './read-accounts.ts';
import { requireOpened } from './read-month-balances.ts';
import { readReportingEntity } from './reporting-entity.ts';
import type { BalanceSelection, MonthStatement, StatementSource } from './statement-source.ts';

export interface DaysSelection extends BalanceSelection {
  readonly from: Day;
  readonly to: Day;
}

export interface DailyTrialBalance extends MonthStatement {
  /** Each is made when it is requested. */
  readonly days: Iterable<{ readonly day: Day; readonly balance: TrialBalance<StatementAccountRow> }>;
}

/**
 * The trial balance of every day: what each account held the evening before, moved, and holds (COSIF manual 1.1).
 * Rejects days of several months, and a month that is not opened.
 */
export async function readDailyTrialBalance(
  source: StatementSource,
  selection: DaysSelection,
): Promise<DailyTrialBalance> {
  throwIfAny(daysProblems(selection));
  const { from, to } = selection;
  const month = monthOfDay(from);
  const entity = await readReportingEntity(source, month);
  const state = requireOpened(await baselineOf(source.sql, source.tenant, month), month, 'from');
  const accounts = await readAccounts(source, entity, selection);
  const { eliminations } = accounts;
  const days = await readDays(source.sql, source.tenant, from, to);
  const residues = eliminations.residuesIn(eliminations.eliminate(days.at(-1)!.accounts));
  const isAfterClosing =
    selection.considerClosing && days.some(({ accounts: moved }) => moved.values().some(isMovedByClosing));
  return { entity, month, state, isAfterClosing, residues, days: balancesOf(days, accounts, selection) };
}

function* balancesOf(days: readonly DayBalances[], accounts: StatementAccounts, selection: BalanceSelection) {
  for (const { day, accounts: summed } of days) {
    const movements = accounts.eliminations.eliminate(summed);
    yield { day, balance: trialBalance({ ...accounts, movements }, selection, 'MERGED') };
  }
}

function daysProblems({ from, to }: { from: Day; to: Day }): Problem[] {
  if (from > to) return [problem('INVALID_DATE_RANGE', { from, to }, 'from')];
  return monthOfDay(from) === monthOfDay(to) ? [] : [problem('PERIOD_OVER_A_MONTH', {}, 'to')];
}
