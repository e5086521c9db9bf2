import { brazilianDate, type Day, monthOfDay } from '../../../accounting/period.ts';
import { type Problem, problem, throwIfAny } from '../../../accounting/problem.ts';
import type { Rows, TableRow } from '../../../platform/render/rows.ts';
import { type DayBalances, readDays } from '../../closing/balances/read-balances.ts';
import type { AccountRow } from '../../master-data/chart/chart.read.sql.ts';
import {
  accountsInRange,
  chosenBalances,
  leavesOf,
  readOpenedMonth,
  totalOf,
  withClosingInside,
} from './account-balances.ts';
import { readPrintedAccounts } from './printed-accounts.ts';
import { daysInWords, headValues, readReportingEntity } from './report-head.ts';
import type { DailyTrialBalanceRequest } from './report-request.ts';
import type { ReportContent, ReportSource } from './report-source.ts';
import { accountRow, totalRow } from './table-rows.ts';

/** A block for every day: what each account held the evening before, moved, and holds (COSIF manual 1.1). */
export async function dailyTrialBalance(
  source: ReportSource,
  request: DailyTrialBalanceRequest,
): Promise<ReportContent> {
  throwIfAny(daysProblems(request));
  const entity = await readReportingEntity(source, monthOfDay(request.from));
  await readOpenedMonth(source, monthOfDay(request.from), 'dataInicio');
  const chart = await readPrintedAccounts(source, entity);
  const accounts = await accountsInRange(source.sql, entity.options.chartId, chart, request);
  const days = await readDays(source.sql, source.tenant, request.from, request.to);
  return {
    values: headValues(entity, daysInWords(request.from, request.to), source.now),
    rows: blocks(days, accounts, request),
  };
}

async function* blocks(
  days: readonly DayBalances[],
  accounts: readonly AccountRow[],
  request: DailyTrialBalanceRequest,
): Rows {
  for (const { day, accounts: movements } of days) {
    const inside = new Map(
      [...movements].map(([id, movement]) => [
        id,
        withClosingInside(request.considerClosing ? movement : { ...movement, closing: 0n }),
      ]),
    );
    const title = `Dia ${brazilianDate(day)}`;
    const rows: TableRow[] = [
      { kind: 'section', cells: { text: title }, bookmark: title },
      ...chosenBalances(accounts, inside, request).map((each) => accountRow(each, false)),
      totalRow(totalOf(leavesOf(accounts, inside, request)), `Total do dia ${brazilianDate(day)}`),
    ];
    yield rows;
  }
}

function daysProblems({ from, to }: { from: Day; to: Day }): Problem[] {
  if (from > to) return [problem('INVALID_DATE_RANGE', { from, to }, 'dataInicio')];
  return monthOfDay(from) === monthOfDay(to) ? [] : [problem('PERIOD_OVER_A_MONTH', {}, 'dataFim')];
}
