import { z } from 'zod';
import { monthOf } from '../../accounting/period.ts';
import { INSTITUTION } from '../../features/access/access.ts';
import { auditReading } from '../../features/access/audit-reading.ts';
import { COSIF_DOCUMENTS, COSIF_SIGNS } from '../../features/reporting/filings/cosif/cosif-file.ts';
import { FILING_KINDS, REMITTANCES } from '../../features/reporting/filings/deliveries/delivery.ts';
import type { EcdInput, FilingJob } from '../../features/reporting/filings/request-filing.ts';
import {
  openFiling,
  readFilingJob,
  requestCosif,
  requestEcd,
} from '../../features/reporting/filings/request-filing.ts';
import type { FieldNames } from '../../http/field-names.ts';
import { companyCode, id, idParams, instant, isoDay, nameText, optional } from '../../http/fields.ts';
import { RouteResponse, route, streamResponse } from '../../http/route.ts';
import { filingFinding, findingCounts, findingToWire } from './regulatory-answers.ts';

const TAG = 'Regulatory files';
const ROUTINE = 'REGULATORY_FILES';

export const year = z.number().int().min(1900).max(9999).meta({ example: 2025 });
export const ecdBook = z
  .enum(['G', 'B'])
  .meta({ example: 'G', description: 'G the journal with every entry, B daily trial balances' });
const comErros = optional(z.boolean()).meta({ example: false, description: 'keeps a file that has errors' });
const orderNumber = z.number().int().min(1).max(999_999_999).meta({ example: 7 });

/** What use cases call the fields of a request for a file. */
export const FILING_FIELDS: FieldNames = {
  ...{ from: 'dataInicio', to: 'dataFim', month: 'mes', replaces: 'substitui' },
  ...{ specialSituation: 'situacaoEspecial', startSituation: 'situacaoInicio' },
};

const filingJob = z
  .object({
    id,
    status: z.enum(['PENDING', 'RUNNING', 'DONE', 'ERROR']).meta({ example: 'DONE' }),
    arquivo: z.enum(FILING_KINDS).meta({ example: '4010' }),
    nomeArquivo: z.string().meta({ example: '4010-0001-2025-06.xml' }),
    mensagem: z.string().nullable().meta({ example: null, description: 'why a job ended as ERROR' }),
    linhas: z.number().int().meta({ example: 312, description: 'while it runs: those written so far' }),
    bytes: z.number().int().nullable().meta({ example: 16_402 }),
    sha256: z.string().nullable().meta({ example: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' }),
    erros: z.number().int().nullable().meta({ example: 0 }),
    avisos: z.number().int().nullable().meta({ example: 0 }),
    livros: z.array(
      z.object({
        livro: ecdBook,
        numero: orderNumber,
        dataInicio: z.string().meta({ format: 'date', example: '2025-01-01' }),
        dataFim: z.string().meta({ format: 'date', example: '2025-12-31' }),
      }),
    ),
    remessa: z.enum(REMITTANCES).nullable().meta({ example: 'I', description: 'of a 4010 or 4016' }),
    sinal: z
      .enum(COSIF_SIGNS)
      .nullable()
      .meta({ example: 'PUBLISHED', description: 'of a 4010 or 4016: the sign that was applied (COSIF_SIGN)' }),
    tempo: z.number().nullable().meta({ example: 0.41, description: 'milliseconds' }),
    achados: z.array(filingFinding).meta({ description: 'at most 20 of a rule' }),
    contagens: findingCounts,
    entrega: id
      .nullable()
      .meta({ description: 'the delivery that the file is, of several books the first; null: it was not kept' }),
    requestedAt: instant,
    startedAt: instant.nullable(),
    finishedAt: instant.nullable(),
    download: z.string().nullable().meta({ example: '/regulatory/jobs/1/download', description: 'null: no file' }),
  })
  .meta({ title: 'FilingJob' });

const ofInstitution = ({ empresa }: { readonly empresa: string }) => ({ company: empresa, branch: INSTITUTION });

/** What a precheck of an ECD is asked for, too. */
export const ECD_TERMS = {
  livro: optional(ecdBook).meta({ example: 'G', description: 'absent: that of the profile of the company' }),
  dataInicio: optional(isoDay).meta({ example: '2025-01-01', description: 'absent: the first day of the year' }),
  dataFim: optional(isoDay).meta({ example: '2025-12-31', description: 'absent: the last day of the year' }),
  situacaoEspecial: optional(z.string().max(2)).meta({ example: null, description: 'IND_SIT_ESP' }),
  situacaoInicio: optional(z.string().max(2)).meta({ example: null, description: 'IND_SIT_INI_PER' }),
};

const ecdBody = z.strictObject({
  empresa: companyCode,
  ano: year,
  ...ECD_TERMS,
  numeroLivro: optional(orderNumber).meta({
    example: null,
    description: 'absent: that of the same book before, else the next one',
  }),
  naturezaLivro: optional(nameText(80)).meta({ example: null }),
  substitui: optional(id).meta({
    example: null,
    description: 'the accepted delivery whose book it takes the place of',
  }),
  semestral: optional(z.boolean()).meta({ example: false, description: 'a J005 for each half-year' }),
  comErros,
});

export const writeEcdRoute = route({
  operationId: 'writeEcd',
  method: 'POST',
  path: '/regulatory/ecd',
  summary: 'Writes the bookkeeping file (ECD) of a company in the background and checks it',
  tag: TAG,
  addition: true,
  cost: 'report',
  access: { to: 'tenant', of: ofInstitution, institution: true, routine: ROUTINE },
  body: ecdBody,
  fieldNames: FILING_FIELDS,
  status: 202,
  answer: filingJob,
  headers: ['Location'],
  handle: async ({ body, context, tenants, config }) => {
    const { largestEcd: largestFile, jobLimits: limits } = config;
    const options = { withErrors: body.comErros ?? false, largestFile, limits };
    return accepted(await requestEcd(context, tenants[0]!, ecdInput(body), options));
  },
});

/** What a request, or a precheck of it, says of the file. */
export function ecdInput(body: Partial<z.output<typeof ecdBody>> & { readonly ano: number }): EcdInput {
  return {
    ...{ year: body.ano, book: body.livro, from: body.dataInicio, to: body.dataFim, orderNumber: body.numeroLivro },
    ...{ nature: body.naturezaLivro, specialSituation: body.situacaoEspecial, startSituation: body.situacaoInicio },
    ...{ replaces: body.substitui, semestral: body.semestral },
  };
}

export const writeCosifRoute = route({
  operationId: 'writeCosif',
  method: 'POST',
  path: '/regulatory/cosif',
  summary: 'Writes a document 4010 or 4016 of the central bank in the background and checks it',
  tag: TAG,
  addition: true,
  cost: 'report',
  access: { to: 'tenant', of: ofInstitution, institution: true, routine: ROUTINE },
  body: z.strictObject({
    empresa: companyCode,
    documento: z.enum(COSIF_DOCUMENTS).meta({ example: '4010' }),
    ano: year,
    mes: z.number().int().min(1).max(12).meta({ example: 6, description: 'of a 4016: 6 or 12' }),
    remessa: optional(z.enum(REMITTANCES)).meta({
      example: null,
      description: 'absent: S where a delivery of the document and month is accepted, else I',
    }),
    comErros,
  }),
  fieldNames: FILING_FIELDS,
  status: 202,
  answer: filingJob,
  headers: ['Location'],
  handle: async ({ body, context, tenants, config }) => {
    const { documento: document, remessa: remittance } = body;
    const { companyId, company } = tenants[0]!;
    const request = { companyId, company, document, month: monthOf(body.ano, body.mes)!, remittance };
    const options = { sign: config.cosifSign, withErrors: body.comErros ?? false, limits: config.jobLimits };
    return accepted(await requestCosif(context, request, options));
  },
});

export const getFilingJobRoute = route({
  operationId: 'getFilingJob',
  method: 'GET',
  path: '/regulatory/jobs/{id}',
  summary: 'A file of a regulator that is being written, as it stands, with what the check found in it',
  tag: TAG,
  addition: true,
  access: { to: 'record', record: 'reportJob', id: (input) => input.id },
  params: idParams,
  answer: filingJob,
  handle: async ({ params, context, tenants }) =>
    jobToWire(await readFilingJob(context.sql, tenants[0]!.companyId, params.id)),
});

const MEDIA_TYPES = {
  ecd: 'text/plain; charset=iso-8859-1',
  months: 'application/zip',
  cosif: 'application/xml',
} as const;

export const downloadFilingRoute = route({
  operationId: 'downloadFiling',
  method: 'GET',
  path: '/regulatory/jobs/{id}/download',
  summary: 'The file of a finished job, as it is sent to the regulator; kept for REPORT_RETENTION_HOURS',
  tag: TAG,
  addition: true,
  access: { to: 'record', record: 'reportJob', id: (input) => input.id, routine: ROUTINE },
  params: idParams,
  files: Object.values(MEDIA_TYPES),
  headers: ['Content-Disposition', 'Repr-Digest'],
  handle: async ({ params, context, tenants }) => {
    const { companyId } = tenants[0]!;
    const job = await readFilingJob(context.sql, companyId, params.id);
    const file = await openFiling(context.sql, job);
    const { sha256, bytes, deliveryId } = job.result!;
    const reading = {
      action: 'DOWNLOAD',
      entity: 'regulatory_delivery',
      entityId: deliveryId!,
      asked: { sha256 },
    } as const;
    await auditReading(context, { ...reading, tenant: { companyId } });
    return streamResponse(file, MEDIA_TYPES[formOf(job)], {
      'content-disposition': `attachment; filename="${nameOf(job)}"`,
      'content-length': String(bytes),
      'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
    });
  },
});

function accepted(job: FilingJob): RouteResponse<z.input<typeof filingJob>> {
  return new RouteResponse(202, jobToWire(job), { location: `/regulatory/jobs/${job.id}` });
}

function jobToWire(job: FilingJob): z.input<typeof filingJob> {
  const { payload, result, progress } = job;
  return {
    ...{ id: job.id, status: job.status, nomeArquivo: nameOf(job), mensagem: job.message },
    arquivo: 'ecd' in payload ? 'ECD' : payload.cosif.document,
    linhas: result?.lines ?? progress.lines ?? 0,
    bytes: result?.bytes ?? null,
    sha256: result?.sha256 || null,
    erros: result?.errors ?? null,
    avisos: result?.warnings ?? null,
    livros: (result?.books ?? []).map(({ book, orderNumber: numero, from, to }) => ({
      ...{ livro: book, numero, dataInicio: from, dataFim: to },
    })),
    remessa: result?.remittance ?? null,
    sinal: result?.sign ?? null,
    tempo: result?.milliseconds ?? null,
    achados: (result?.findings ?? []).map(findingToWire),
    contagens: result?.counts ?? {},
    entrega: result?.deliveryId ?? null,
    requestedAt: job.requestedAt.toISOString(),
    startedAt: job.startedAt?.toISOString() ?? null,
    finishedAt: job.finishedAt?.toISOString() ?? null,
    download: result?.isKept ? `/regulatory/jobs/${job.id}/download` : null,
  };
}

function formOf({ payload, result }: FilingJob): keyof typeof MEDIA_TYPES {
  if ('cosif' in payload) return 'cosif';
  return result?.isZip ? 'months' : 'ecd';
}

function nameOf(job: FilingJob): string {
  const { payload } = job;
  if ('ecd' in payload) {
    const { company, book, from, to } = payload.ecd;
    return `ecd-${company}-${book}-${from}-${to}.${formOf(job) === 'months' ? 'zip' : 'txt'}`;
  }
  const { company, document, month } = payload.cosif;
  return `${document}-${company}-${month}.xml`;
}
