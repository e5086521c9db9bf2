import { maskedCnpj } from '../../../accounting/cnpj.ts';
import { brazilianDate, type Day, type Month, monthNumberOf, yearOf } from '../../../accounting/period.ts';
import type { ReportingEntity } from '../statements/reporting-entity.ts';

/** Values that every page's header shows. */
export function headValues({ company, branch }: ReportingEntity, period: string, now: Date): Record<string, string> {
  return {
    company: company.name,
    identification: `CNPJ ${maskedCnpj(branch.cnpj ?? company.cnpj)} · Filial ${branch.code} ${branch.name}`,
    period,
    emittedAt: `Emitido em ${saoPaulo.format(now).replace(',', '')}`,
  };
}

/** 'Janeiro de 2026' */
export function monthInWords(month: Month): string {
  return `${MONTHS[monthNumberOf(month) - 1]} de ${yearOf(month)}`;
}

/** '01/01/2026 a 31/01/2026' */
export function daysInWords(from: Day, to: Day): string {
  return from === to ? brazilianDate(from) : `${brazilianDate(from)} a ${brazilianDate(to)}`;
}

const MONTHS = [
  'Janeiro',
  'Fevereiro',
  'Março',
  'Abril',
  'Maio',
  'Junho',
  'Julho',
  'Agosto',
  'Setembro',
  'Outubro',
  'Novembro',
  'Dezembro',
];

const saoPaulo = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'short',
});
