import type { z } from 'zod';
import { isRoutineGranted } from '../../features/access/authorize.ts';
import { printNow } from '../../features/reporting/print/print-now.ts';
import { requestReport } from '../../features/reporting/print/report-job.ts';
import { type Route, RouteResponse, route } from '../../http/route.ts';
import { answerSettings, costOfPrint, envelope, messageOf, printQuery, retornoGenerico } from './report-answer.ts';
import { reportJobAnswer, reportJobToWire } from './report-jobs.routes.ts';
import { type ParsedReportRequest, REPORT_FIELDS } from './report-requests.ts';
import { REPORT_TYPES, type ReportType } from './report-types.ts';

const SUMMARIES: Readonly<Record<ReportType, string>> = {
  lancamentos: 'Posting listing',
  cosifGeneralBalance: 'General balance in the layout of the central bank',
  monthlyTrialBalance: 'Monthly trial balance',
  monthlyTrialCVMBalance: 'Monthly trial balance in the layout of the securities commission',
  dailyTrialBalance: 'Daily trial balance',
  patrimonialBalance: 'Balance sheet',
  patrimonialCVMBalance: 'Balance sheet in the layout of the securities commission',
  saldosMensais: 'Balances or movements of accounts, up to twelve months side by side',
  relatorioRazao: 'General ledger',
  relatorioDiarioGeral: 'Journal',
  reportTermos: 'Opening and closing terms of a book',
  demonstracao: 'Balance sheet, income statement, retained earnings or changes in equity by the lines of a definition',
};

/** What the platform prints beside the specification's reports. */
const ADDITIONS: ReadonlySet<ReportType> = new Set(['demonstracao', 'saldosMensais']);

/** A route for each report, in the specification's order. */
export const reportRoutes: readonly Route[] = (Object.keys(REPORT_TYPES) as ReportType[]).map((type) => {
  const { schema, asked } = REPORT_TYPES[type];
  const askedFrom = asked as (body: TenantFields) => ParsedReportRequest;
  const added = reportRoute(`/reports/${type}`, SUMMARIES[type], schema, askedFrom);
  return ADDITIONS.has(type) ? { ...added, addition: true } : added;
});

interface TenantFields {
  readonly empresa: string;
  readonly filial: string;
}

/** A report of one branch: the body names the branch and says what is asked. */
function reportRoute<Body extends TenantFields>(
  path: string,
  summary: string,
  body: z.ZodType<Body>,
  askedFrom: (body: Body) => ParsedReportRequest,
): Route {
  return route({
    method: 'POST',
    path,
    cost: costOfPrint,
    summary,
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
    handle: async ({
      body: fields,
      query,
      context,
      branchOrInstitution: tenant,
      user,
      config,
      printer,
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
      return envelope(file, messageOf(report), label);
    },
  });
}
