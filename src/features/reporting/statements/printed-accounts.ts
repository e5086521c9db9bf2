import type { ChartId } from '../../../accounting/ids.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type StatementAccountRow, selectStatementAccounts } from '../../master-data/chart/chart.read.sql.ts';
import { type EarlierAccount, type Moment, selectEarlierAccounts } from './printed-names.read.sql.ts';
import type { ReportingEntity } from './reporting-entity.ts';
import type { StatementSource } from './statement-source.ts';

/** The chart as a month prints it: in the order of the codes, without the accounts that were added afterwards. */
export async function readPrintedAccounts(
  { sql }: StatementSource,
  entity: Pick<ReportingEntity, 'options' | 'namesAt'>,
  present?: StatementAccountRow[],
): Promise<StatementAccountRow[]> {
  const accounts = present ?? (await selectStatementAccounts(sql, entity.options.chartId));
  const { namesAt } = entity;
  if (namesAt === undefined) return accounts;
  const asPrinted = await readPrintedNames(sql, entity.options.chartId, [namesAt]);
  return accounts.filter((account) => existedAt(account, namesAt)).map((account) => asPrinted(account, namesAt));
}

/** An account with the names of a moment; undefined stands for the present. */
export type PrintedNames = (account: StatementAccountRow, at: Moment | undefined) => StatementAccountRow;

/** Names at any of these instants: all changes since the first of them are read once. */
export async function readPrintedNames(
  sql: Sql,
  chartId: ChartId,
  moments: readonly (Moment | undefined)[],
): Promise<PrintedNames> {
  const [first] = moments.filter((at) => at !== undefined).toSorted();
  if (first === undefined) return (account) => account;
  const changes = Map.groupBy(await selectEarlierAccounts(sql, chartId, first), ({ accountId }) => accountId);
  return (account, at) => {
    const earlier = at === undefined ? undefined : changes.get(account.id)?.find(({ validUntil }) => validUntil > at);
    return earlier === undefined ? account : { ...account, ...namesOf(earlier) };
  };
}

function namesOf({ shortCode, description, normalBalance, accountClass, cofiCode }: EarlierAccount) {
  return { shortCode, description, normalBalance, accountClass, cofiCode };
}

const MILLISECONDS = '2026-01-31T12:00:00.000'.length;

/** The account's own moment is known to the millisecond only. */
export function existedAt({ createdAt }: StatementAccountRow, at: Moment | undefined): boolean {
  return at === undefined || createdAt.slice(0, MILLISECONDS) <= at.slice(0, MILLISECONDS);
}
