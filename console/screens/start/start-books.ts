import { PartidasProblem } from 'partidas-client';
import {
  addMonths,
  type Month,
  monthFromSlash,
  monthNumberOf,
  slashOf,
  yearOf,
} from '../../../src/accounting/period.ts';
import cosifFile from '../../../src/seeds/cosif/cosif2025_accounts.csv?url';
import plainFile from '../../../src/seeds/plain/plain_accounts.csv?url';
import { api } from '../../data/client.ts';
import { type ChartKind, sampleCsv } from './sample-csv.ts';

export const BRANCH = '0001';

/** What the books of a new company begin with. */
export interface NewBooks {
  /** Its code. */
  readonly company: string;
  readonly name: string;
  readonly cnpj: string;
  readonly zipCode: string;
  /** What the register said besides: address, telephone. */
  readonly found: Readonly<Record<string, string>>;
  readonly institutionType: 'BANCO' | 'DTVM' | 'CTVM' | 'FUNDO' | 'COOPERATIVA' | 'CONSORCIO' | 'OUTRA';
  readonly chart: ChartKind;
  readonly month: Month;
  /** Two months of a small business. */
  readonly sample: boolean;
}

export interface Step {
  readonly text: string;
  run(): Promise<unknown>;
}

/**
 * What is done, in its order. Each step first looks whether it was done before, so that all of them may be repeated
 * after a failure: nothing is made twice.
 */
export function stepsOf(books: NewBooks): readonly Step[] {
  const months = books.sample ? [books.month, addMonths(books.month, 1)] : [books.month];
  return [
    ...companyStepsOf(books),
    { text: `Plano de contas ${books.chart}`, run: () => ensureChart(books.chart) },
    { text: 'Opções dos livros', run: () => unlessThere(() => createOptions(books)) },
    ...months.map((month) => ({ text: `Mês ${slashOf(month)} aberto`, run: () => ensureMonth(books.company, month) })),
    ...(books.sample
      ? months.map((month) => ({ text: `Lançamentos de ${slashOf(month)}`, run: () => importSample(books, month) }))
      : []),
  ];
}

/** What has to be there before a bookkeeping file can be tried. */
export function companyStepsOf(books: NewBooks): readonly Step[] {
  return [
    { text: 'Empresa', run: () => unlessThere(() => createCompany(books)) },
    { text: 'Matriz', run: () => unlessThere(() => createHeadOffice(books)) },
  ];
}

function createCompany({ company, name, cnpj, zipCode, found, institutionType }: NewBooks) {
  return api.masterdata.createCompany({ body: { ...found, company, name, cnpj, zipCode, institutionType } });
}

function createHeadOffice({ company, cnpj }: NewBooks) {
  return api.masterdata.createBranch({ body: { company, branch: BRANCH, name: 'Matriz', cnpj, headOffice: true } });
}

function createOptions({ company, chart, month }: NewBooks) {
  return api.masterdata.createCompanyOptions({
    body: {
      company,
      branch: BRANCH,
      chartCode: chart,
      baseYearMonth: slashOf(month),
      regulatoryLayout: chart === 'COSIF' ? 'COSIF' : 'NONE',
    },
  });
}

async function ensureChart(chart: ChartKind): Promise<void> {
  const known = await api.masterdata.listCharts();
  if (known.some(({ chartCode }) => chartCode === chart)) return;
  const csv = await (await fetch(chart === 'COSIF' ? cosifFile : plainFile)).blob();
  const file = new File([csv], `${chart.toLowerCase()}.csv`, { type: 'text/csv' });
  requireSuccess(await api.masterdata.importAccounts({ query: { chart }, body: { file } }));
}

async function ensureMonth(company: string, month: Month): Promise<void> {
  const path = { company, branch: BRANCH };
  const { endyearmonth } = await api.movements.getMonthOpening({ path });
  const last = endyearmonth === null ? undefined : monthFromSlash(endyearmonth);
  if (last === undefined || last < month)
    await api.movements.openMonth({ path, body: { newyearmonth: slashOf(month), confirmed: false } });
}

async function importSample({ company, chart, month: first }: NewBooks, month: Month): Promise<void> {
  const [ano, mes] = [yearOf(month), monthNumberOf(month)];
  const batches = await api.movements.listBatches({ path: { company, branch: BRANCH } });
  const before = batches.find((each) => each.ano === ano && each.mes === mes);
  // A file is imported whole or not at all.
  if (before && (await api.movements.listDocuments({ path: { batchId: before.id } })).length > 0) return;
  const newBatch = { empresa: company, filial: BRANCH, ano, mes, descricao: 'Dados de exemplo' };
  const batch = before ?? (await api.movements.createBatch({ body: newBatch }));
  const file = new File([sampleCsv(chart, month === first)], `exemplo-${month}.csv`, { type: 'text/csv' });
  const imported = await api.movements.importEntriesCsv({ path: { batchId: batch.id }, body: { file } });
  requireSuccess(imported);
}

function requireSuccess({ success, errors }: { success: boolean; errors: readonly string[] }): void {
  if (!success) throw new Error(errors.slice(0, 3).join(' '));
}

/** What is there already stays as it is. */
async function unlessThere(create: () => Promise<unknown>): Promise<void> {
  try {
    await create();
  } catch (error) {
    if (!(error instanceof PartidasProblem && error.code === 'DUPLICATE')) throw error;
  }
}
