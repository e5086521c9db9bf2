import type { z } from 'zod';
import { isRoutineGranted } from '../../features/access/authorize.ts';
import { printNow } from '../../features/reporting/print/print-now.ts';
import { requestReport } from '../../features/reporting/print/report-job.ts';
import { type Route, RouteResponse, route } from '../../http/route.ts';
import {
  answerSettings,
  costOfPrint,
  envelope,
  FILE_TYPES,
  fileAnswer,
  messageOf,
  printQuery,
  retornoGenerico,
  wantsFile,
} from './report-answer.ts';
import { reportJobAnswer, reportJobToWire } from './report-jobs.routes.ts';
import { type ParsedReportRequest, REPORT_FIELDS } from './report-requests.ts';
import { REPORT_TYPES, type ReportType } from './report-types.ts';

/** The name of each report's operation, and what it prints. */
const OPERATIONS: Readonly<Record<ReportType, { operationId: string; summary: string }>> = {
  lancamentos: { operationId: 'printPostingListing', summary: 'Posting listing' },
  cosifGeneralBalance: {
    operationId: 'printCosifGeneralBalance',
    summary: 'General balance in the layout of the central bank',
  },
  monthlyTrialBalance: { operationId: 'printMonthlyTrialBalance', summary: 'Monthly trial balance' },
  monthlyTrialCVMBalance: {
    operationId: 'printMonthlyTrialCvmBalance',
    summary: 'Monthly trial balance in the layout of the securities commission',
  },
  dailyTrialBalance: { operationId: 'printDailyTrialBalance', summary: 'Daily trial balance' },
  patrimonialBalance: { operationId: 'printBalanceSheet', summary: 'Balance sheet' },
  patrimonialCVMBalance: {
    operationId: 'printCvmBalanceSheet',
    summary: 'Balance sheet in the layout of the securities commission',
  },
  saldosMensais: {
    operationId: 'printMonthlyBalances',
    summary: 'Balances or movements of accounts, up to twelve months side by side',
  },
  evolucaoCota: {
    operationId: 'printQuotaEvolution',
    summary: 'Confirmed quotas of a fund day by day with their variations; a curve of them in PDF',
  },
  evolucaoPatrimonio: {
    operationId: 'printFundEquity',
    summary: 'What changed the net equity of a fund: quotas issued and redeemed, and its result',
  },
  relatorioRazao: { operationId: 'printGeneralLedger', summary: 'General ledger' },
  relatorioDiarioGeral: { operationId: 'printJournal', summary: 'Journal' },
  reportTermos: { operationId: 'printBookTerms', summary: 'Opening and closing terms of a book' },
  demonstracao: {
    operationId: 'printStatement',
    summary: 'Balance sheet, income statement, retained earnings or changes in equity by the lines of a definition',
  },
};

/** What the platform prints beside the specification's reports. */
const ADDITIONS: ReadonlySet<ReportType> = new Set([
  'demonstracao',
  'saldosMensais',
  'evolucaoCota',
  'evolucaoPatrimonio',
]);

/** A route for each report, in the specification's order. */
export const reportRoutes: readonly Route[] = (Object.keys(REPORT_TYPES) as ReportType[]).map((type) => {
  const { schema, asked } = REPORT_TYPES[type];
  const askedFrom = asked as (body: TenantFields) => ParsedReportRequest;
  const added = reportRoute(`/reports/${type}`, OPERATIONS[type], schema, askedFrom);
  return ADDITIONS.has(type) ? { ...added, addition: true } : added;
});

interface TenantFields {
  readonly empresa: string;
  readonly filial: string;
}

/** A report of one branch: the body names the branch and says what is asked. */
function reportRoute<Body extends TenantFields>(
  path: string,
  operation: { readonly operationId: string; readonly summary: string },
  body: z.ZodType<Body>,
  askedFrom: (body: Body) => ParsedReportRequest,
): Route {
  return route({
    ...operation,
    method: 'POST',
    path,
    cost: costOfPrint,
    tag: 'Reports',
    access: {
      to: 'tenant',
      of: ({ empresa, filial }: TenantFields) => ({ company: empresa, branch: filial }),
      institution: true,
    },
    body: body as z.ZodType<TenantFields>,
    fieldNames: REPORT_FIELDS,
    query: printQuery,
    answer: retornoGenerico,
    otherAnswers: { 202: reportJobAnswer },
    files: FILE_TYPES,
    headers: ['Location', 'Content-Disposition', 'X-Report-Message'],
    handle: async ({
      body: fields,
      query,
      context,
      branchOrInstitution: tenant,
      user,
      config,
      printer,
      raw,
      clientDisconnected,
    }) => {
      const { request, format } = askedFrom(fields as Body);
      const mayIssue = isRoutineGranted(user, 'LEGAL_BOOKS');
      if (query.async) {
        const asked = { limits: config.jobLimits, mayIssue };
        const job = await requestReport(context, { tenant, request, format, head: query.head }, asked);
        return new RouteResponse(202, reportJobToWire(job), { location: `/reports/jobs/${job.id}` });
      }
      const settings = answerSettings(config, printer, clientDisconnected);
      const { report, file } = await printNow(context, settings, {
        tenant,
        request,
        format,
        mayIssue,
        head: query.head,
      });
      const label = { kind: request.kind, requests: [request], format, company: tenant.company, branch: tenant.branch };
      return (wantsFile(raw, format) ? fileAnswer : envelope)(file, messageOf(report), label);
    },
  });
}
