import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from './client.ts';
import { MONTHS_KEY } from './queries.ts';

/** A request that waits for a second person. */
export type Approval = Awaited<ReturnType<typeof api.movements.getApproval>>;

/** Shown at once; who has more decides on some first. */
const SHOWN = 50;

/** What waits in the company, or in one branch of it. */
export function waitingApprovalsQuery(company: string, branch?: string) {
  return queryOptions({
    queryKey: [MONTHS_KEY, company, 'approvals', branch ?? '*'],
    queryFn: async ({ signal }) => {
      const of = branch === undefined ? { company } : { company, branch };
      const query = { ...of, status: 'PENDING_APPROVAL', size: SHOWN } as const;
      return (await api.movements.listApprovals({ query }, { signal })).content;
    },
    placeholderData: keepPreviousData,
    // Others ask, and what is asked in a row of an entry tells nobody.
    refetchInterval: 20_000,
  });
}
