import { addMovements, balanceOf, type Movement, NO_MOVEMENT } from '../../../accounting/balance.ts';
import type { AccountId, ChartId } from '../../../accounting/ids.ts';
import type { Centavos } from '../../../accounting/money.ts';
import {
  addDays,
  addMonths,
  type Day,
  firstDay,
  type Month,
  monthOfDay,
  monthRange,
  slashOf,
} from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { type Institution, isOfBranches, type ReportedBooks } from '../../master-data/companies/institution.ts';
import { rejectNoBooks } from '../../master-data/companies/require-books.ts';
import { type AccountMonths, selectAccountMonths } from './account-months.read.sql.ts';
import type { BranchGroup } from './balance-rules.sql.ts';
import {
  type BalanceBaseline,
  computeMonth,
  type DayAmounts,
  selectBaseline,
  selectClosedMonth,
  selectDayMovements,
  selectDaysOfGroups,
  selectMonthOfGroups,
  selectResultMoved,
} from './balances.read.sql.ts';
import { type EquityMonth, selectEquity } from './equity.read.sql.ts';
import { readInstitutionBaseline } from './institution-baseline.ts';

// The only reader of balances: stored ones of closed months, computed ones of open months. Every figure of the platform
// comes from here, debit-positive, in centavos.

export interface MonthBalances {
  readonly month: Month;
  readonly baseline: BalanceBaseline;
  /** By account id, posting and summary accounts; accounts without balance and movement are absent. */
  readonly accounts: ReadonlyMap<number, Movement>;
}

/**
 * All balances of a month; those of an institution are the sums of its branches, without eliminations. Rejects months
 * before the base month, and branches without options.
 */
export async function readMonth(sql: Sql, books: ReportedBooks, month: Month): Promise<MonthBalances> {
  return (await findMonth(sql, books, month)).read(sql);
}

/** The same in two steps: where the balances come from, and `read`, one statement that may be pipelined with others. */
export async function findMonth(
  sql: Sql,
  books: ReportedBooks,
  month: Month,
): Promise<{ readonly baseline: BalanceBaseline; read(sql: Sql): Promise<MonthBalances> }> {
  const { baseline, select } = await (isOfBranches(books)
    ? findMonthOfInstitution(sql, books, month)
    : findMonthOfBranch(sql, books, month));
  return {
    baseline,
    async read(reads) {
      const rows = await select(reads);
      return { month, baseline, accounts: new Map(rows.map(({ accountId, ...movement }) => [accountId, movement])) };
    },
  };
}

async function findMonthOfBranch(sql: Sql, tenant: Tenant, month: Month) {
  const baseline = await baselineOf(sql, tenant, month);
  const select = (reads: Sql) =>
    baseline.closed === month ? selectClosedMonth(reads, tenant, month) : computeMonth(reads, tenant, baseline, month);
  return { baseline, select };
}

async function findMonthOfInstitution(sql: Sql, institution: Institution, month: Month) {
  const baseline = await readInstitutionBaseline(sql, institution, month);
  return { baseline, select: (reads: Sql) => selectMonthOfGroups(reads, baseline.groups, month) };
}

export interface MonthOfAccount extends Movement {
  readonly month: Month;
}

/**
 * The months of one account of the branch's chart from the first to the last; a month without movement carries the
 * balance.
 */
export async function readAccountMonths(
  sql: Sql,
  tenant: Tenant,
  accountId: AccountId,
  from: Month,
  to: Month,
  place?: AccountPlace,
): Promise<MonthOfAccount[]> {
  const found = requireAccount(tenant, accountId, await selectAccountMonths(sql, tenant, accountId, from, to), place);
  const { closed, baseMonth, stored, open } = found;
  rejectBeforeBase(baseMonth, to);
  rejectBeforeBase(baseMonth, from);
  // Closed months store their opening; a first month without a row had no balance, so zero is carried.
  const movements = new Map<Month, Movement>([...stored, ...open].map((each) => [each.month, each]));
  let balance = balanceBefore(found, from);
  return monthRange(from, to).map((month) => {
    const movement = movements.get(month) ?? NO_MOVEMENT;
    if (closed !== null && month <= closed) return { ...movement, month };
    const ofMonth = { ...movement, month, opening: balance };
    balance = balanceOf(ofMonth);
    return ofMonth;
  });
}

/** The balance of one account of the branch's chart before a month, whose own lines are not read. */
export async function readAccountOpening(
  sql: Sql,
  tenant: Tenant,
  accountId: AccountId,
  month: Month,
  place?: AccountPlace,
): Promise<Centavos> {
  const before = addMonths(month, -1);
  const read = await selectAccountMonths(sql, tenant, accountId, before, before);
  const found = requireAccount(tenant, accountId, read, place);
  rejectBeforeBase(found.baseMonth, month);
  return balanceBefore(found, month);
}

/** Of an open month, or of the one after the last closed one: what is closed, and the open months in between. */
function balanceBefore({ closed, stored, open, base }: AccountMonths, month: Month): Centavos {
  const atClosed = stored.find((each) => each.month === closed);
  let balance = atClosed ? balanceOf(atClosed) : base;
  for (const each of open) if (each.month < month) balance += balanceOf(each);
  return balance;
}

export interface DayBalances {
  readonly day: Day;
  /**
   * Movement of the day, the opening is the balance at the end of the previous day; accounts that never moved are
   * absent.
   */
  readonly accounts: ReadonlyMap<number, Movement>;
}

/** All balances of the days from the first to the last, within one month. */
export async function readDays(sql: Sql, books: ReportedBooks, from: Day, to: Day): Promise<DayBalances[]> {
  const month = monthOfDay(to);
  const { accounts, movements } = await (isOfBranches(books)
    ? daysOfInstitution(sql, books, month, to)
    : daysOfBranch(sql, books, month, to));
  const byDay = new Map<Day, DayAmounts[]>();
  for (const movement of movements) {
    const same = byDay.get(movement.day);
    if (same) same.push(movement);
    else byDay.set(movement.day, [movement]);
  }
  let evening = new Map<number, Centavos>(accounts.map(({ accountId, opening }) => [accountId, opening]));
  const days: DayBalances[] = [];
  for (let day = firstDay(month); day <= to; day = addDays(day, 1)) {
    const morning = new Map([...evening].map(([id, opening]) => [id, { ...NO_MOVEMENT, opening }]));
    for (const { accountId, movement } of byDay.get(day) ?? []) {
      const before = morning.get(accountId) ?? NO_MOVEMENT;
      morning.set(accountId, addMovements(before, movement));
    }
    if (day >= from) days.push({ day, accounts: morning });
    evening = new Map([...morning].map(([id, movement]) => [id, balanceOf(movement)]));
  }
  return days;
}

async function daysOfBranch(sql: Sql, tenant: Tenant, month: Month, to: Day) {
  const { baseline, select } = await findMonthOfBranch(sql, tenant, month);
  return {
    accounts: await select(sql),
    movements: await selectDayMovements(sql, tenant, month, to, baseline.closed === month),
  };
}

async function daysOfInstitution(sql: Sql, institution: Institution, month: Month, to: Day) {
  const { baseline, select } = await findMonthOfInstitution(sql, institution, month);
  return { accounts: await select(sql), movements: await selectDaysOfGroups(sql, baseline.groups, month, to) };
}

/**
 * What the result accounts moved from the first month to the last, closing entries apart: by account id, debit-positive.
 * Books that begin within these months brought what had moved before as base balances.
 */
export async function readResultMoved(
  sql: Sql,
  books: ReportedBooks,
  from: Month,
  to: Month,
): Promise<ReadonlyMap<number, Centavos>> {
  const groups = await groupsOf(sql, books, to);
  return new Map((await selectResultMoved(sql, groups, from, to)).map(({ accountId, net }) => [accountId, net]));
}

/** Equity and open result at the end of these months, in their order; an institution's are the sums of its branches. */
export async function readEquity(sql: Sql, books: ReportedBooks, months: readonly Month[]): Promise<EquityMonth[]> {
  const inOrder = months.toSorted();
  const last = inOrder.at(-1);
  if (last === undefined) return [];
  const found = isOfBranches(books)
    ? await readEquityOfInstitution(sql, books, inOrder)
    : await selectEquity(sql, books, await baselineOf(sql, books, last), inOrder);
  const byMonth = new Map(found.map((each) => [each.month, each]));
  return months.flatMap((month) => byMonth.get(month) ?? []);
}

async function readEquityOfInstitution(sql: Sql, institution: Institution, inOrder: Month[]): Promise<EquityMonth[]> {
  const { companyId, members } = institution;
  const { groups } = await readInstitutionBaseline(sql, institution, inOrder.at(-1)!);
  const sums = new Map(inOrder.map((month) => [month, { month, equity: 0n, result: 0n }]));
  for (const { branchIds, closed } of groups) {
    const ofGroup = members.filter(({ branchId }) => branchIds.includes(branchId));
    // Base balances are no figure of the months before them.
    for (const [baseMonth, joined] of Map.groupBy(ofGroup, (member) => member.baseMonth)) {
      const months = inOrder.filter((month) => month >= baseMonth);
      const branches = { companyId, branchIds: joined.map(({ branchId }) => branchId) };
      for (const { month, equity, result } of await selectEquity(sql, branches, { closed }, months)) {
        const sum = sums.get(month)!;
        sum.equity += equity;
        sum.result += result;
      }
    }
  }
  return [...sums.values()];
}

/** The branches of the books by where their closed balances end as of the month. */
async function groupsOf(sql: Sql, books: ReportedBooks, month: Month): Promise<readonly BranchGroup[]> {
  if (isOfBranches(books)) return (await readInstitutionBaseline(sql, books, month)).groups;
  const { companyId, branchId } = books;
  return [{ companyId, branchIds: [branchId], closed: (await baselineOfBranch(sql, books, month)).closed }];
}

/**
 * Where the closed balances end as of the month. Rejects branches without options and months before the base month.
 */
export async function baselineOf(sql: Sql, books: ReportedBooks, month: Month): Promise<BalanceBaseline> {
  return isOfBranches(books) ? readInstitutionBaseline(sql, books, month) : baselineOfBranch(sql, books, month);
}

async function baselineOfBranch(sql: Sql, tenant: Tenant, month: Month): Promise<BalanceBaseline> {
  const baseline = (await selectBaseline(sql, tenant, month)) ?? rejectNoBooks(tenant);
  rejectBeforeBase(baseline.baseMonth, month);
  return baseline;
}

/** Where a request names its account: in a field, or in its address, which is then of nothing. */
export type AccountPlace = 'FIELD' | 'ADDRESS';

/** Rejects branches without a chart (400), and accounts that are not in it (404). */
export function requireAccount<Found extends { readonly chartId: ChartId | null; readonly code: string | null }>(
  tenant: Tenant,
  accountId: AccountId,
  found: Found | undefined,
  place?: AccountPlace,
): Found {
  if (!found || found.chartId === null) rejectNoBooks(tenant);
  if (found.code === null) rejectUnknownAccount(accountId, place);
  return found;
}

export function rejectUnknownAccount(accountId: AccountId, place: AccountPlace = 'FIELD'): never {
  if (place === 'ADDRESS') reject('NOT_FOUND', recordRef('Account', accountId));
  reject('ACCOUNT_NOT_FOUND', { account: accountId }, 'account');
}

export function rejectBeforeBase(baseMonth: Month, month: Month): void {
  if (month < baseMonth) reject('BEFORE_BASE_MONTH', { month: slashOf(month), base: slashOf(baseMonth) });
}
