import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Month, monthNumberOf, yearOf } from '../../src/accounting/period.ts';
import { api } from './client.ts';
import { usePlace } from './place.ts';
import { branchMonthsQuery, MONTHS_KEY, stateOfMonth } from './queries.ts';

/** A seal as the branch's log has it. */
export type Seal = Awaited<ReturnType<typeof api.queries.listSeals>>[number];

/** Seals of one answer. */
const PAGE = 1_000;

/** The whole log of the branch in its order, replaced seals too. */
export const sealsQuery = (company: string, branch: string) =>
  queryOptions({
    queryKey: [MONTHS_KEY, company, 'seals', branch],
    queryFn: async ({ signal }): Promise<readonly Seal[]> => {
      const seals: Seal[] = [];
      for (;;) {
        const query = { from: seals.length, size: PAGE };
        const page = await api.queries.listSeals({ path: { company, branch }, query }, { signal });
        seals.push(...page);
        if (page.length < PAGE) return seals;
      }
    },
  });

/** Those of a month in the order in which they were made: the last one is in force while the month is closed. */
export function sealsOfMonth(seals: readonly Seal[], month: Month): readonly Seal[] {
  return seals.filter(
    ({ year, month: number }) => Number(year) === yearOf(month) && Number(number) === monthNumberOf(month),
  );
}

/** Whether the branch's month is closed with a seal: then proofs are made of it. */
export function useIsSealed(branch: string, month: Month): boolean {
  const { company } = usePlace();
  const { data: months } = useQuery({ ...branchMonthsQuery(company, branch), enabled: branch !== '*' });
  const isClosed = months !== undefined && stateOfMonth(months, month) === 'CLOSED';
  const { data: seals } = useQuery({ ...sealsQuery(company, branch), enabled: isClosed });
  return isClosed && seals !== undefined && sealsOfMonth(seals, month).length > 0;
}

/** '5dc9da79…e4604328': enough to tell two seals apart. */
export function shortSeal(seal: string): string {
  return `${seal.slice(0, 8)}…${seal.slice(-8)}`;
}
