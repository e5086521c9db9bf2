import { useQuery } from '@tanstack/react-query';
import { type Month, monthNumberOf, yearOf } from '../../../src/accounting/period.ts';
import { api } from '../../data/client.ts';
import { usePlace } from '../../data/place.ts';
import { useSearchParams } from '../../data/search-params.ts';
import type { FilingJob, FilingKind } from './filing-kinds.ts';

/** Key of the deliveries of a year. */
export const DELIVERIES_KEY = 'regulatory deliveries';

/** Between two looks at a file that is being written, in milliseconds. */
const LOOK_EVERY = 400;

export function useDeliveries() {
  const { company, month } = usePlace();
  const ano = yearOf(month);
  return useQuery({
    queryKey: [DELIVERIES_KEY, company, ano],
    queryFn: ({ signal }) => api.reports.listRegulatoryDeliveries({ query: { empresa: company, ano } }, { signal }),
  });
}

export function isUnderWay({ status }: FilingJob): boolean {
  return status === 'PENDING' || status === 'RUNNING';
}

/** The file of the address, looked at again until it is written. */
export function useFilingJob() {
  const [{ pedido }] = useSearchParams();
  const id = /^\d+$/.test(pedido ?? '') ? Number(pedido) : undefined;
  return useQuery<FilingJob>({
    queryKey: ['filing job', id],
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? LOOK_EVERY : false),
    queryFn: ({ signal }) => api.reports.getFilingJob({ path: { id: id! } }, { signal }),
  });
}

type EcdBody = Parameters<typeof api.reports.writeEcd>[0]['body'];

/** What is asked of an ECD beside its company and year; what is left out is as the company's profile has it. */
export type EcdOptions = Omit<EcdBody, 'empresa' | 'ano' | 'comErros'>;

export interface Asked {
  readonly kind: FilingKind;
  readonly company: string;
  readonly month: Month;
  readonly options: EcdOptions;
}

/** Orders a file. */
export function orderFiling({ kind, company, month, options }: Asked, comErros: boolean): Promise<FilingJob> {
  const of = { empresa: company, ano: yearOf(month), comErros };
  if (kind === 'ECD') return api.reports.writeEcd({ body: { ...options, ...of } });
  return api.reports.writeCosif({ body: { ...of, documento: kind, mes: monthNumberOf(month) } });
}

/** What such a file would be found wrong with. */
export function precheckFiling({ kind, company, month, options }: Asked, isComplete: boolean) {
  const { livro, dataInicio, dataFim, semestral, situacaoEspecial, situacaoInicio } = options;
  const of = { empresa: company, arquivo: kind, ano: yearOf(month) };
  const query =
    kind === 'ECD'
      ? {
          ...{ ...of, livro, dataInicio, dataFim, situacaoEspecial, situacaoInicio },
          ...{ semestral: truth(semestral ?? false), completo: truth(isComplete) },
        }
      : { ...of, mes: monthNumberOf(month) };
  return api.reports.precheckRegulatoryFile({ query });
}

function truth(is: boolean): 'true' | 'false' {
  return is ? 'true' : 'false';
}
