import { balanceOf, type Movement, sideOf } from '../../../accounting/balance.ts';
import { type Day, lastDay, type Month, monthOfDay, monthRange } from '../../../accounting/period.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import { offsetOf, type PageRequest } from '../../../platform/page-request.ts';
import { readDays, readMonth } from '../../closing/balances/read-balances.ts';
import type { StatementAccountRow } from '../../master-data/chart/chart.read.sql.ts';
import type { Institution } from '../../master-data/companies/institution.ts';
import type { ListingOrder } from './listed-balances.read.sql.ts';
import type { BalancePage, ListedBalance, Listing } from './listing.ts';
import { eliminationsOf } from './read-accounts.ts';
import { readReportingEntity } from './reporting-entity.ts';

// The sums of an institution are eliminated before they are cut, so its months are listed in memory.

/** A page of a listing of an institution; doors keep its months few. */
export async function pageOfInstitution(
  sql: Transaction,
  institution: Institution,
  listing: Listing,
  slice: PageRequest,
  order: ListingOrder | undefined,
): Promise<BalancePage> {
  const rows: ListedBalance[] = [];
  for (const month of monthRange(monthOfDay(listing.from), monthOfDay(listing.to))) {
    rows.push(...(await listInstitutionMonth(sql, institution, month, listing)));
  }
  const sorted = order === undefined ? rows : sortRows(rows, order);
  return { balances: sorted.slice(offsetOf(slice), offsetOf(slice) + slice.size), total: rows.length };
}

/** The rows of one month of a listing, by day and then in the order of the chart. */
export async function listInstitutionMonth(
  sql: Transaction,
  institution: Institution,
  month: Month,
  { from, to, byDay }: Listing,
): Promise<ListedBalance[]> {
  const source = { sql, tenant: institution };
  const eliminations = await eliminationsOf(source, await readReportingEntity(source, month));
  const rowsOf = (summed: ReadonlyMap<number, Movement>, day: Day | undefined) => {
    const movements = eliminations.eliminate(summed);
    return eliminations.accounts.flatMap((account) => rowOf(account, movements.get(account.id), month, day));
  };
  if (!byDay) return rowsOf((await readMonth(sql, institution, month)).accounts, undefined);
  const first = monthOfDay(from) === month ? from : (`${month}-01` as Day);
  const days = await readDays(sql, institution, first, monthOfDay(to) === month ? to : lastDay(month));
  return days.flatMap(({ day, accounts }) => rowsOf(accounts, day));
}

function rowOf(account: StatementAccountRow, movement: Movement | undefined, month: Month, day: Day | undefined) {
  return movement === undefined ? [] : [{ account, movement, balance: balanceOf(movement), month, day }];
}

type Key = (row: ListedBalance) => string | number | bigint;

/** Without accountCode: rows are in the order of the chart. */
const KEYS: Readonly<Record<Exclude<ListingOrder['by'], 'accountCode'>, Key>> = {
  shortCode: ({ account }) => account.shortCode,
  description: ({ account }) => account.description,
  accountType: ({ account }) => account.type,
  level: ({ account }) => account.level,
  opening: ({ movement }) => movement.opening,
  debit: ({ movement }) => movement.debit,
  credit: ({ movement }) => movement.credit,
  closing: ({ movement }) => movement.closing,
  balance: ({ balance }) => balance,
  side: ({ balance }) => sideOf(balance),
};

function sortRows(rows: readonly ListedBalance[], { by, direction }: ListingOrder): readonly ListedBalance[] {
  const isAscending = direction === 'ASC';
  if (by === 'accountCode') return isAscending ? rows : rows.toReversed();
  const [key, sign] = [KEYS[by], isAscending ? 1 : -1];
  return rows.toSorted((a, b) => {
    const [left, right] = [key(a), key(b)];
    return left < right ? -sign : left > right ? sign : 0;
  });
}
