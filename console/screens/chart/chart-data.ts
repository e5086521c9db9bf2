import { queryOptions } from '@tanstack/react-query';
import { api } from '../../data/client.ts';
import type { Place } from '../../data/place.ts';
import { typeOf } from '../records/records-data.ts';

export const ACCOUNT_TYPE = typeOf('contas')!;

/** An account with all that its form changes, and what is known of its use. */
export type Account = Awaited<ReturnType<typeof api.masterdata.listAccountDetails>>[number];

export type Chart = Awaited<ReturnType<typeof api.masterdata.listCharts>>[number];

/** Under the key of the records: whoever saves one of them has these read again. */
export const chartsQuery = queryOptions({
  queryKey: ['records', 'planos', 'charts'],
  queryFn: ({ signal }) => api.masterdata.listCharts({}, { signal }),
});

/** The chart that the branch of the address uses; null where its options name none yet. */
export const branchChartQuery = ({ company, branch }: Pick<Place, 'company' | 'branch'>) =>
  queryOptions({
    queryKey: ['records', 'opcoes', 'chart', company, branch],
    queryFn: async ({ signal }) => {
      const options = await api.masterdata.listCompanyOptions({}, { signal });
      return options.find((each) => each.company === company && each.branch === branch)?.chartCode ?? null;
    },
  });

/** All accounts of a chart in its order. */
export const accountsQuery = (chart: string | undefined) =>
  queryOptions({
    queryKey: ['records', 'contas', chart],
    enabled: chart !== undefined,
    queryFn: ({ signal }) => api.masterdata.listAccountDetails({ query: { chart: chart! } }, { signal }),
  });

/** The accounts with the words in code, short code or name, and those above them. */
export function accountsWith(accounts: readonly Account[], words: readonly string[], fold: (text: string) => string) {
  if (words.length === 0) return accounts;
  const byId = new Map(accounts.map((account) => [account.id, account]));
  const kept = new Set<number>();
  for (const account of accounts) {
    const text = fold(`${account.cdAccounting} ${account.cdReduced} ${account.description}`);
    if (!words.every((word) => text.includes(word))) continue;
    for (let each: Account | undefined = account; each && !kept.has(each.id); each = byId.get(each.parentId ?? 0)) {
      kept.add(each.id);
    }
  }
  return accounts.filter(({ id }) => kept.has(id));
}

/** The summary accounts that an account may stand below: neither itself nor what is below it. */
export function placesFor(accounts: readonly Account[], moved: Account | undefined): readonly Account[] {
  const below = new Set<number>(moved === undefined ? [] : [moved.id]);
  // In the order of the chart those above come first.
  for (const { id, parentId } of accounts) if (parentId !== null && below.has(parentId)) below.add(id);
  return accounts.filter(({ id, accountType }) => accountType === 'S' && !below.has(id));
}
