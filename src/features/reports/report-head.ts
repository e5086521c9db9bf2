import { maskedCnpj } from '../../accounting/cnpj.ts';
import { brazilianDate, type Day, type Month, monthNumberOf, yearOf } from '../../accounting/period.ts';
import { refuse } from '../../accounting/problem.ts';
import { named } from '../../accounting/record-name.ts';
import { type BranchRow, type CompanyRow, selectBranch, selectCompany } from '../companies/companies.read.sql.ts';
import { type CompanyOptionsRow, selectOptions } from '../companies/company-options.read.sql.ts';
import type { ReportSource } from './report-source.ts';

/** Whose books these are and how they are kept. */
export interface BookKeeper {
  readonly company: CompanyRow;
  readonly branch: BranchRow;
  readonly options: CompanyOptionsRow;
}

/** Refuses when the branch has no chart of accounts yet. */
export async function readBookKeeper({ sql, tenant }: ReportSource): Promise<BookKeeper> {
  const company = await selectCompany(sql, tenant.companyId);
  const branch = await selectBranch(sql, tenant.companyId, tenant.branchId);
  if (!company || !branch) refuse('NOT_FOUND', named('Branch', tenant.branch));
  const options =
    (await selectOptions(sql, tenant.companyId, tenant.branchId)) ??
    refuse('CHART_NOT_CONFIGURED', { company: tenant.company, branch: tenant.branch });
  return { company, branch, options };
}

/** Values that every page's header shows. */
export function headValues({ company, branch }: BookKeeper, period: string, now: Date): Record<string, string> {
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
