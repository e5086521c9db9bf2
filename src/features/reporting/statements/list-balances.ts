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
import { offsetOf, type PageRequest } from '../../../platform/page-request.ts';
import type { Tenant } from '../../access/access.ts';
import { baselineOf, rejectBeforeBase } from '../../closing/balances/read-balances.ts';
import {
  type AccountPage,
  countListedAccounts,
  type ListedRow,
  type ListingOrder,
  selectListedDays,
  selectListedMonth,
} from './listed-balances.read.sql.ts';

/** A row of the trial balance of a month or a day, in hierarchical order within its period. */
export interface ListedBalance extends Omit<ListedRow, 'day'> {
  readonly month: Month;
  /** Only in listings by day. */
  readonly day: Day | undefined;
}

/** A period whose balances are listed, by month or by day. */
export interface Listing {
  readonly from: Day;
  readonly to: Day;
  readonly byDay: boolean;
}

export interface BalancePage {
  readonly balances: ListedBalance[];
  readonly total: number;
}

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
  tenant: Tenant,
  listing: Listing,
  slice: PageRequest,
  order?: ListingOrder,
): Promise<BalancePage> {
  return context.snapshot(async (sql) => {
    const [first, last] = [monthOfDay(listing.from), monthOfDay(listing.to)];
    const baseline = await baselineOf(sql, tenant, last);
    rejectBeforeBase(baseline.baseMonth, first);
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
  tenant: Tenant,
  { from, to, byDay }: Listing,
): AsyncGenerator<ListedBalance[]> {
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

function clipToMonth(month: Month, from: Day, to: Day): [Day, Day] {
  return [from > firstDay(month) ? from : firstDay(month), minDay(to, lastDay(month))];
}

function minDay(a: Day, b: Day): Day {
  return a < b ? a : b;
}

function ofMonth(month: Month, { day, ...row }: ListedRow): ListedBalance {
  return { ...row, month, day: day ?? undefined };
}
