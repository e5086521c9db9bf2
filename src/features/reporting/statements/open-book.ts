import type { AccountId } from '../../../accounting/ids.ts';
import { type Day, lastDay, type Month, monthOfDay, monthRange } from '../../../accounting/period.ts';
import { reject, throwIfAny } from '../../../accounting/problem.ts';
import { type StatementAccountRow, selectStatementAccounts } from '../../master-data/chart/chart.read.sql.ts';
import { archivedProblem, readMonthStates, unopenedProblem } from './month-states.ts';
import { readPrintedNames } from './printed-accounts.ts';
import { readReportingEntity } from './reporting-entity.ts';
import type { ShownFigures, StatementSource } from './statement-source.ts';

/** What every statement of lines needs beside the lines. */
export interface Book extends Pick<ShownFigures, 'entity' | 'state'> {
  /** Whether closing entries lie in the period. */
  readonly hasClosing: boolean;
  /** In the order of the chart. */
  readonly accounts: readonly StatementAccountRow[];
  /** The account of a line of that day, named as the day's month prints it. */
  readonly accountOf: (id: AccountId, day: Day) => StatementAccountRow | undefined;
}

/** Rejects periods that the branch has not opened whole, and those whose lines were archived. */
export async function openBook(source: StatementSource, from: Day, to: Day): Promise<Book> {
  if (from > to) reject('INVALID_DATE_RANGE', { from, to }, 'from');
  const { sql, tenant } = source;
  const entity = await readReportingEntity(source, monthOfDay(to));
  const months = monthRange(monthOfDay(from), monthOfDay(to));
  const opened = await readMonthStates(sql, tenant, from, to);
  const states = new Map(opened.map((each) => [each.month, each]));
  const unopened = months
    .map((month) => unopenedProblem(month, states.get(month), month === months[0] ? 'from' : 'to'))
    .find((found) => found !== undefined);
  if (unopened !== undefined) throwIfAny([unopened]);
  throwIfAny(opened.flatMap((state) => archivedProblem(state) ?? []));
  const chart = await selectStatementAccounts(sql, entity.options.chartId);
  const byId = new Map(chart.map((account) => [account.id, account]));
  const momentOf = (month: Month) => states.get(month)?.closedAt ?? undefined;
  const asPrinted = await readPrintedNames(sql, entity.options.chartId, months.map(momentOf));
  return {
    entity,
    state: opened.some(({ state }) => state === 'OPEN') ? 'OPEN' : 'CLOSED',
    hasClosing: opened.some(({ month, hasClosing }) => hasClosing && lastDay(month) <= to),
    accounts: chart.map((account) => asPrinted(account, entity.namesAt)),
    accountOf: (id, day) => {
      const account = byId.get(id);
      return account && asPrinted(account, momentOf(monthOfDay(day)));
    },
  };
}
