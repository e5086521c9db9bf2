import { useQuery } from '@tanstack/react-query';
import { PartidasProblem } from 'partidas-client';
import { api } from '../../data/client.ts';
import { usePlace } from '../../data/place.ts';
import { MONTHS_KEY } from '../../data/queries.ts';
import type { Span } from './span.ts';

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

export type DailyQuota = Awaited<ReturnType<typeof api.masterdata.listDailyQuotas>>[number];

/** Confirmed quotas of days, oldest first; with `replaced` those that were reprocessed too. */
export function useDailyQuotas(span: Span, replaced: boolean) {
  const { company, branch } = usePlace();
  return useQuery({
    queryKey: [MONTHS_KEY, company, 'daily quotas', branch, span, replaced],
    queryFn: ({ signal }) =>
      api.masterdata.listDailyQuotas(
        { path: { company, branch }, query: { ...span, replaced: replaced ? 'true' : 'false' } },
        { signal },
      ),
  });
}

/** What the days would have for quotas; those that have one already are left out. */
export function useDailyPreview(span: Span | undefined) {
  const { company, branch } = usePlace();
  return useQuery({
    queryKey: [MONTHS_KEY, company, 'daily quota preview', branch, span],
    staleTime: 0,
    retry: false,
    enabled: span !== undefined,
    queryFn: async ({ signal }) => {
      const found = await api.masterdata.calculateDailyQuotas(
        { path: { company, branch }, body: askedDays(span!) },
        { signal },
      );
      return found.filter(({ status }) => status === 'PREVIEW');
    },
  });
}

/** A day alone may be any day; of a range the business days are calculated. */
export function askedDays({ from, to }: Span) {
  return from === to ? { date: from } : { from, to };
}

/** Undefined: it waits for a second person. */
export function doneOrWaiting<Done extends readonly unknown[]>(answer: Done): Done | undefined {
  return Array.isArray(answer) ? answer : undefined;
}
