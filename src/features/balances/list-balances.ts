import type { Movement } from '../../accounting/balance.ts';
import { addMonths, type Day, firstDay, lastDay, type Month, monthOfDay } from '../../accounting/period.ts';
import type { Sql } from '../../platform/sql.ts';
import type { Tenant } from '../access/access.ts';
import { type ListedAccount, selectListedAccounts } from './balances.read.sql.ts';
import { anchorOf, readDays, readMonth } from './read-balances.ts';

/** One account's line in a listing of balances, in hierarchical order within its period. */
export interface ListedBalance {
  readonly month: Month;
  /** Only in listings by day. */
  readonly day: Day | undefined;
  readonly account: ListedAccount;
  readonly amounts: Movement;
}

/** A month's balances; accounts that have neither balance nor movement are left out. */
export async function listMonth(sql: Sql, tenant: Tenant, month: Month): Promise<ListedBalance[]> {
  const { anchor, accounts } = await readMonth(sql, tenant, month);
  const chart = await selectListedAccounts(sql, anchor.chartId);
  return chart.flatMap((account) => {
    const amounts = accounts.get(account.id);
    return amounts ? [{ month, day: undefined, account, amounts }] : [];
  });
}

/** Balances of every day from the first to the last, read month by month. */
export async function* listDays(sql: Sql, tenant: Tenant, from: Day, to: Day): AsyncGenerator<ListedBalance[]> {
  const { chartId } = await anchorOf(sql, tenant, monthOfDay(to));
  const chart = await selectListedAccounts(sql, chartId);
  for (let month = monthOfDay(from); month <= monthOfDay(to); month = addMonths(month, 1)) {
    const first = from > firstDay(month) ? from : firstDay(month);
    const last = to < lastDay(month) ? to : lastDay(month);
    for (const { day, accounts } of await readDays(sql, tenant, first, last)) {
      yield chart.flatMap((account) => {
        const amounts = accounts.get(account.id);
        return amounts ? [{ month, day, account, amounts }] : [];
      });
    }
  }
}
