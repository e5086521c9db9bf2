import { type Day, type Month, monthOfDay, monthRange, slashOf } from '../../../accounting/period.ts';
import { BusinessError, problem, reject } from '../../../accounting/problem.ts';
import { type AccountRow, selectAccountsOfChart } from '../../master-data/chart/chart.read.sql.ts';
import { selectMonthStates } from './book-lines.read.sql.ts';
import { readPrintedNames } from './printed-accounts.ts';
import { type ReportingEntity, readReportingEntity } from './report-head.ts';
import type { ReportSource } from './report-source.ts';

/** What every book of lines needs beside the lines. */
export interface Book {
  readonly entity: ReportingEntity;
  /** In the order of the chart. */
  readonly accounts: readonly AccountRow[];
  /** The account of a line of that day, named as the day's month prints it. */
  readonly accountOf: (id: number, day: Day) => AccountRow | undefined;
}

/** Refuses periods that the branch has not opened whole, and those whose lines were archived. */
export async function openBook(source: ReportSource, from: Day, to: Day): Promise<Book> {
  if (from > to) reject('INVALID_DATE_RANGE', { from, to }, 'dataInicio');
  const { sql, tenant } = source;
  const entity = await readReportingEntity(source, monthOfDay(to));
  const months = monthRange(monthOfDay(from), monthOfDay(to));
  const states = new Map((await selectMonthStates(sql, tenant, from, to)).map((each) => [each.month, each]));
  const closed = months.find((month) => !states.has(month));
  if (closed !== undefined) {
    reject('MONTH_NOT_OPEN', { month: slashOf(closed) }, closed === months[0] ? 'dataInicio' : 'dataFim');
  }
  const archived = months.filter((month) => states.get(month)!.archived);
  if (archived.length > 0)
    throw new BusinessError(archived.map((month) => problem('MONTH_PURGED', { month: slashOf(month) })));
  const chart = await selectAccountsOfChart(sql, entity.options.chartId);
  const byId = new Map(chart.map((account) => [account.id, account]));
  const momentOf = (month: Month) => states.get(month)?.closedAt ?? undefined;
  const asPrinted = await readPrintedNames(sql, entity.options.chartId, months.map(momentOf));
  return {
    entity,
    accounts: chart.map((account) => asPrinted(account, entity.namesAt)),
    accountOf: (id, day) => {
      const account = byId.get(id);
      return account && asPrinted(account, momentOf(monthOfDay(day)));
    },
  };
}

/** The chosen posting accounts in the order of the chart; a synthetic one stands for all below it. */
export function chosenAccounts(
  accounts: readonly AccountRow[],
  chosen: readonly (number | string)[],
  field: string,
): AccountRow[] {
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const byCode = new Map(accounts.map((account) => [account.code, account]));
  const wanted = new Set<number>();
  const missing: (number | string)[] = [];
  for (const each of chosen) {
    const account = typeof each === 'number' ? byId.get(each) : byCode.get(each);
    if (account) wanted.add(account.id);
    else missing.push(each);
  }
  if (missing.length > 0) {
    throw new BusinessError(missing.slice(0, 100).map((account) => problem('ACCOUNT_NOT_FOUND', { account }, field)));
  }
  const isBelowWanted = (account: AccountRow): boolean => {
    for (let each: AccountRow | undefined = account; each; each = byId.get(each.parentId ?? 0)) {
      if (wanted.has(each.id)) return true;
    }
    return false;
  };
  return accounts.filter((account) => account.type === 'A' && isBelowWanted(account));
}
