import { z } from 'zod';
import type { CompanyTenant } from '../../features/access/access.ts';
import type { EcdImportJob } from '../../features/posting/imports/ecd/ecd.read.sql.ts';
import { readEcdImport, requestEcdImport } from '../../features/posting/imports/ecd/request-ecd-import.ts';
import { booleanText, codeText, id, idParams, instant, optional, tenantParams, wholeText } from '../../http/fields.ts';
import { findingAnswer, findingToWire } from '../../http/filing-finding.ts';
import { jobEvents } from '../../http/job-events.ts';
import { RouteResponse, route } from '../../http/route.ts';
import { fileBody, uploadOf } from '../../http/upload.ts';

const count = z.number().int().meta({ example: 12 });

const createdAnswer = z
  .object({
    contas: count,
    historicos: count,
    contasReferenciais: count,
    demonstracoes: count,
    signatarios: count,
    saldosIniciais: count,
    meses: count,
    lotes: count,
    documentos: count,
    lancamentos: count,
    partidas: count,
  })
  .meta({ title: 'EcdImported', description: 'what was made, or with simular would have been' });

const proofAnswer = z
  .object({ contas: count, meses: count, diferencas: z.number().int().meta({ example: 0 }) })
  .meta({ title: 'EcdProof', description: 'the books against the balances that the file itself states' });

const resultAnswer = z
  .object({
    importado: z.boolean().meta({ description: 'false: it was only tried, or something stood against it' }),
    leiaute: z.string().meta({ example: '9.00' }),
    livro: z.string().meta({ example: 'G', description: 'G, R, A, B or Z; empty where the file does not say' }),
    inicio: z.string().nullable().meta({ example: '2025-01' }),
    fim: z.string().nullable().meta({ example: '2025-12' }),
    linhas: z.number().int().meta({ example: 143 }),
    bytes: z.number().int().meta({ example: 9120 }),
    erros: z.number().int().meta({ example: 0 }),
    impeditivos: z.number().int().meta({ example: 0, description: 'errors that stand against the import' }),
    avisos: z.number().int().meta({ example: 2 }),
    achados: z
      .array(findingAnswer.extend({ impede: z.boolean().meta({ example: false }) }).meta({ title: 'EcdImportFinding' }))
      .meta({ description: 'at most 20 of a rule and 1,000 in all' }),
    contagens: z
      .record(z.string(), z.number().int())
      .meta({ description: 'all findings by rule', example: { PARTIDAS_SEM_BLOCO_C: 1 } }),
    criados: createdAnswer.nullable(),
    prova: proofAnswer.nullable(),
  })
  .meta({ title: 'EcdImportResult' });

const jobAnswer = z
  .object({
    id,
    importId: id,
    company: z.string().meta({ example: '0001' }),
    branch: z.string().meta({ example: '0001' }),
    status: z.enum(['PENDING', 'RUNNING', 'DONE', 'ERROR']),
    simular: z.boolean(),
    etapa: z.enum(['LENDO', 'CADASTROS', 'LANCAMENTOS', 'PROVA']).nullable(),
    linhas: z.number().int().meta({ example: 1200, description: 'lines of entries read or written in the step' }),
    resultado: resultAnswer.nullable(),
    mensagem: z.string().nullable(),
    requestedBy: z.string(),
    requestedAt: instant,
    startedAt: instant.nullable(),
    finishedAt: instant.nullable(),
  })
  .meta({ title: 'EcdImport' });

export const importEcdRoute = route({
  operationId: 'importEcd',
  method: 'POST',
  path: '/importEcd/{company}/{branch}',
  cost: 'upload',
  summary:
    'Imports a bookkeeping file (ECD, layouts 5 to 9) into a branch, in the background; tries it unless simular=false',
  tag: 'Imports',
  addition: true,
  access: { to: 'tenant', of: ({ company, branch }) => ({ company, branch }), routine: 'IMPORT' },
  params: tenantParams,
  query: z.strictObject({
    simular: booleanText.default(true).meta({ description: 'everything is done, proven and undone' }),
    plano: optional(codeText(40)).meta({
      example: 'PLANO',
      description: 'the chart of a branch without books, new or existing; others have theirs',
    }),
    hierarquia: z
      .enum(['ARQUIVO', 'CODIGO'])
      .default('ARQUIVO')
      .meta({ description: "which superior account counts: the file's, or that of the code" }),
    centroCusto: z.enum(['SOMAR', 'RECUSAR']).default('SOMAR'),
    somenteSaldos: booleanText
      .default(false)
      .meta({ description: 'the last balances and no entries; a book B has no others' }),
    meses: optional(wholeText(1, 12)).meta({
      type: 'integer',
      example: 12,
      description: 'the first months of the file',
    }),
  }),
  accepts: ['stream'],
  body: fileBody,
  status: 202,
  answer: jobAnswer,
  headers: ['Location'],
  handle: async ({ query, context, tenant, config, raw }) => {
    const { name, file } = await uploadOf(raw, {}, config.uploadLimit);
    try {
      const job = await requestEcdImport(
        context,
        tenant,
        { name, file },
        {
          ...{ dryRun: query.simular, chart: query.plano, hierarchy: query.hierarquia, costCentre: query.centroCusto },
          ...{ balancesOnly: query.somenteSaldos, months: query.meses },
        },
      );
      return new RouteResponse(202, jobToWire(job), { location: `/importEcd/jobs/${job.id}` });
    } finally {
      await file.remove();
    }
  },
});

const OF_JOB = {
  method: 'GET',
  tag: 'Imports',
  addition: true,
  access: { to: 'record', record: 'job', id: (input: z.output<typeof idParams>) => input.id },
  params: idParams,
} as const;

export const getEcdImportRoute = route({
  ...OF_JOB,
  operationId: 'getEcdImport',
  path: '/importEcd/jobs/{id}',
  summary: 'The import of a bookkeeping file as it stands: progress, findings, what was made, and the proof',
  answer: jobAnswer,
  handle: async ({ params, context, tenants }) =>
    jobToWire(await readEcdImport(context, tenants[0]!.companyId, params.id)),
});

export const getEcdImportEventsRoute = route({
  ...OF_JOB,
  operationId: 'followEcdImport',
  path: '/importEcd/jobs/{id}/events',
  cost: 'events',
  summary: 'The import of a bookkeeping file as server-sent events until it ends',
  files: ['text/event-stream'],
  handle: (request) => {
    const { context, tenants, params } = request;
    const [{ companyId }] = tenants as readonly [CompanyTenant];
    const read = () => readEcdImport(context, companyId, params.id);
    const job = { companyId, id: params.id, read, status: ({ status }: EcdImportJob) => status };
    return jobEvents(request, 'importEcd', job, jobToWire);
  },
});

function jobToWire(job: EcdImportJob): z.input<typeof jobAnswer> {
  const { payload, progress } = job;
  return {
    ...{ id: job.id, importId: payload.importId, company: job.company, branch: job.branch, status: job.status },
    simular: payload.options.dryRun,
    etapa: progress.step ?? null,
    linhas: progress.lines ?? 0,
    resultado: resultToWire(job),
    mensagem: job.message,
    requestedBy: job.requestedBy,
    requestedAt: job.requestedAt.toISOString(),
    startedAt: job.startedAt?.toISOString() ?? null,
    finishedAt: job.finishedAt?.toISOString() ?? null,
  };
}

function resultToWire({ result }: EcdImportJob): z.input<typeof resultAnswer> | null {
  if (result === null) return null;
  const { created, proof } = result;
  return {
    ...{ importado: result.imported, leiaute: result.layout, livro: result.book, inicio: result.from, fim: result.to },
    ...{ linhas: result.lines, bytes: result.bytes, erros: result.errors, impeditivos: result.stops },
    avisos: result.warnings,
    achados: result.findings.map((found) => ({ ...findingToWire(found), impede: found.stops ?? false })),
    contagens: { ...result.counts },
    criados: created && {
      ...{ contas: created.accounts, historicos: created.narrations, contasReferenciais: created.mappings },
      ...{ demonstracoes: created.statements, signatarios: created.signatories },
      ...{ saldosIniciais: created.openingBalances, meses: created.months, lotes: created.batches },
      ...{ documentos: created.documents, lancamentos: created.entries, partidas: created.lines },
    },
    prova: proof && { contas: proof.accounts, meses: proof.months, diferencas: proof.differences },
  };
}
