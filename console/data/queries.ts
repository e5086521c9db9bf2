import { queryOptions, useQuery } from '@tanstack/react-query';
import type { AccountClass } from '../../src/accounting/balance.ts';
import { addMonths, type Month, monthFromSlash, monthRange } from '../../src/accounting/period.ts';
import { api } from './client.ts';
import { type Place, usePlace } from './place.ts';

// What several screens ask the server, each with its key: a screen that changes such data invalidates the key.

/** OPEN and CLOSED as the books have it; NONE before the first and after the last one that was opened. */
export type MonthState = 'OPEN' | 'CLOSED' | 'NONE';

/** Of a branch: months are opened one after the other, so a few of them say the state of all. */
export interface BranchMonths {
  readonly first: Month | undefined;
  readonly firstOpen: Month | undefined;
  readonly last: Month | undefined;
  /** The one that may be opened next. */
  readonly next: Month | undefined;
}

export type OfficialList = Parameters<typeof api.masterdata.listOfficialCodes>[0]['path']['list'];

/** The codes of a list of the federal revenue service, in the order of its manual. */
export const readOfficialCodes = (list: OfficialList, signal: AbortSignal) =>
  api.masterdata.listOfficialCodes({ path: { list } }, { signal });

/** Key: invalidated by whoever opens, closes or reopens a month. */
export const MONTHS_KEY = 'months';

export const branchMonthsQuery = (company: string, branch: string) =>
  queryOptions({
    queryKey: [MONTHS_KEY, company, branch],
    queryFn: async ({ signal }): Promise<BranchMonths> => {
      const months = await api.masterdata.getMonthOpening({ path: { company, branch } }, { signal });
      const read = (text: string | null) => (text === null ? undefined : monthFromSlash(text));
      return {
        first: read(months.initialyearmonth),
        firstOpen: read(months.firstPostingyearmonth),
        last: read(months.endyearmonth),
        next: read(months.newyearmonth),
      };
    },
  });

export function stateOfMonth({ first, firstOpen, last }: BranchMonths, month: Month): MonthState {
  if (last === undefined || month > last || (first !== undefined && month < first)) return 'NONE';
  return firstOpen !== undefined && month >= firstOpen ? 'OPEN' : 'CLOSED';
}

/** The state of the month of the address; undefined while it is read. */
export function useMonthState(): MonthState | undefined {
  const { company, branch, month } = usePlace();
  const { data } = useQuery(branchMonthsQuery(company, branch));
  return data && stateOfMonth(data, month);
}

/** The twelve months of a year. */
export function monthsOfYear(month: Month): Month[] {
  const first = `${month.slice(0, 4)}-01` as Month;
  return monthRange(first, addMonths(first, 11));
}

/** An account of the chart, as far as screens show and search it. */
export interface ChartAccount {
  readonly id: number;
  readonly code: string;
  readonly reduced: string;
  readonly name: string;
  /** S: has others below it; A: takes entries. */
  readonly type: 'S' | 'A';
  readonly normalBalance: 'D' | 'C' | 'M';
  readonly accountClass: AccountClass;
  readonly level: number;
  readonly parentId: number | null;
  readonly active: boolean;
  /** About how many lines the branch posts to it, rounded down to a power of two. */
  readonly uses: number;
}

/** The chart of the branch in its order. No money in it: read by plain JSON.parse. */
export const chartQuery = ({ company, branch }: Pick<Place, 'company' | 'branch'>) =>
  queryOptions({
    queryKey: ['chart', company, branch],
    staleTime: 5 * 60_000,
    queryFn: async ({ signal }): Promise<ChartAccount[]> => {
      const accounts = await api.queries.listChart({ path: { company, branch } }, { signal });
      return accounts.map((account) => ({
        id: account.id,
        code: account.cdAccounting,
        reduced: account.cdReduced,
        name: account.description,
        type: account.accountType,
        normalBalance: account.nature,
        accountClass: account.accountClass as AccountClass,
        level: account.level,
        parentId: account.parentId,
        active: account.active,
        uses: account.uses,
      }));
    },
  });

/** The chart of the branch of the address. */
export function useChart(): {
  accounts: readonly ChartAccount[] | undefined;
  byId: (id: number) => ChartAccount | undefined;
} {
  const { data } = useQuery(chartQuery(usePlace()));
  return { accounts: data, byId: (id) => data && indexOf(data).get(id) };
}

const indexes = new WeakMap<readonly ChartAccount[], ReadonlyMap<number, ChartAccount>>();

/** The accounts by id, made once for each chart that was read. */
export function indexOf(accounts: readonly ChartAccount[]): ReadonlyMap<number, ChartAccount> {
  let index = indexes.get(accounts);
  if (index === undefined) {
    index = new Map(accounts.map((account) => [account.id, account]));
    indexes.set(accounts, index);
  }
  return index;
}
