import { z } from 'zod';
import { BusinessError, type Problem } from '../../accounting/problem.ts';
import type { CompanyTenant, ReportedTenant } from '../../features/access/access.ts';
import { type CombinedPart, printCombined, requestsOf } from '../../features/reporting/print/print-combined.ts';
import { recordPrinting } from '../../features/reporting/print/print-now.ts';
import { requestReport } from '../../features/reporting/print/report-job.ts';
import { branchOrInstitution, companyCode, optional } from '../../http/fields.ts';
import type { WireProblem } from '../../http/problem-details.ts';
import { RequestError, rejectRequest } from '../../http/request-error.ts';
import { RouteResponse, route } from '../../http/route.ts';
import { validationProblems } from '../../http/validation-problems.ts';
import { REQUIRED } from '../../platform/schema-findings.ts';
import {
  answerSettings,
  costOfPrint,
  envelope,
  FILE_TYPES,
  fileAnswer,
  partAnswer,
  partProblemToWire,
  partToWire,
  printQuery,
  retornoGenerico,
  wantsFile,
} from './report-answer.ts';
import { reportJobAnswer, reportJobToWire } from './report-jobs.routes.ts';
import type { ParsedReportRequest } from './report-requests.ts';
import { REPORT_TYPES, type ReportType } from './report-types.ts';

/** Maximum number of reports in one file. */
const MAX_PARTS = 20;

const types = Object.keys(REPORT_TYPES) as [ReportType, ...ReportType[]];

const combinedBody = z.strictObject({
  empresa: optional(companyCode),
  filial: optional(branchOrInstitution),
  visualizationEnum: z.enum(['PDF', 'CSV', 'TXT', 'XLSX']).meta({ example: 'PDF' }),
  relatorios: z
    .array(z.strictObject({ tipo: z.enum(types), parametros: z.record(z.string(), z.unknown()) }))
    .min(1)
    .max(MAX_PARTS)
    .meta({ example: [{ tipo: 'monthlyTrialBalance', parametros: { ano: 2026, mes: 1 } }] }),
});
type CombinedBody = z.output<typeof combinedBody>;

const retornoRelatorios = z.object({
  ...retornoGenerico.shape,
  relatorios: z.array(partAnswer),
});

/** Several reports in one file; a part that fails is reported and the others are printed. */
export const combinedReportRoute = route({
  operationId: 'printCombinedReport',
  method: 'POST',
  path: '/reports/combineReport',
  cost: costOfPrint,
  summary: 'Several reports in one file',
  tag: 'Reports',
  access: {
    to: 'tenant',
    of: (body: CombinedBody) => body.relatorios.map((part) => tenantOf(body, part)),
    institution: true,
  },
  body: combinedBody,
  query: printQuery,
  answer: retornoRelatorios,
  otherAnswers: { 202: reportJobAnswer },
  files: FILE_TYPES,
  headers: ['Location', 'Content-Disposition', 'X-Report-Message'],
  handle: async ({ body, query, tenants, context, config, printer, raw, clientDisconnected }) => {
    const format = body.visualizationEnum;
    const parts = body.relatorios.map((part) => partOf(body, part, tenants));
    if (query.async) {
      const labels = body.relatorios.map(({ tipo }) => tipo);
      const order = { tenant: requireOneBranch(tenants), format, head: query.head, parts, labels };
      const job = await requestReport(context, order, { limits: config.jobLimits, mayIssue: false });
      return new RouteResponse(202, reportJobToWire(job), { location: `/reports/jobs/${job.id}` });
    }
    const settings = answerSettings(config, printer, clientDisconnected);
    const { outcomes, file } = await printCombined(context, settings, { parts, format, head: query.head }).catch(
      (error) => {
        // Nothing was printed: the problems of all parts.
        throw error instanceof BusinessError ? new RequestError(error.problems.map(partProblemToWire)) : error;
      },
    );
    try {
      for (const [at, part] of parts.entries()) {
        if ('request' in part && 'report' in outcomes[at]!) await recordPrinting(context, { ...part, format });
      }
    } catch (error) {
      await file.remove();
      throw error;
    }
    const relatorios = outcomes.map((outcome, at) => partToWire(body.relatorios[at]!.tipo, outcome));
    const failed = relatorios.filter(({ sucesso }) => !sucesso).length;
    const message = failed === 0 ? 'Relatórios gerados' : `Relatórios gerados, menos ${failed}`;
    const { company, branch } = tenantOf(body, body.relatorios[0]!);
    const label = { kind: 'combined', requests: requestsOf(parts), format, company, branch } as const;
    return wantsFile(raw, format) ? fileAnswer(file, message, label) : envelope(file, message, label, { relatorios });
  },
});

/** Every user of the branch may fetch the file of a job, so it must not contain another branch's books. */
function requireOneBranch(tenants: readonly CompanyTenant[]): ReportedTenant {
  const [first, ...others] = tenants as readonly ReportedTenant[];
  if (first === undefined || others.length > 0) {
    return rejectRequest('INVALID_FIELD', ONE_BRANCH, 'relatorios');
  }
  return first;
}

const ONE_BRANCH = {
  reason: {
    en: 'must be of one branch to be printed in the background',
    pt: 'devem ser de uma só filial para impressão em segundo plano',
  },
};

type Part = CombinedBody['relatorios'][number];

/** Fields of the whole are the defaults of its parts. */
function wholeParameters(body: CombinedBody, { parametros }: Part): Record<string, unknown> {
  const { empresa, filial, visualizationEnum } = body;
  return {
    ...(empresa === undefined ? {} : { empresa }),
    ...(filial === undefined ? {} : { filial }),
    ...parametros,
    visualizationEnum,
  };
}

const tenantFields = z.object({ empresa: companyCode, filial: branchOrInstitution });

function tenantOf(body: CombinedBody, part: Part): { company: string; branch: string } {
  const parsed = tenantFields.safeParse(wholeParameters(body, part));
  if (!parsed.success)
    rejectRequest('INVALID_FIELD', { reason: REQUIRED }, `relatorios.${String(parsed.error.issues[0]!.path[0])}`);
  return { company: parsed.data.empresa, branch: parsed.data.filial };
}

function partOf(body: CombinedBody, part: Part, tenants: readonly CompanyTenant[]): CombinedPart {
  const { company, branch } = tenantOf(body, part);
  const tenant = tenants.find((each) => each.company === company && each.branch === branch) as ReportedTenant;
  const { schema, asked } = REPORT_TYPES[part.tipo] as {
    schema: z.ZodType;
    asked: (body: unknown) => ParsedReportRequest;
  };
  const parsed = schema.safeParse(wholeParameters(body, part), { reportInput: true });
  if (!parsed.success) return { problems: validationProblems(schema, parsed.error.issues).map(asPartProblem) };
  try {
    return { tenant, request: asked(parsed.data).request };
  } catch (error) {
    if (error instanceof RequestError) return { problems: error.problems.map(asPartProblem) };
    if (error instanceof BusinessError) return { problems: error.problems };
    throw error;
  }
}

function asPartProblem({ code, params, field }: WireProblem): Problem {
  return field === undefined ? { code, params } : { code, params, path: field };
}
