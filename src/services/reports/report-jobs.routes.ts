import { z } from 'zod';
import { auditReading } from '../../features/access/audit-reading.ts';
import { requestsOf } from '../../features/reporting/print/print-combined.ts';
import { openReport, type ReportJob, readReportJob } from '../../features/reporting/print/report-job.ts';
import { id, idParams, instant } from '../../http/fields.ts';
import { route, streamResponse } from '../../http/route.ts';
import { CONTENT_TYPES, fileName, messageOf, partAnswer, partToWire } from './report-answer.ts';

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

export const downloadReportRoute = route({
  operationId: 'downloadReport',
  method: 'GET',
  path: '/reports/jobs/{id}/download',
  summary: 'The file of a finished report',
  tag: 'Reports',
  addition: true,
  access: { to: 'record', record: 'reportJob', id: (input) => input.id },
  params: idParams,
  files: Object.values(CONTENT_TYPES).map((type) => type.split(';')[0]!),
  headers: ['Content-Disposition'],
  handle: async ({ params, context, tenants, config }) => {
    const job = await readReportJob(context, tenants[0]!.companyId, params.id);
    const { tenant, ...asked } = job.payload;
    await auditReading(context, { action: 'DOWNLOAD', entity: 'report', entityId: job.id, tenant, asked });
    const file = await openReport(job, config.dataDir);
    return streamResponse(file, CONTENT_TYPES[job.payload.format], {
      'content-disposition': `attachment; filename="${nameOf(job)}"`,
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
