import { useQuery } from '@tanstack/react-query';
import { PartidasProblem } from 'partidas-client';
import { api } from '../../data/client.ts';
import { usePlace } from '../../data/place.ts';
import { MONTHS_KEY } from '../../data/queries.ts';

// The keys begin with MONTHS_KEY: another day or another close is another quota.

export type Quota = Awaited<ReturnType<typeof api.masterdata.listConfirmedQuotas>>[number];
export type QuotaPreview = Awaited<ReturnType<typeof api.movements.previewQuota>>;
export type QuotaConfiguration = Awaited<ReturnType<typeof api.masterdata.getQuotaConfiguration>>;

export function useQuotas(span: { readonly from?: string; readonly to?: string }) {
  const { company, branch } = usePlace();
  return useQuery({
    queryKey: [MONTHS_KEY, company, 'quotas', branch, span],
    queryFn: ({ signal }) => api.masterdata.listConfirmedQuotas({ path: { company, branch }, query: span }, { signal }),
  });
}

/** The quota that a confirmation would store now. */
export function useQuotaPreview(enabled: boolean) {
  const { company, branch } = usePlace();
  return useQuery({
    queryKey: [MONTHS_KEY, company, 'quota preview', branch],
    staleTime: 0,
    enabled,
    queryFn: ({ signal }) => api.movements.previewQuota({ path: { company, branch } }, { signal }),
  });
}

/** Null where the branch has none. */
export function useQuotaConfiguration() {
  const { company, branch } = usePlace();
  return useQuery({
    queryKey: [MONTHS_KEY, company, 'quota configuration', branch],
    queryFn: async ({ signal }): Promise<QuotaConfiguration | null> => {
      try {
        return await api.masterdata.getQuotaConfiguration({ path: { company, branch } }, { signal });
      } catch (error) {
        if (error instanceof PartidasProblem && error.status === 404) return null;
        throw error;
      }
    },
  });
}
