import type { z } from 'zod';
import type { AnnexRequest } from '../../features/reporting/print/report-request.ts';
import { RequestError, rejectRequest } from '../../http/request-error.ts';
import { validationProblems } from '../../http/validation-problems.ts';
import type { Format } from '../../platform/render/render-table.ts';
import {
  type ANNEX_TYPES,
  bookTerms,
  bookTermsBody,
  dailyTrialBalance,
  dailyTrialBalanceBody,
  demonstracao,
  demonstracaoBody,
  fundEquity,
  fundEquityBody,
  journal,
  journalBody,
  ledgerBook,
  ledgerBookBody,
  monthlyColumns,
  monthlyColumnsBody,
  monthReport,
  monthReportBody,
  type ParsedBook,
  type ParsedReportRequest,
  patrimonial,
  patrimonialBody,
  postingListing,
  postingListingBody,
  quotaEvolution,
  quotaEvolutionBody,
} from './report-requests.ts';

/** Each report by the last segment of its path: the shape of its request and what that requests. */
export const REPORT_TYPES = {
  lancamentos: { schema: postingListingBody, asked: postingListing },
  cosifGeneralBalance: { schema: monthReportBody, asked: monthReport('cosifGeneralBalance') },
  monthlyTrialBalance: { schema: monthReportBody, asked: monthReport('monthlyTrialBalance') },
  monthlyTrialCVMBalance: { schema: monthReportBody, asked: monthReport('monthlyTrialCvmBalance') },
  dailyTrialBalance: { schema: dailyTrialBalanceBody, asked: withAnnexes(dailyTrialBalance) },
  patrimonialBalance: { schema: patrimonialBody, asked: patrimonial('patrimonialBalance') },
  patrimonialCVMBalance: { schema: patrimonialBody, asked: patrimonial('patrimonialCvmBalance') },
  saldosMensais: { schema: monthlyColumnsBody, asked: monthlyColumns },
  evolucaoCota: { schema: quotaEvolutionBody, asked: quotaEvolution },
  evolucaoPatrimonio: { schema: fundEquityBody, asked: fundEquity },
  relatorioRazao: { schema: ledgerBookBody, asked: withAnnexes(ledgerBook) },
  relatorioDiarioGeral: { schema: journalBody, asked: withAnnexes(journal) },
  reportTermos: { schema: bookTermsBody, asked: bookTerms },
  demonstracao: { schema: demonstracaoBody, asked: demonstracao },
} as const;

export type ReportType = keyof typeof REPORT_TYPES;

interface BookBody extends TenantFields {
  readonly visualizationEnum: Format;
  readonly anexos?: readonly { readonly tipo: (typeof ANNEX_TYPES)[number]; readonly parametros: object }[] | undefined;
}

/** The request of a book with the requests of what is bound with it, each read as the report's own route does. */
function withAnnexes<Body extends BookBody>(asked: (body: Body) => ParsedBook): (body: Body) => ParsedReportRequest {
  return (body) => {
    const { request, format } = asked(body);
    const { anexos = [] } = body;
    if (anexos.length === 0) return { request, format };
    if (format !== 'PDF' && format !== 'TXT') {
      rejectRequest('FORMAT_NOT_OFFERED', { formats: 'PDF, TXT' }, 'visualizationEnum');
    }
    return { request: { ...request, annexes: anexos.map((annex, at) => annexFrom(body, annex, at)) }, format };
  };
}

/** Problems name their fields inside the annex. */
function annexFrom(
  { empresa, filial, visualizationEnum }: BookBody,
  { tipo, parametros }: NonNullable<BookBody['anexos']>[number],
  at: number,
): AnnexRequest {
  const { schema, asked } = REPORT_TYPES[tipo] as {
    schema: z.ZodType<TenantFields>;
    asked: (body: unknown) => ParsedReportRequest;
  };
  try {
    const parsed = schema.safeParse({ empresa, filial, ...parametros, visualizationEnum }, { reportInput: true });
    if (!parsed.success) throw new RequestError(validationProblems(schema, parsed.error.issues));
    if (parsed.data.empresa !== empresa || parsed.data.filial !== filial) {
      rejectRequest('INVALID_FIELD', OF_THE_BOOKS_BRANCH, 'filial');
    }
    const { request } = asked(parsed.data);
    if ('includeTerms' in request) rejectRequest('INVALID_FIELD', IS_BOUND, 'includeTerms');
    if ('annexes' in request) rejectRequest('INVALID_FIELD', IS_BOUND, 'anexos');
    return request as AnnexRequest;
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const place = `anexos.${at}.parametros`;
    throw new RequestError(error.problems.map((each) => ({ ...each, field: `${place}.${each.field ?? ''}` })));
  }
}

interface TenantFields {
  readonly empresa: string;
  readonly filial: string;
}

const IS_BOUND = {
  reason: {
    en: 'what is bound has no terms and annexes of its own',
    pt: 'o que se anexa não tem termos nem anexos próprios',
  },
};

const OF_THE_BOOKS_BRANCH = {
  reason: { en: 'must be of the branch of the book', pt: 'deve ser da filial do livro' },
};
