import { useQuery } from '@tanstack/react-query';
import type { Day } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import { usePlace } from '../../data/place.ts';
import { MONTHS_KEY } from '../../data/queries.ts';
import type { Span } from './span.ts';

// What a fund is charged: the terms, the fees that were accrued, and those of a day before they are posted.

export type FundFee = Awaited<ReturnType<typeof api.masterdata.listFundFees>>[number];
export type FeeAccrual = Awaited<ReturnType<typeof api.masterdata.listFeeAccruals>>[number];
export type ProposedFee = Awaited<ReturnType<typeof api.masterdata.previewFees>>[number];

export const FEE_NAMES: Readonly<Record<FundFee['kind'], string>> = {
  ADMINISTRATION: 'Administração',
  PERFORMANCE: 'Performance',
};

/** The fees of the branch's fund. */
export function useFundFees() {
  const { company, branch } = usePlace();
  return useQuery({
    queryKey: [MONTHS_KEY, company, 'fund fees', branch],
    queryFn: async ({ signal }) => {
      const fees = await api.masterdata.listFundFees({}, { signal });
      return fees.filter((each) => each.company === company && each.branch === branch);
    },
  });
}

export function useAccruals(span: Span) {
  const { company, branch } = usePlace();
  return useQuery({
    queryKey: [MONTHS_KEY, company, 'fee accruals', branch, span],
    queryFn: ({ signal }) => api.masterdata.listFeeAccruals({ path: { company, branch }, query: span }, { signal }),
  });
}

/** The fees of a day as they would be posted. */
export function useProposedFees(date: Day | undefined) {
  const { company, branch } = usePlace();
  return useQuery({
    queryKey: [MONTHS_KEY, company, 'proposed fees', branch, date],
    staleTime: 0,
    retry: false,
    enabled: date !== undefined,
    queryFn: ({ signal }) =>
      api.masterdata.previewFees({ path: { company, branch }, query: { date: date! } }, { signal }),
  });
}
