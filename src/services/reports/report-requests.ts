import { z } from 'zod';
import { type Day, type Month, monthOf } from '../../accounting/period.ts';
import { STATEMENT_KINDS } from '../../accounting/statements/statement-definition.ts';
import type {
  BookBinding,
  DailyTrialBalanceRequest,
  JournalRequest,
  LedgerBookRequest,
  ReportRequest,
} from '../../features/reporting/print/report-request.ts';
import { MOST_MONTHS } from '../../features/reporting/statements/read-monthly-columns.ts';
import type { BalanceSelection } from '../../features/reporting/statements/statement-source.ts';
import type { FieldNames } from '../../http/field-names.ts';
import { accountId, branchOrInstitution, companyCode, cpf, id, isoDay, optional, text } from '../../http/fields.ts';
import { rejectRequest } from '../../http/request-error.ts';
import { wireWords } from '../../http/wire-words.ts';
import type { Format } from '../../platform/render/render-table.ts';
import { bookKinds } from './book-kinds.ts';

/** Wire names of the paths of a report's request, whichever report. */
export const REPORT_FIELDS: FieldNames = {
  account: 'conta',
  'annexes[]': 'anexos.[]',
  bookNumber: 'numeroLivro',
  accountFrom: 'accountFrom',
  accountTo: 'accountTo',
  accounts: 'contas',
  considerClosing: 'considerClosing',
  definition: 'demonstracao',
  facts: null,
  format: 'visualizationEnum',
  from: 'dataInicio',
  level: 'level',
  month: 'mes',
  onlyWithMovement: 'onlyWithMovement',
  pages: 'quantidadePaginas',
  periods: 'periodos',
  signatories: 'signatarios',
  to: 'dataFim',
};

const year = z
  .union([
    z.number().int(),
    z
      .string()
      .regex(/^\d{4}$/, 'must be a year | deve ser um ano')
      .transform(Number),
  ])
  .meta({ example: 2026 });
const monthNumber = z
  .union([
    z.number().int(),
    z
      .string()
      .regex(/^\d{1,2}$/, 'must be a month from 1 to 12 | deve ser um mês de 1 a 12')
      .transform(Number),
  ])
  .meta({ example: 1 });
const flag = optional(z.boolean());
const accountCode = optional(text(40, 1).meta({ example: '1' }));
const positive = z.number().int().min(1).max(999_999_999).meta({ example: 1 });

const tenantFields = { empresa: companyCode, filial: branchOrInstitution };

/** Fields of every report request. */
const commonFields = {
  ...tenantFields,
  visualizationEnum: z.enum(['PDF', 'CSV', 'TXT', 'XLSX']).meta({ example: 'PDF' }),
};

const selectionFields = {
  considerClosing: flag.meta({ example: true }),
  showZeroBalances: flag.meta({ example: false }),
  level: optional(z.number().int().min(1).max(40)),
  accountFrom: accountCode,
  accountTo: accountCode,
};

const monthFields = { ...commonFields, ano: year, mes: monthNumber, ...selectionFields };
const daysFields = {
  ...commonFields,
  dataInicio: isoDay.meta({ example: '2026-01-01' }),
  dataFim: isoDay.meta({ example: '2026-01-31' }),
  ...selectionFields,
};

export const monthReportBody = z.strictObject(monthFields);

/** What a body's validated fields ask for. */
export type ParsedReportRequest = { readonly request: ReportRequest; readonly format: Format };

type MonthReport = z.output<typeof monthReportBody>;

export function monthReport(kind: 'monthlyTrialBalance' | 'monthlyTrialCvmBalance' | 'cosifGeneralBalance') {
  return (body: MonthReport): ParsedReportRequest => ({
    format: body.visualizationEnum,
    request: { kind, month: monthFrom(body), ...selectionFrom(body) },
  });
}

export const patrimonialBody = z.strictObject({
  ...monthFields,
  comparative: optional(z.enum(['PREVIOUS_MONTH', 'PREVIOUS_YEAR_END', 'NONE'])),
});

export function patrimonial(kind: 'patrimonialBalance' | 'patrimonialCvmBalance') {
  return (body: z.output<typeof patrimonialBody>): ParsedReportRequest => ({
    format: body.visualizationEnum,
    request: {
      kind,
      month: monthFrom(body),
      comparative: body.comparative ?? 'PREVIOUS_YEAR_END',
      ...selectionFrom(body),
    },
  });
}

/** Side by side on a page of 132 characters: amounts of more would not stand in their columns any more. */
const MAX_PERIODS_OF_TXT = 6;
/** On a page that is not turned. */
const MAX_PERIODS_OF_PORTRAIT = 4;

export const demonstracaoBody = z.strictObject({
  ...commonFields,
  tipo: z.enum(STATEMENT_KINDS).meta({
    example: 'BP',
    description: 'BP balance sheet, DRE income statement, DLPA retained earnings, DMPL changes in equity',
  }),
  ano: year,
  mes: monthNumber,
  periodo: optional(z.enum(['MES', 'SEMESTRE', 'ANO'])).meta({
    example: 'ANO',
    description:
      'from the beginning of the month, of the half-year or of the fiscal year to the end of mes; default ANO',
  }),
  periodos: optional(z.number().int().min(1).max(12)).meta({
    example: 1,
    description: 'how many such periods stand side by side, each earlier than the one before; default 1',
  }),
  comparativo: optional(z.enum(['PREVIOUS_MONTH', 'PREVIOUS_YEAR_END', 'PREVIOUS_YEAR', 'NONE'])).meta({
    example: 'NONE',
    description:
      'of one period alone; default PREVIOUS_YEAR_END for BP, PREVIOUS_YEAR (the same period a year before) else',
  }),
  considerClosing: flag.meta({ example: true }),
  showZeroBalances: flag.meta({ example: false }),
  level: optional(z.number().int().min(1).max(40)),
  demonstracao: optional(z.union([id, text(20, 1)])).meta({
    example: null,
    description: 'code or id of the definition; default the one that holds at the end of the period',
  }),
});

const LENGTHS = { MES: 'MONTH', SEMESTRE: 'SEMESTER', ANO: 'YEAR' } as const;

export function demonstracao(body: z.output<typeof demonstracaoBody>): ParsedReportRequest {
  const { tipo, visualizationEnum: format, periodos: periods = 1, considerClosing = true } = body;
  const byDefault = tipo === 'BP' ? 'PREVIOUS_YEAR_END' : 'PREVIOUS_YEAR';
  rejectTooManyForTxt(format, periods);
  const selection = {
    month: monthFrom(body),
    length: LENGTHS[body.periodo ?? 'ANO'],
    periods,
    comparative: body.comparativo ?? byDefault,
    considerClosing,
    definition: body.demonstracao,
  };
  if (tipo === 'DLPA' || tipo === 'DMPL')
    return { format, request: { kind: 'equityChanges', type: tipo, ...selection } };
  return {
    format,
    request: {
      kind: periods > MAX_PERIODS_OF_PORTRAIT ? 'financialStatements' : 'financialStatement',
      type: tipo,
      ...selection,
      showZeroBalances: body.showZeroBalances ?? false,
      level: body.level,
    },
  };
}

function rejectTooManyForTxt(format: Format, periods: number): void {
  if (format !== 'TXT' || periods <= MAX_PERIODS_OF_TXT) return;
  rejectRequest('FORMAT_NOT_OFFERED', { formats: 'PDF, CSV, XLSX' }, 'visualizationEnum');
}

export const quotaEvolutionBody = z.strictObject({
  ...commonFields,
  dataInicio: isoDay.meta({ example: '2026-01-01' }),
  dataFim: isoDay.meta({ example: '2026-01-31' }),
});

export function quotaEvolution(body: z.output<typeof quotaEvolutionBody>): ParsedReportRequest {
  return { format: body.visualizationEnum, request: { kind: 'quotaEvolution', ...daysFrom(body) } };
}

export const fundEquityBody = z.strictObject({
  ...commonFields,
  ano: year,
  mes: monthNumber,
  periodo: demonstracaoBody.shape.periodo,
});

export function fundEquity(body: z.output<typeof fundEquityBody>): ParsedReportRequest {
  const length = LENGTHS[body.periodo ?? 'ANO'];
  return { format: body.visualizationEnum, request: { kind: 'fundEquity', month: monthFrom(body), length } };
}

export const postingListingBody = z.strictObject({
  ...daysFields,
  lote: optional(text(10, 1)),
  documento: optional(text(20, 1)),
  conta: optional(z.union([accountId, text(40, 1)])),
  orderBy: optional(z.enum(['DATE', 'BATCH', 'ACCOUNT'])),
});

export function postingListing(body: z.output<typeof postingListingBody>): ParsedReportRequest {
  return {
    format: body.visualizationEnum,
    request: {
      kind: 'postingListing',
      ...daysFrom(body),
      batch: body.lote,
      document: body.documento,
      account: body.conta,
      orderBy: body.orderBy ?? 'DATE',
      ...selectionFrom(body),
    },
  };
}

/** Terms are of whole books of closed months: the limits of each field make no sensible example. */
const DAYS_EXAMPLE = {
  empresa: '0001',
  filial: '0001',
  visualizationEnum: 'PDF',
  dataInicio: '2026-01-01',
  dataFim: '2026-01-31',
};

/** Two terms and what they are around. */
const MIN_PAGES_OF_VOLUME = 3;

/** Reports that may be bound with a book. */
export const ANNEX_TYPES = [
  'cosifGeneralBalance',
  'monthlyTrialBalance',
  'monthlyTrialCVMBalance',
  'dailyTrialBalance',
  'patrimonialBalance',
  'patrimonialCVMBalance',
  'demonstracao',
] as const;

/** Maximum number of reports bound with a book. */
const MAX_ANNEXES = 20;

const annexes = z
  .array(z.strictObject({ tipo: z.enum(ANNEX_TYPES), parametros: z.record(z.string(), z.unknown()) }))
  .max(MAX_ANNEXES)
  .meta({
    description: 'bound before the closing term, on folhas that run on; parametros is the request of the report',
    example: [{ tipo: 'patrimonialBalance', parametros: { ano: 2026, mes: 1 } }],
  });

/** How a book is numbered and bound in volumes, each between its terms. */
const bindingFields = {
  numeroLivro: optional(positive),
  paginaInicial: optional(positive),
  includeTerms: optional(z.boolean().meta({ example: true })),
  paginasPorVolume: optional(z.number().int().min(MIN_PAGES_OF_VOLUME).max(999_999_999)).meta({ example: 500 }),
  anexos: optional(annexes),
};

/** A book's request, whose annexes are requests of other reports. */
export type ParsedBook = ParsedReportRequest & {
  readonly request: JournalRequest | LedgerBookRequest | DailyTrialBalanceRequest;
};

function bindingFrom(body: {
  numeroLivro?: number | undefined;
  paginaInicial?: number | undefined;
  includeTerms?: boolean | undefined;
  paginasPorVolume?: number | undefined;
}): BookBinding {
  const { numeroLivro, paginaInicial = 1, paginasPorVolume, includeTerms = paginasPorVolume !== undefined } = body;
  if (paginasPorVolume !== undefined && !includeTerms) rejectRequest('VOLUMES_HAVE_TERMS', {}, 'includeTerms');
  return { bookNumber: numeroLivro, firstPage: paginaInicial, includeTerms, pagesPerVolume: paginasPorVolume };
}

export const dailyTrialBalanceBody = z
  .strictObject({ ...daysFields, ...bindingFields })
  .meta({ example: { ...DAYS_EXAMPLE, showZeroBalances: false } });

/** With terms it is the book of trial balances and balance sheets. */
export function dailyTrialBalance(body: z.output<typeof dailyTrialBalanceBody>): ParsedBook {
  const binding = bindingFrom(body);
  return {
    format: body.visualizationEnum,
    request: {
      kind: 'dailyTrialBalance',
      ...daysFrom(body),
      ...(binding.includeTerms ? binding : {}),
      ...selectionFrom(body),
    },
  };
}

/** Maximum number of accounts in a request. */
const MAX_ACCOUNTS = 5_000;

const figures = wireWords({ BALANCE: 'SALDO', MOVEMENT: 'MOVIMENTO' });

/** Accounts with a column a month: `mes` and `ano` are the last, `meses` how many there are. */
export const monthlyColumnsBody = z.strictObject({
  ...monthFields,
  meses: optional(z.number().int().min(1).max(MOST_MONTHS)).meta({
    example: 1,
    description: `default as many as the books have, up to ${MOST_MONTHS}, in TXT up to ${MAX_PERIODS_OF_TXT}`,
  }),
  valores: figures.inputOr('BALANCE'),
  contas: optional(z.array(z.union([accountId, text(40, 1)])).max(MAX_ACCOUNTS)).meta({ example: ['1.1.1'] }),
});

export function monthlyColumns(body: z.output<typeof monthlyColumnsBody>): ParsedReportRequest {
  const { visualizationEnum: format, meses: months } = body;
  rejectTooManyForTxt(format, months ?? 1);
  return {
    format,
    request: {
      kind: 'monthlyColumns',
      month: monthFrom(body),
      months,
      mostMonths: format === 'TXT' ? MAX_PERIODS_OF_TXT : undefined,
      accounts: body.contas ?? [],
      figure: body.valores,
      ...selectionFrom(body),
    },
  };
}

export const ledgerBookBody = z
  .strictObject({
    ...daysFields,
    contas: optional(z.array(z.union([accountId, text(40, 1)])).max(MAX_ACCOUNTS)),
    onlyWithMovement: flag,
    ...bindingFields,
  })
  .meta({ example: { ...DAYS_EXAMPLE, contas: ['1.1.1'], onlyWithMovement: false } });

export function ledgerBook(body: z.output<typeof ledgerBookBody>): ParsedBook {
  return {
    format: body.visualizationEnum,
    request: {
      kind: 'ledgerBook',
      ...daysFrom(body),
      accounts: body.contas ?? [],
      onlyWithMovement: body.onlyWithMovement ?? false,
      ...bindingFrom(body),
      ...selectionFrom(body),
    },
  };
}

export const journalBody = z
  .strictObject({ ...daysFields, ...bindingFields })
  .meta({ example: { ...DAYS_EXAMPLE, numeroLivro: 1, paginaInicial: 1 } });

export function journal(body: z.output<typeof journalBody>): ParsedBook {
  return {
    format: body.visualizationEnum,
    request: {
      kind: 'journal',
      ...daysFrom(body),
      ...bindingFrom(body),
      ...selectionFrom(body),
    },
  };
}

const signatory = z.strictObject({
  name: text(200, 1).meta({ example: 'Maria da Silva' }),
  cpf: optional(cpf),
  role: optional(text(200)),
  crc: optional(text(20)),
  ufCrc: optional(text(2).meta({ example: 'SP' })),
  email: optional(text(200)),
  legalResponsible: flag,
});

const terms = wireWords({ OPENING: 'ABERTURA', CLOSING: 'ENCERRAMENTO', BOTH: 'AMBOS' });

export const bookTermsBody = z
  .strictObject({
    ...daysFields,
    tipo: terms.input,
    livro: bookKinds.input,
    numeroOrdem: positive,
    quantidadePaginas: positive.meta({ example: 100 }),
    paginasAnexas: optional(z.number().int().min(0).max(999_999_999)).meta({
      example: 0,
      description: 'folhas bound with the book that are printed elsewhere, such as the balance sheet',
    }),
    nire: optional(text(20)),
    dataArquivamento: optional(isoDay),
    municipio: optional(text(200)),
    uf: optional(text(2).meta({ example: 'SP' })),
    dataTermo: optional(isoDay),
    signatarios: optional(
      z.array(signatory).max(20).meta({
        description: 'an accountant with crc and a legal representative among them; by default those of the options',
      }),
    ),
  })
  .meta({
    example: {
      ...DAYS_EXAMPLE,
      tipo: 'AMBOS',
      livro: 'BALANCETES',
      numeroOrdem: 1,
      quantidadePaginas: 100,
      municipio: 'São Paulo',
      uf: 'SP',
      dataTermo: '2026-02-10',
      signatarios: [
        { name: 'Maria da Silva', role: 'Diretora', legalResponsible: true },
        { name: 'João Souza', role: 'Contador', crc: '1SP123456/O-1', ufCrc: 'SP' },
      ],
    },
  });

export function bookTerms(body: z.output<typeof bookTermsBody>): ParsedReportRequest {
  if (body.visualizationEnum !== 'PDF') rejectRequest('FORMAT_NOT_OFFERED', { formats: 'PDF' }, 'visualizationEnum');
  return {
    format: 'PDF',
    request: {
      kind: 'bookTerms',
      which: body.tipo,
      book: body.livro,
      orderNumber: body.numeroOrdem,
      pages: body.quantidadePaginas,
      annexedPages: body.paginasAnexas ?? 0,
      ...daysFrom(body),
      nire: body.nire,
      filingDate: body.dataArquivamento,
      city: body.municipio,
      state: body.uf,
      termDate: body.dataTermo,
      signatories: body.signatarios,
      selection: selectionFrom(body),
    },
  };
}

function daysFrom({ dataInicio, dataFim }: { dataInicio: Day; dataFim: Day }): { from: Day; to: Day } {
  if (dataInicio > dataFim) rejectRequest('INVALID_DATE_RANGE', { from: dataInicio, to: dataFim }, 'dataInicio');
  return { from: dataInicio, to: dataFim };
}

function monthFrom({ ano, mes }: { ano: number; mes: number }): Month {
  if (mes < 1 || mes > 12)
    rejectRequest('INVALID_FIELD', { reason: { en: 'must be from 1 to 12', pt: 'deve estar entre 1 e 12' } }, 'mes');
  return (
    monthOf(ano, mes) ??
    rejectRequest(
      'INVALID_FIELD',
      { reason: { en: 'must be from 1900 to 9999', pt: 'deve estar entre 1900 e 9999' } },
      'ano',
    )
  );
}

export function selectionFrom(body: {
  considerClosing?: boolean | undefined;
  showZeroBalances?: boolean | undefined;
  level?: number | undefined;
  accountFrom?: string | undefined;
  accountTo?: string | undefined;
}): BalanceSelection {
  const { considerClosing = true, showZeroBalances = false, level, accountFrom, accountTo } = body;
  return { considerClosing, showZeroBalances, level, accountFrom, accountTo };
}
