import { maskedCnpj } from '../../../accounting/cnpj.ts';
import {
  addMonths,
  brazilianDate,
  type Day,
  dayNumberOf,
  lastDay,
  type Month,
  monthNumberOf,
  monthOfDay,
  yearOf,
} from '../../../accounting/period.ts';
import { nameBranches } from '../../master-data/companies/institution.ts';
import type { ReportingEntity } from '../statements/reporting-entity.ts';
import type { MonthStatement, ShownFigures } from '../statements/statement-source.ts';
import { institutionNotes, withoutBranches } from './institution-notes.ts';
import type { ReportContent } from './report-source.ts';
import { signatureBlock } from './signature-block.ts';

/** Values that every page of figures shows: whose they are, of when, in what unit, and whether they may change. */
export function headValues(figures: ShownFigures, period: string, now: Date): Record<string, string> {
  const { entity, state, isAfterClosing } = figures;
  return {
    ...entityValues(entity, period, now),
    description: [...(isAfterClosing === undefined ? [] : [positionOf(isAfterClosing)]), UNIT].join(' · '),
    notice: state === 'OPEN' ? 'PROVISÓRIO – mês não consolidado' : '',
  };
}

/** The same for figures of a span of days. */
export function daysHead(
  figures: ShownFigures,
  { from, to }: { readonly from: Day; readonly to: Day },
  now: Date,
): Record<string, string> {
  return headValues(figures, daysInWords(from, to), now);
}

/** Head of a paper of lines, which names their branches in the books of an institution. */
export function linesHead(
  shown: ShownFigures,
  days: { readonly from: Day; readonly to: Day },
  now: Date,
): Pick<ReportContent, 'values' | 'warnings' | 'without'> {
  return { values: daysHead(shown, days, now), warnings: institutionNotes(shown), without: withoutBranches(shown) };
}

const UNIT = 'Em reais (R$)';

function positionOf(isAfterClosing: boolean): string {
  return `Posição ${isAfterClosing ? 'após o' : 'antes do'} encerramento do resultado`;
}

/** Those of a page without figures. */
export function entityValues(entity: ReportingEntity, period: string, now: Date): Record<string, string> {
  return {
    ...identityOf(entity),
    period,
    emittedAt: `Emitido em ${saoPaulo.format(now).replace(',', '')}`,
  };
}

/** The books of a fund are its own: they carry its name and number, and who administers it. */
function identityOf(entity: ReportingEntity): { company: string; identification: string } {
  const { company, branch, fund } = entity;
  if (fund === undefined) {
    const cnpj = maskedCnpj(branch.cnpj ?? company.cnpj);
    return { company: company.name, identification: `CNPJ ${cnpj} · ${nameOfBooks(entity)}` };
  }
  const { name, cnpj, cvmCode, administrator } = fund;
  const parts = [
    `CNPJ ${maskedCnpj(cnpj)}`,
    ...(cvmCode === null ? [] : [`Código CVM ${cvmCode}`]),
    administrator?.name ? `Administrador: ${administratorInWords(administrator)}` : company.name,
  ];
  return { company: name, identification: parts.join(' · ') };
}

/** Maximum number of branches that a header names. */
const MAX_NAMED = 12;

/** 'Filial 0001 Matriz', 'Instituição (filiais 0001, 0002)' */
function nameOfBooks({ branch, institution }: ReportingEntity): string {
  return institution === undefined
    ? `Filial ${branch.code} ${branch.name}`
    : `Instituição (filiais ${nameBranches(institution.members, MAX_NAMED)})`;
}

/** 'Banco Exemplo S.A., CNPJ 11.222.333/0001-81' */
export function administratorInWords({ name, cnpj }: { readonly name?: string; readonly cnpj?: string }): string {
  return [name, cnpj && `CNPJ ${maskedCnpj(cnpj)}`].filter((part) => part).join(', ');
}

/**
 * Head and places to sign of a statement at the end of a month. Its titles may hold `date` in words, and the dates of
 * `now` and, a month before, of `before`.
 */
export function monthHead(
  statement: ShownFigures & Pick<MonthStatement, 'month'>,
  now: Date,
): Pick<ReportContent, 'values' | 'signatures'> {
  const { entity, month } = statement;
  const end = lastDay(month);
  return {
    values: {
      ...headValues(statement, monthInWords(month), now),
      date: dateInWords(end),
      now: brazilianDate(end),
      before: brazilianDate(lastDay(addMonths(month, -1))),
    },
    signatures: signatureBlock(entity.options.signatories),
  };
}

/** 'Janeiro de 2026' */
export function monthInWords(month: Month): string {
  return `${MONTHS[monthNumberOf(month) - 1]} de ${yearOf(month)}`;
}

/** '31 de janeiro de 2026', '1º de janeiro de 2026' */
export function dateInWords(day: Day): string {
  const number = dayNumberOf(day);
  return `${number === 1 ? '1º' : number} de ${monthInWords(monthOfDay(day)).toLowerCase()}`;
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
