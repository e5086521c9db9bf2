import {
  addDays,
  type Day,
  dayNumberOf,
  daysOf,
  firstDay,
  lastDay,
  type Month,
  monthOfDay,
  monthRange,
} from '../../../accounting/period.ts';
import type { Context } from '../../../platform/context.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { offsetOf, type PageRequest } from '../../../platform/page-request.ts';
import { isInstitution, type ReportedTenant, type Tenant } from '../../access/access.ts';
import type { BalanceBaseline } from '../../closing/balances/balances.read.sql.ts';
import { baselineOf, rejectBeforeBase } from '../../closing/balances/read-balances.ts';
import { isOfBranches, readReportedBooks } from '../../master-data/companies/institution.ts';
import { listInstitutionMonth, pageOfInstitution } from './list-institution-balances.ts';
import {
  type AccountPage,
  countListedAccounts,
  type ListedRow,
  type ListingOrder,
  selectListedDays,
  selectListedMonth,
} from './listed-balances.read.sql.ts';
import type { BalancePage, ListedBalance, Listing } from './listing.ts';

/** Rows of one month in the listing: `width` accounts, once or on each of its days. */
interface Block {
  readonly month: Month;
  readonly from: Day;
  readonly width: number;
  readonly rows: number;
}

/**
 * A page of a listing. The accounts of each month are counted, so that only the months and days of the page are read.
 * An order applies to a listing of one period only.
 */
export function pageOfBalances(
  context: Context,
  asked: ReportedTenant,
  listing: Listing,
  slice: PageRequest,
  order?: ListingOrder,
): Promise<BalancePage> {
  return context.snapshot(async (sql) => {
    const books = await readReportedBooks(sql, asked);
    if (isOfBranches(books)) return pageOfInstitution(sql, books, listing, slice, order);
    const tenant = books;
    const [first, last] = [monthOfDay(listing.from), monthOfDay(listing.to)];
    const baseline = await baselineOf(sql, tenant, last);
    rejectBeforeBase(baseline.baseMonth, first);
    if (first === last && !listing.byDay) return pageOfMonth(sql, tenant, baseline, first, slice, order);
    const counts = await countListedAccounts(sql, tenant, baseline, first, last);
    const blocks = monthRange(first, last).map((month) => blockOf(listing, month, counts.get(month) ?? 0));
    const balances: ListedBalance[] = [];
    let offset = offsetOf(slice);
    for (const block of blocks) {
      const limit = Math.min(slice.size - balances.length, block.rows - offset);
      if (limit > 0) {
        const rows = listing.byDay
          ? await selectDays(block, { offset, limit })
          : await selectListedMonth(sql, tenant, baseline, block.month, { offset, limit }, order);
        balances.push(...rows.map((row) => ofMonth(block.month, row)));
      }
      offset = Math.max(0, offset - block.rows);
    }
    return { balances, total: blocks.reduce((sum, block) => sum + block.rows, 0) };

    /** The days of the page, clipped at both ends. */
    function selectDays({ month, from, width }: Block, { offset, limit }: AccountPage): Promise<ListedRow[]> {
      const before = Math.floor(offset / width);
      const days = { from: addDays(from, before), to: addDays(from, Math.floor((offset + limit - 1) / width)) };
      return selectListedDays(sql, tenant, baseline, month, days, { offset: offset - before * width, limit }, order);
    }
  });
}

/** Of one month: the accounts are counted only where the page does not end the listing, for that costs as much again. */
async function pageOfMonth(
  sql: Sql,
  tenant: Tenant,
  baseline: BalanceBaseline,
  month: Month,
  slice: PageRequest,
  order: ListingOrder | undefined,
): Promise<BalancePage> {
  const cut = { offset: offsetOf(slice), limit: slice.size };
  const rows = await selectListedMonth(sql, tenant, baseline, month, cut, order);
  const isEnd = rows.length < cut.limit && (rows.length > 0 || cut.offset === 0);
  const total = isEnd
    ? cut.offset + rows.length
    : ((await countListedAccounts(sql, tenant, baseline, month, month)).get(month) ?? 0);
  return { balances: rows.map((row) => ofMonth(month, row)), total };
}

function blockOf({ from, to, byDay }: Listing, month: Month, width: number): Block {
  const [first, last] = clipToMonth(month, from, to);
  const days = dayNumberOf(last) - dayNumberOf(first) + 1;
  return { month, from: first, width, rows: byDay ? width * days : width };
}

/** Approximate number of rows in memory per chunk of a whole listing. */
const PART_ROWS = 10_000;
/** An account has one row a day at most, and no chart has as many accounts. */
const ALL: AccountPage = { offset: 0, limit: 2_147_483_647 };

/**
 * A whole listing in chunks of bounded size, each of one snapshot: a connection is used only while a chunk is read,
 * however slow the client.
 */
export async function* allBalances(
  context: Context,
  tenant: ReportedTenant,
  listing: Listing,
): AsyncGenerator<ListedBalance[]> {
  const { from, to, byDay } = listing;
  if (isInstitution(tenant)) return yield* allOfInstitution(context, tenant, listing);
  for (const month of monthRange(monthOfDay(from), monthOfDay(to))) {
    const [first, last] = clipToMonth(month, from, to);
    const asked = byDay ? daysOf(month).filter((day) => day >= first && day <= last) : [first];
    // The first day gives the number of rows per day.
    let most = 1;
    for (let at = 0; at < asked.length; ) {
      const part = asked.slice(at, at + most);
      const rows = await context.snapshot(async (sql) => {
        const baseline = await baselineOf(sql, tenant, month);
        return byDay
          ? selectListedDays(sql, tenant, baseline, month, { from: part[0]!, to: part.at(-1)! }, ALL)
          : selectListedMonth(sql, tenant, baseline, month, ALL);
      });
      yield rows.map((row) => ofMonth(month, row));
      at += part.length;
      most = Math.max(1, Math.floor((PART_ROWS * part.length) / Math.max(1, rows.length)));
    }
  }
}

async function* allOfInstitution(
  context: Context,
  tenant: ReportedTenant,
  listing: Listing,
): AsyncGenerator<ListedBalance[]> {
  for (const month of monthRange(monthOfDay(listing.from), monthOfDay(listing.to))) {
    yield await context.snapshot(async (sql) => {
      const books = await readReportedBooks(sql, tenant);
      return isOfBranches(books) ? listInstitutionMonth(sql, books, month, listing) : [];
    });
  }
}

function clipToMonth(month: Month, from: Day, to: Day): [Day, Day] {
  return [from > firstDay(month) ? from : firstDay(month), minDay(to, lastDay(month))];
}

function minDay(a: Day, b: Day): Day {
  return a < b ? a : b;
}

function ofMonth(month: Month, { day, ...row }: ListedRow): ListedBalance {
  return { ...row, month, day: day ?? undefined };
}
