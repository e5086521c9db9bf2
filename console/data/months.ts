import { queryOptions } from '@tanstack/react-query';
import type { Month } from '../../src/accounting/period.ts';
import { api } from './client.ts';
import { MONTHS_KEY } from './queries.ts';

// Months of all branches. Their keys begin with MONTHS_KEY: who changes a month invalidates all of them.

type Answer<Operation extends (...given: never[]) => Promise<unknown>> = Awaited<ReturnType<Operation>>;

/** How often they are read again while a month close runs, in milliseconds. */
const WHILE_CLOSING = 1_000;

/** A month of a branch at a glance. */
export type BranchOverview = Answer<typeof api.queries.getMonthOfBranches>['branches'][number];

/** A month close as it stands. */
export type MonthCloseRun = NonNullable<BranchOverview['lastRun']>;

export const monthOverviewsQuery = (company: string, month: Month) =>
  queryOptions({
    queryKey: [MONTHS_KEY, company, 'overviews', month],
    queryFn: async ({ signal }) =>
      (await api.queries.getMonthOfBranches({ path: { company }, query: { month } }, { signal })).branches,
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ lastRun }) => isUnderWay(lastRun)) ? WHILE_CLOSING : false,
  });

/** The months of a branch as far as they are opened. */
export type BranchStates = Answer<typeof api.queries.listMonthStates>['branches'][number];

export const monthStatesQuery = (company: string, from: Month, to: Month) =>
  queryOptions({
    queryKey: [MONTHS_KEY, company, 'states', from, to],
    queryFn: async ({ signal }) =>
      (await api.queries.listMonthStates({ path: { company }, query: { from, to } }, { signal })).branches,
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ months }) => months.some(({ closing }) => closing)) ? WHILE_CLOSING : false,
  });

export function isUnderWay(run: Pick<MonthCloseRun, 'status'> | null | undefined): boolean {
  return run?.status === 'PENDING' || run?.status === 'RUNNING';
}
