import { balanceOf } from '../../../accounting/balance.ts';
import type { AccountId } from '../../../accounting/ids.ts';
import { centavosFromSql } from '../../../accounting/money.ts';
import { addDays, type Day, firstDay, lastDay, monthOfDay, monthsBetween } from '../../../accounting/period.ts';
import {
  type ComparedFigure,
  type Difference,
  differences,
  keysDifferingFromTheStart,
} from '../../../accounting/reconciliation.ts';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { assertWholeList } from '../../master-data/whole-list.ts';
import { baselineOf, readDays } from '../balances/read-balances.ts';
import { selectControlBalances, selectMonthBefore } from './control-balances.read.sql.ts';

export interface AccountFigure extends ComparedFigure {
  readonly accountId: AccountId;
  readonly code: string;
  readonly description: string;
  readonly origin: string;
}

export interface Reconciliation {
  /** Figures compared in the period asked. */
  readonly compared: number;
  readonly differences: readonly Difference<AccountFigure>[];
}

/** Days of one month, and only what one system sent where it is named. */
export interface ReconciliationRequest extends Days {
  readonly origin: string | undefined;
}

/** Most figures of a period: a chart's accounts on every day of a month. */
const MAX_FIGURES = 100_000;
/** How far back the beginning of a difference is looked for; one that is older counts from there. */
const MOST_MONTHS_BACK = 24;

/** The figures sent for the days, beside the balances of the books of one moment. */
export function reconcile(context: Context, tenant: Tenant, request: ReconciliationRequest): Promise<Reconciliation> {
  const { from, origin } = request;
  const asked = monthOfDay(from);
  return context.snapshot(async (sql) => {
    const { baseMonth } = await baselineOf(sql, tenant, asked);
    const figures = await compare(sql, tenant, request);
    const all = [...figures];
    let days: Days | undefined = { from: firstDay(asked), to: addDays(from, -1) };
    // Backwards, until every difference has begun.
    while (days !== undefined) {
      const open = keysDifferingFromTheStart(all);
      if (open.size === 0) break;
      const accountIds = [...new Set(all.filter(({ key }) => open.has(key)).map((figure) => figure.accountId))];
      const earlier = await compare(sql, tenant, { ...days, origin }, accountIds);
      all.push(...earlier.filter(({ key }) => open.has(key)));
      const month = await selectMonthBefore(sql, tenant, monthOfDay(days.from), accountIds);
      const isInReach = month !== undefined && month >= baseMonth && monthsBetween(month, asked) <= MOST_MONTHS_BACK;
      days = isInReach ? { from: firstDay(month), to: lastDay(month) } : undefined;
    }
    return { compared: figures.length, differences: differences(all, from) };
  });
}

interface Days {
  readonly from: Day;
  readonly to: Day;
}

/** Figures of days of one month with what the books have, of some accounts only where they are given. */
async function compare(
  sql: Transaction,
  tenant: Tenant,
  { from, to, origin }: ReconciliationRequest,
  accountIds?: readonly AccountId[],
): Promise<AccountFigure[]> {
  const filter = { from, to, origin, accountIds };
  const sent = assertWholeList(await selectControlBalances(sql, tenant, filter, MAX_FIGURES + 1), MAX_FIGURES);
  if (sent.length === 0) return [];
  const books = new Map((await readDays(sql, tenant, from, to)).map(({ day, accounts }) => [day, accounts]));
  return sent.map(({ accountId, code, description, origin: system, day, balance }) => {
    const movement = books.get(day)?.get(accountId);
    return {
      key: JSON.stringify([code, system]),
      day,
      sent: centavosFromSql(balance),
      books: movement === undefined ? 0n : balanceOf(movement),
      accountId,
      code,
      description,
      origin: system,
    };
  });
}
