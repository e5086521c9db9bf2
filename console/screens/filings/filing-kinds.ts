import { type Month, monthNumberOf, slashOf, yearOf } from '../../../src/accounting/period.ts';
import type { api } from '../../data/client.ts';
import { dayText } from '../../ui/format.ts';

// The files that the screen writes, and what it calls them.

export type FilingJob = Awaited<ReturnType<typeof api.reports.getFilingJob>>;
export type Delivery = Awaited<ReturnType<typeof api.reports.listRegulatoryDeliveries>>[number];
export type FilingKind = Delivery['arquivo'];

export const FILING_KINDS = [
  { value: 'ECD', text: 'ECD · Escrituração digital' },
  { value: '4010', text: '4010 · Balancete COSIF' },
  { value: '4016', text: '4016 · Balanço COSIF' },
] as const satisfies readonly { readonly value: FilingKind; readonly text: string }[];

export const ECD_BOOKS = [
  { value: 'G', text: 'G · Diário' },
  { value: 'B', text: 'B · Balancetes diários' },
] as const;

export const FILING_VIEWS = [
  { value: 'gerar', text: 'Gerar arquivo' },
  { value: 'entregas', text: 'Entregas' },
  { value: 'verificar', text: 'Verificar arquivo de terceiros' },
] as const;

export function filingKindOf(text: string | undefined): FilingKind {
  return FILING_KINDS.find(({ value }) => value === text)?.value ?? 'ECD';
}

/** The document 4016 closes a half-year. */
export function isWritable(kind: FilingKind, month: Month): boolean {
  return kind !== '4016' || monthNumberOf(month) % 6 === 0;
}

/** '2025' of an ECD, '06/2025' of a document of the central bank. */
export function periodOfKind(kind: FilingKind, month: Month): string {
  return kind === 'ECD' ? String(yearOf(month)) : slashOf(month);
}

/** 'ECD G', '4010 em substituição'. */
export function nameOfFiling({ arquivo, livro, remessa }: Pick<Delivery, 'arquivo' | 'livro' | 'remessa'>): string {
  return `${arquivo}${livro === null ? '' : ` ${livro}`}${remessa === 'S' ? ' em substituição' : ''}`;
}

export function periodText({ dataInicio, dataFim }: Pick<Delivery, 'dataInicio' | 'dataFim'>): string {
  return `${dayText(dataInicio)} a ${dayText(dataFim)}`;
}
