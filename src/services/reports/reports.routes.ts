import type { z } from 'zod';
import { printNow } from '../../features/reports/print-now.ts';
import { type Route, route } from '../wire/route.ts';
import { envelope, retornoGenerico } from './report-answer.ts';
import {
  type Asked,
  bookTerms,
  bookTermsBody,
  dailyTrialBalance,
  dailyTrialBalanceBody,
  journal,
  journalBody,
  ledgerBook,
  ledgerBookBody,
  monthReport,
  monthReportBody,
  patrimonial,
  patrimonialBody,
  postingListing,
  postingListingBody,
} from './report-requests.ts';

export const postingListingRoute = reportRoute(
  '/reports/lancamentos',
  'Posting listing',
  postingListingBody,
  postingListing,
);

export const cosifGeneralBalanceRoute = reportRoute(
  '/reports/cosifGeneralBalance',
  'General balance in the layout of the central bank',
  monthReportBody,
  monthReport('cosifGeneralBalance'),
);

export const monthlyTrialBalanceRoute = reportRoute(
  '/reports/monthlyTrialBalance',
  'Monthly trial balance',
  monthReportBody,
  monthReport('monthlyTrialBalance'),
);

export const monthlyTrialCvmBalanceRoute = reportRoute(
  '/reports/monthlyTrialCVMBalance',
  'Monthly trial balance in the layout of the securities commission',
  monthReportBody,
  monthReport('monthlyTrialCvmBalance'),
);

export const dailyTrialBalanceRoute = reportRoute(
  '/reports/dailyTrialBalance',
  'Daily trial balance',
  dailyTrialBalanceBody,
  dailyTrialBalance,
);

export const patrimonialBalanceRoute = reportRoute(
  '/reports/patrimonialBalance',
  'Balance sheet',
  patrimonialBody,
  patrimonial('patrimonialBalance'),
);

export const patrimonialCvmBalanceRoute = reportRoute(
  '/reports/patrimonialCVMBalance',
  'Balance sheet in the layout of the securities commission',
  patrimonialBody,
  patrimonial('patrimonialCvmBalance'),
);

export const ledgerBookRoute = reportRoute('/reports/relatorioRazao', 'General ledger', ledgerBookBody, ledgerBook);

export const journalRoute = reportRoute('/reports/relatorioDiarioGeral', 'Journal', journalBody, journal);

export const bookTermsRoute = reportRoute(
  '/reports/reportTermos',
  'Opening and closing terms of a book',
  bookTermsBody,
  bookTerms,
);

interface TenantFields {
  readonly empresa: string;
  readonly filial: string;
}

/** A report of one branch: the body names the branch and says what is asked. */
function reportRoute<Body extends TenantFields>(
  path: string,
  summary: string,
  body: z.ZodType<Body>,
  askedFrom: (body: Body) => Asked,
): Route {
  return route({
    method: 'POST',
    path,
    summary,
    tag: 'Reports',
    access: { to: 'tenant', of: ({ empresa, filial }: TenantFields) => ({ company: empresa, branch: filial }) },
    body: body as z.ZodType<TenantFields>,
    answer: retornoGenerico,
    handle: async ({ body: fields, context, tenant, config, printer }) => {
      const { request, format } = askedFrom(fields as Body);
      const file = await printNow(context, printer, tenant, request, format, config.reportInlineLimit);
      return envelope(file, { kind: request.kind, format, company: tenant.company, branch: tenant.branch });
    },
  });
}
