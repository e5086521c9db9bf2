import { z } from 'zod';
import type { CompanyTenant } from '../../features/access/access.ts';
import { auditReading } from '../../features/access/audit-reading.ts';
import { requestsOf } from '../../features/reporting/print/print-combined.ts';
import { countReportJobsOf, selectReportJobsOf } from '../../features/reporting/print/report-job.read.sql.ts';
import { openReport, type ReportJob, readReportJob } from '../../features/reporting/print/report-job.ts';
import { booleanText, id, idParams, instant, optional } from '../../http/fields.ts';
import { jobEvents } from '../../http/job-events.ts';
import { pageQuery } from '../../http/paging.ts';
import { RouteResponse, route, streamResponse } from '../../http/route.ts';
import { CONTENT_TYPES, FILE_TYPES, fileName, messageOf, partAnswer, partToWire } from './report-answer.ts';

export const reportJobAnswer = z.object({
  id,
  status: z.enum(['PENDING', 'RUNNING', 'DONE', 'ERROR']),
  nomeArquivo: z.string(),
  linhas: z.number().int(),
  paginas: z.number().int().nullable(),
  bytes: z.number().int().nullable(),
  mensagem: z.string().nullable(),
  requestedAt: instant,
  startedAt: instant.nullable(),
  finishedAt: instant.nullable(),
  /** Where the file is, once it is printed. */
  download: z.string().nullable(),
  /** What became of each part of a combined report. */
  relatorios: z.array(partAnswer).optional(),
});

export const getReportJobsRoute = route({
  operationId: 'listReportJobs',
  method: 'GET',
  path: '/reports/jobs',
  summary: 'The own reports in the background that are kept, newest first; their number in X-Total-Count',
  tag: 'Reports',
  addition: true,
  access: { to: 'signedIn' },
  query: z.strictObject(pageQuery(50, 200)),
  answer: z.array(reportJobAnswer),
  headers: ['X-Total-Count'],
  handle: async ({ query, context, user }) => {
    const total = await countReportJobsOf(context.sql, user.username);
    const jobs = await selectReportJobsOf(context.sql, user.username, query);
    return new RouteResponse(200, jobs.map(reportJobToWire), { 'x-total-count': String(total) });
  },
});

export const getReportJobRoute = route({
  operationId: 'getReportJob',
  method: 'GET',
  path: '/reports/jobs/{id}',
  summary: 'A report asked for with async=true, as it stands',
  tag: 'Reports',
  addition: true,
  access: { to: 'record', record: 'reportJob', id: (input) => input.id },
  params: idParams,
  answer: reportJobAnswer,
  handle: async ({ params, context, tenants }) =>
    reportJobToWire(await readReportJob(context, tenants[0]!.companyId, params.id)),
});

export const getReportJobEventsRoute = route({
  operationId: 'followReport',
  method: 'GET',
  path: '/reports/jobs/{id}/events',
  cost: 'events',
  summary: 'A report in the background as server-sent events until it is printed',
  tag: 'Reports',
  addition: true,
  access: { to: 'record', record: 'reportJob', id: (input) => input.id },
  params: idParams,
  files: ['text/event-stream'],
  handle: (request) => {
    const { context, tenants, params } = request;
    const [{ companyId }] = tenants as readonly [CompanyTenant];
    const read = () => readReportJob(context, companyId, params.id);
    const job = { companyId, id: params.id, read, status: ({ status }: ReportJob) => status };
    return jobEvents(request, 'report', job, reportJobToWire);
  },
});

export const downloadReportRoute = route({
  operationId: 'downloadReport',
  method: 'GET',
  path: '/reports/jobs/{id}/download',
  summary: 'The file of a finished report; to be shown rather than saved with inline=true',
  tag: 'Reports',
  addition: true,
  access: { to: 'record', record: 'reportJob', id: (input) => input.id },
  params: idParams,
  query: z.strictObject({ inline: optional(booleanText) }),
  files: FILE_TYPES,
  headers: ['Content-Disposition'],
  handle: async ({ params, query, context, tenants }) => {
    const job = await readReportJob(context, tenants[0]!.companyId, params.id);
    const { tenant, ...asked } = job.payload;
    await auditReading(context, { action: 'DOWNLOAD', entity: 'report', entityId: job.id, tenant, asked });
    const file = await openReport(context.sql, job);
    return streamResponse(file, CONTENT_TYPES[job.payload.format], {
      'content-disposition': `${query.inline ? 'inline' : 'attachment'}; filename="${nameOf(job)}"`,
      ...(job.result === null ? {} : { 'content-length': String(job.result.bytes) }),
    });
  },
});

export function reportJobToWire(job: ReportJob): z.output<typeof reportJobAnswer> {
  const { payload, result, progress } = job;
  return {
    id: job.id,
    status: job.status,
    nomeArquivo: nameOf(job),
    linhas: result?.rows ?? progress.rows ?? 0,
    paginas: result?.pages ?? null,
    bytes: result?.bytes ?? null,
    mensagem: result === null ? job.message : messageOf(result),
    requestedAt: job.requestedAt.toISOString(),
    startedAt: job.startedAt?.toISOString() ?? null,
    finishedAt: job.finishedAt?.toISOString() ?? null,
    download: job.status === 'DONE' ? `/reports/jobs/${job.id}/download` : null,
    ...(result?.outcomes === undefined || !('labels' in payload)
      ? {}
      : { relatorios: result.outcomes.map((outcome, at) => partToWire(payload.labels[at] ?? '', outcome)) }),
  };
}

function nameOf({ payload }: ReportJob): string {
  const { format, tenant } = payload;
  const { company, branch } = tenant;
  const label = { format, company, branch };
  return 'request' in payload
    ? fileName({ kind: payload.request.kind, requests: [payload.request], ...label })
    : fileName({ kind: 'combined', requests: requestsOf(payload.parts), ...label });
}
