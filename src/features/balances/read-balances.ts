import { addMovements, balanceOf, type Movement, NO_MOVEMENT } from '../../accounting/balance.ts';
import { addDays, type Day, firstDay, type Month, monthOfDay, monthRange, slashOf } from '../../accounting/period.ts';
import { refuse } from '../../accounting/problem.ts';
import type { Sql } from '../../platform/sql.ts';
import type { Tenant } from '../access/access.ts';
import {
  type Anchor,
  computeMonth,
  computeMovements,
  type DayAmounts,
  selectAnchor,
  selectAnchorBalance,
  selectDayMovements,
  selectStoredMonth,
  selectStoredMonths,
} from './balances.read.sql.ts';

// The only reader of balances: frozen where the month is consolidated, computed from the lines where it is open. Every
// figure the platform shows comes from here, debit-positive, in centavos.

export interface MonthBalances {
  readonly month: Month;
  readonly anchor: Anchor;
  /** By account id, analytic and synthetic; accounts without balance and movement are absent. */
  readonly accounts: ReadonlyMap<number, Movement>;
}

/** All balances of a month. Refuses months before the base month, and branches without options. */
export async function readMonth(sql: Sql, tenant: Tenant, month: Month): Promise<MonthBalances> {
  const anchor = await anchorOf(sql, tenant, month);
  const rows =
    anchor.consolidated === month
      ? await selectStoredMonth(sql, tenant, month)
      : await computeMonth(sql, tenant, anchor, month);
  return { month, anchor, accounts: new Map(rows.map(({ accountId, ...movement }) => [accountId, movement])) };
}

export interface MonthOfAccount extends Movement {
  readonly month: Month;
}

/** The months of one account from the first to the last; a month without movement carries the balance. */
export async function readAccountMonths(
  sql: Sql,
  tenant: Tenant,
  accountId: number,
  from: Month,
  to: Month,
): Promise<MonthOfAccount[]> {
  const anchor = await anchorOf(sql, tenant, to);
  refuseBeforeBase(anchor, from);
  const stored =
    anchor.consolidated !== null && from <= anchor.consolidated
      ? await selectStoredMonths(sql, tenant, accountId, from, anchor.consolidated)
      : [];
  const movements = new Map(stored.map((each) => [each.month, each]));
  const range = monthRange(from, to);
  const open = anchor.consolidated === null ? range : range.filter((month) => month > anchor.consolidated!);
  // Frozen months say their own opening; the first one without a row had no balance, so zero carries.
  let balance = 0n;
  let computed = new Map<Month, Movement>();
  if (open.length > 0) {
    computed = new Map((await computeMovements(sql, tenant, anchor, accountId, to)).map((each) => [each.month, each]));
    balance = await selectAnchorBalance(sql, tenant, anchor, accountId);
    for (const [month, movement] of computed) if (month < open[0]!) balance += balanceOf({ ...movement, opening: 0n });
  }
  return range.map((month) => {
    const frozen = movements.get(month);
    if (anchor.consolidated !== null && month <= anchor.consolidated) return { ...NO_MOVEMENT, ...frozen, month };
    const movement = { ...NO_MOVEMENT, ...computed.get(month), opening: balance };
    balance = balanceOf(movement);
    return { ...movement, month };
  });
}

export interface DayBalances {
  readonly day: Day;
  /** Movement of the day, opening the balance of the evening before; accounts that never moved are absent. */
  readonly accounts: ReadonlyMap<number, Movement>;
}

/** All balances of the days from the first to the last, within one month. */
export async function readDays(sql: Sql, tenant: Tenant, from: Day, to: Day): Promise<DayBalances[]> {
  const month = monthOfDay(to);
  const { anchor, accounts } = await readMonth(sql, tenant, month);
  const movements = await selectDayMovements(sql, tenant, month, to, anchor.consolidated === month);
  const byDay = new Map<Day, DayAmounts[]>();
  for (const movement of movements) {
    const same = byDay.get(movement.day);
    if (same) same.push(movement);
    else byDay.set(movement.day, [movement]);
  }
  let evening = new Map([...accounts].map(([id, { opening }]) => [id, opening]));
  const days: DayBalances[] = [];
  for (let day = firstDay(month); day <= to; day = addDays(day, 1)) {
    const morning = new Map([...evening].map(([id, opening]) => [id, { ...NO_MOVEMENT, opening }]));
    for (const { accountId, debit, credit, closing } of byDay.get(day) ?? []) {
      const before = morning.get(accountId) ?? NO_MOVEMENT;
      morning.set(accountId, addMovements(before, { opening: 0n, debit, credit, closing }));
    }
    if (day >= from) days.push({ day, accounts: morning });
    evening = new Map([...morning].map(([id, movement]) => [id, balanceOf(movement)]));
  }
  return days;
}

/** Where the branch stands at the month. Refuses branches without options and months before the base month. */
export async function anchorOf(sql: Sql, tenant: Tenant, month: Month): Promise<Anchor> {
  const anchor =
    (await selectAnchor(sql, tenant, month)) ??
    refuse('CHART_NOT_CONFIGURED', { company: tenant.company, branch: tenant.branch });
  refuseBeforeBase(anchor, month);
  return anchor;
}

function refuseBeforeBase(anchor: Anchor, month: Month): void {
  if (month < anchor.baseMonth) {
    refuse('BEFORE_BASE_MONTH', { month: slashOf(month), base: slashOf(anchor.baseMonth) });
  }
}
