import { centavosFromSql } from '../../../accounting/money.ts';
import {
  benchmarkOn,
  carryMark,
  dailyRate,
  MARK_DECIMALS,
  type MarkDay,
  markOf,
  type PerformanceState,
} from '../../../accounting/performance-fee.ts';
import { addDays, brazilianDate, type Day } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { roundedQuotient, scaledFromDecimal } from '../../../accounting/quota.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { readBusinessDays } from '../../master-data/calendar/business-days.ts';
import { selectQuantityOn } from '../quotas/quotas.read.sql.ts';
import { readNetEquity } from './fee-base.ts';
import { type ChargedFee, type FeeAccrualRow, type QuotaFlows, selectQuotaFlows } from './fund-fees.read.sql.ts';

/** Decimals of numbers of quotas. */
const QUANTITY_DECIMALS = 12;

/**
 * Mark and provision at the end of the base day: those of the last day that stands, or of the day before the fee begins,
 * carried forward over the benchmark and over what came in and went since.
 */
export async function readPerformanceState(
  sql: Sql,
  tenant: Tenant,
  fee: ChargedFee,
  last: FeeAccrualRow | undefined,
  baseDay: Day,
): Promise<PerformanceState> {
  const from = last?.baseDay ?? (await dayBefore(sql, tenant, fee.startDay));
  let state = last ? stateOf(last) : { mark: await firstMark(sql, tenant, fee, from), provision: 0n };
  const days = await readBusinessDays(sql, tenant, addDays(from, 1), baseDay);
  const flows = await selectQuotaFlows(sql, tenant, from, baseDay);
  const unknown = flows.find((each) => each.unknown);
  if (unknown) reject('FEE_NEEDS_QUOTA', { day: brazilianDate(unknown.day) });
  const rates = new Map<bigint, bigint>();
  let next = 0;
  for (const day of days) {
    const yearly = benchmarkOn(day, fee.benchmark);
    const rate = rates.get(yearly) ?? dailyRate(yearly);
    rates.set(yearly, rate);
    // What moved on a weekend moves with the next business day.
    const until = flows.findIndex((each, at) => at >= next && each.day > day);
    const end = until < 0 ? flows.length : until;
    state = carryMark(state, markDay(rate, flows.slice(next, end)), fee.benchmarkShare);
    next = end;
  }
  return state;
}

/** The last business day before a day. */
export async function dayBefore(sql: Sql, tenant: Tenant, day: Day): Promise<Day> {
  const days = await readBusinessDays(sql, tenant, addDays(day, -LONGEST_BREAK), addDays(day, -1));
  return days.at(-1) ?? addDays(day, -1);
}

/** No holidays are longer. */
export const LONGEST_BREAK = 15;

function stateOf({ mark, provision }: FeeAccrualRow): PerformanceState {
  return { mark: scaledFromDecimal(mark!, MARK_DECIMALS)!, provision: centavosFromSql(provision!) };
}

/** The typed quota times the quotas of that day, else the equity. */
async function firstMark(sql: Sql, tenant: Tenant, { highWaterMark }: ChargedFee, day: Day): Promise<bigint> {
  if (highWaterMark === null) {
    const equity = await readNetEquity(sql, tenant, day);
    return markOf(equity > 0n ? equity : 0n);
  }
  const quotas = scaledFromDecimal(await selectQuantityOn(sql, tenant, day), QUANTITY_DECIMALS)!;
  if (quotas <= 0n) reject('NO_QUOTAS');
  const quota = scaledFromDecimal(highWaterMark, MARK_DECIMALS)!;
  return roundedQuotient(quota * quotas, 10n ** BigInt(QUANTITY_DECIMALS), 'HALF_UP');
}

function markDay(rate: bigint, flows: readonly QuotaFlows[]): MarkDay {
  const quantity = (text: string) => scaledFromDecimal(text, QUANTITY_DECIMALS)!;
  let [subscriptions, amortizations, redeemed] = [0n, 0n, 0n];
  for (const each of flows) {
    subscriptions += each.subscriptions;
    amortizations += each.amortizations;
    redeemed += quantity(each.redeemed);
  }
  const quotas = flows[0] ? quantity(flows[0].quotas) : 0n;
  return { dailyRate: rate, subscriptions, amortizations, quotas, redeemed: redeemed < quotas ? redeemed : quotas };
}
