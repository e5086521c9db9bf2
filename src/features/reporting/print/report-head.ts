import { maskedCnpj } from '../../../accounting/cnpj.ts';
import {
  brazilianDate,
  type Day,
  firstDay,
  lastDay,
  type Month,
  monthNumberOf,
  yearOf,
} from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import type { BranchRow, CompanyRow } from '../../master-data/companies/companies.read.sql.ts';
import type { CompanyOptionsRow } from '../../master-data/companies/company-options.read.sql.ts';
import { selectMonthStates } from './book-lines.read.sql.ts';
import {
  type Moment,
  selectPrintedBranch,
  selectPrintedCompany,
  selectPrintedOptions,
} from './printed-names.read.sql.ts';
import type { ReportSource } from './report-source.ts';

/** Whose books these are and how they are kept, as the month printed says it. */
export interface ReportingEntity {
  readonly company: CompanyRow;
  readonly branch: BranchRow;
  readonly options: CompanyOptionsRow;
  /** When the month printed was closed: its names are those of then. undefined: they are those of now. */
  readonly namesAt: Moment | undefined;
}

/** `month` is the last one printed. Refuses when the branch has no chart of accounts yet. */
export async function readReportingEntity({ sql, tenant }: ReportSource, month: Month): Promise<ReportingEntity> {
  const [state] = await selectMonthStates(sql, tenant, firstDay(month), lastDay(month));
  const namesAt = state?.closedAt ?? undefined;
  const company = await selectPrintedCompany(sql, tenant, namesAt);
  const branch = await selectPrintedBranch(sql, tenant, namesAt);
  if (!company || !branch) reject('NOT_FOUND', recordRef('Branch', tenant.branch));
  const options =
    (await selectPrintedOptions(sql, tenant, namesAt)) ??
    reject('CHART_NOT_CONFIGURED', { company: tenant.company, branch: tenant.branch });
  return { company, branch, options, namesAt };
}

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
