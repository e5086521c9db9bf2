import { brazilianDate, type Day, lastDay, type Month } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import {
  type AccountAmounts,
  type FinancialStatement,
  type FinancialStatementFacts,
  financialStatement,
} from '../../../accounting/statements/financial-statement.ts';
import { placeAccounts } from '../../../accounting/statements/place-accounts.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { readResultMoved } from '../../closing/balances/read-balances.ts';
import type { StatementAccountRow } from '../../master-data/chart/chart.read.sql.ts';
import { masksOfChart } from '../../master-data/chart/masks-of-chart.ts';
import { type StatementRow, selectStatementLines } from '../../master-data/statements/statements.read.sql.ts';
import { chooseDefinition, type DefinitionChoice } from './choose-definition.ts';
import { balancesAt, balancesOf } from './read-balance-sheet.ts';
import { readMonthFacts } from './read-month-balances.ts';
import { choosePeriods, type PeriodSelection, type ShownPeriods } from './shown-periods.ts';
import type { ShownFigures, StatementSource } from './statement-source.ts';

/** A definition, the periods that it is shown for, and where the balances stand. */
export interface PeriodsSelection extends PeriodSelection, DefinitionChoice {
  /** Without it, balances look as if the result of the last month had not been closed. */
  readonly considerClosing: boolean;
}

export interface FinancialStatementSelection extends PeriodsSelection {
  readonly type: 'BP' | 'DRE';
}

export interface StatementOfPeriods extends ShownFigures, ShownPeriods {
  readonly month: Month;
  readonly definition: StatementRow;
  /** The first of the books; what a period brought from before it is in the base balances. */
  readonly baseMonth: Month;
}

export interface PlacedStatement {
  readonly statement: FinancialStatement<StatementAccountRow>;
  /** What it was made of. */
  readonly made: FinancialStatementFacts<StatementAccountRow>;
}

/**
 * A balance sheet or an income statement by its definition, for one period or several side by side. An income statement
 * is what moved without closing entries, so that a year is the sum of its closings however often the branch closes.
 * Rejects months that are not opened, and periods that end before the books begin.
 */
export async function readFinancialStatement(
  source: StatementSource,
  selection: FinancialStatementSelection,
): Promise<StatementOfPeriods & PlacedStatement> {
  const { type, considerClosing } = selection;
  const { facts, ...shown } = await readMonthFacts(source, { ...selection, showZeroBalances: false });
  const { options } = shown.entity;
  const { chartId, baseMonth } = options;
  const definition = await chooseDefinition(source.sql, chartId, type, selection);
  const periods = await choosePeriods(source, selection, options, type === 'BP');
  const columns: AccountAmounts[] = [];
  for (const [at, period] of periods.periods.entries()) {
    if (type === 'BP' && at === 0) columns.push(balancesOf(facts.movements, considerClosing));
    else {
      const summed =
        type === 'DRE'
          ? await readResultMoved(source.sql, source.tenant, period.from, period.to)
          : (await balancesAt(source, period.to, baseMonth, considerClosing))!;
      columns.push(facts.eliminations.eliminateBalances(summed));
    }
  }
  const { statement, made } = await placeOnLines(source.sql, {
    ...{ type, definition, accounts: facts.accounts, columns },
    day: lastDay(selection.month),
  });
  // An income statement leaves closing entries out, wherever they are.
  const isAfterClosing = type === 'BP' ? shown.isAfterClosing : undefined;
  return { ...shown, ...periods, isAfterClosing, definition, baseMonth, statement, made };
}

/**
 * The statement that amounts of accounts make on the lines of a definition: that of the papers, and of the bookkeeping file
 * (ECD). Rejects a definition without lines.
 */
export async function placeOnLines(
  sql: Sql,
  given: {
    readonly type: 'BP' | 'DRE';
    readonly definition: StatementRow;
    /** Up to which it is asked for. */
    readonly day: Day;
    readonly accounts: readonly StatementAccountRow[];
    readonly columns: readonly AccountAmounts[];
  },
): Promise<PlacedStatement> {
  const { type, definition, day, accounts, columns } = given;
  const lines = await selectStatementLines(sql, definition.id);
  if (lines.length === 0) {
    // One that was made and has not got its lines yet.
    reject('STATEMENT_MISSING', { statement: type, day: brazilianDate(day) }, 'definition');
  }
  const placement = placeAccounts(type, lines, accounts, await masksOfChart(sql, definition.chartId));
  const made = { kind: type, lines, accounts, placement, columns };
  return { statement: financialStatement(made), made };
}
