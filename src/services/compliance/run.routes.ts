import { z } from 'zod';
import { requestComplianceRun, runCompliance, watchedRun } from '../../features/compliance/run-compliance.ts';
import { tryScript } from '../../features/compliance/try-script.ts';
import type { JobRow } from '../../features/operations/jobs/jobs.sql.ts';
import { booleanText, id, instant, pathId } from '../../http/fields.ts';
import { jobEvents } from '../../http/job-events.ts';
import { languageOf } from '../../http/language.ts';
import { route } from '../../http/route.ts';
import {
  branchField,
  branchIdField,
  codeField,
  companyIdField,
  mergeFields,
  monthField,
  required,
  SCRIPT_EXAMPLE,
  scriptField,
  wholeField,
} from './form-fields.ts';
import { PROCESS_EXAMPLE, processesAnswer, processesToWire, scriptResultToWire, trialAnswer } from './results.ts';

const tag = 'Runs';

const runFields = {
  refmonth: monthField.describe('Required'),
  branchid: branchIdField.describe('This or companyid'),
  companyid: companyIdField.describe('This or branchid'),
  branchfrom: branchField.describe('Required with companyid: the first branch'),
  branchto: branchField.describe('Required with companyid: the last branch'),
  documentid: wholeField.describe('This or documentcode'),
  documentcode: codeField,
};

const runJobAnswer = z
  .object({
    jobid: id,
    status: z.enum(['PENDING', 'RUNNING', 'DONE', 'ERROR']),
    refdate: z.string(),
    percent: z.number(),
    requestedBy: z.string(),
    requestedAt: instant,
    finishedAt: instant.nullable(),
    message: z.string().nullable(),
    processes: z.array(id),
  })
  .meta({
    example: {
      jobid: 1,
      status: 'DONE',
      refdate: '2026-01',
      percent: 100,
      requestedBy: 'maria',
      requestedAt: '2026-02-05T18:15:00.000Z',
      finishedAt: '2026-02-05T18:15:02.000Z',
      message: null,
      processes: [1, 2],
    },
  });

const RUN_FIELDS = {
  branchFrom: 'branchfrom',
  branchId: 'branchid',
  branchTo: 'branchto',
  companyId: 'companyid',
  documentCode: 'documentcode',
  documentId: 'documentid',
  month: 'refmonth',
} as const;

export const runRoute = route({
  operationId: 'runRules',
  method: 'POST',
  path: '/api/compliance/run',
  cost: ({ async: inBackground }) => (inBackground ? 'ordinary' : 'heavy'),
  summary: 'Runs the rules of a document over one branch or the branches of a company',
  tag,
  access: { to: 'signedIn' },
  query: z.strictObject({
    ...runFields,
    async: booleanText.optional().meta({ description: 'Addition: run in the background and answer the job' }),
  }),
  body: z
    .strictObject(runFields)
    .meta({ example: { refmonth: '2026-01', branchid: 1, documentcode: '4010' } })
    .nullish(),
  accepts: ['form', 'json'],
  fieldNames: RUN_FIELDS,
  answer: z.union([processesAnswer, runJobAnswer]).meta({ example: [PROCESS_EXAMPLE] }),
  handle: async ({ query: { async: inBackground, ...query }, body, context, config, raw }) => {
    const given = mergeFields(query, body);
    const ofCompany = given.companyid !== undefined && given.branchid === undefined;
    const fields = required(given, 'refmonth', ...(ofCompany ? (['branchfrom', 'branchto'] as const) : []));
    const request = {
      month: fields.refmonth,
      branchId: fields.branchid,
      companyId: fields.companyid,
      branchFrom: fields.branchfrom,
      branchTo: fields.branchto,
      documentId: fields.documentid,
      documentCode: fields.documentcode,
    };
    if (inBackground) return runJobToWire(await requestComplianceRun(context, request, config.jobLimits));
    return processesToWire(await runCompliance(context, request), languageOf(raw.headers['accept-language']));
  },
});

export const getRunJobRoute = route({
  operationId: 'getRun',
  method: 'GET',
  path: '/api/compliance/run/{jobid}',
  summary: 'How far a run in the background is',
  tag,
  addition: true,
  access: { to: 'record', record: 'job', id: ({ jobid }) => jobid },
  params: z.object({ jobid: pathId }),
  answer: runJobAnswer,
  handle: async ({ params, tenants, context }) =>
    runJobToWire(await watchedRun(context, tenants[0]!.companyId, params.jobid).read()),
});

export const getRunEventsRoute = route({
  operationId: 'followRun',
  method: 'GET',
  path: '/api/compliance/run/{jobid}/events',
  cost: 'events',
  summary: 'A run in the background as server-sent events until it ends',
  tag,
  addition: true,
  access: { to: 'record', record: 'job', id: ({ jobid }) => jobid },
  params: z.object({ jobid: pathId }),
  files: ['text/event-stream'],
  handle: (request) => {
    const { context, tenants, params } = request;
    const job = watchedRun(context, tenants[0]!.companyId, params.jobid);
    return jobEvents(request, 'run', job, runJobToWire);
  },
});

const testFields = {
  script: scriptField.describe('Required'),
  refmonth: monthField.describe('Required'),
  branchid: branchIdField,
  companyid: companyIdField,
};

export const testRoute = route({
  operationId: 'testScript',
  method: 'POST',
  path: '/api/compliance/test',
  cost: 'heavy',
  summary: 'Runs a script over one branch and keeps nothing',
  tag,
  access: { to: 'signedIn' },
  query: z.strictObject(testFields),
  body: z
    .strictObject(testFields)
    .meta({ example: { script: SCRIPT_EXAMPLE, refmonth: '2026-01', branchid: 1 } })
    .nullish(),
  accepts: ['form', 'json'],
  fieldNames: RUN_FIELDS,
  answer: trialAnswer,
  handle: async ({ query, body, context, raw }) => {
    const fields = required(mergeFields(query, body), 'script', 'refmonth');
    const { script, refmonth: month, branchid: branchId, companyid: companyId } = fields;
    const { branch, ...result } = await tryScript(context, { script, month, branchId, companyId });
    return {
      branchid: branch.branchId,
      company: branch.company,
      branch: branch.branch,
      refmonth: month,
      ...scriptResultToWire(result, languageOf(raw.headers['accept-language'])),
    };
  },
});

function runJobToWire(job: JobRow<'COMPLIANCE_RUN'>): z.output<typeof runJobAnswer> {
  const { percent = 0 } = job.progress;
  return {
    jobid: job.id,
    status: job.status,
    refdate: (job.month ?? '').slice(0, 7),
    percent: job.status === 'DONE' ? 100 : percent,
    requestedBy: job.requestedBy,
    requestedAt: job.requestedAt.toISOString(),
    finishedAt: job.finishedAt?.toISOString() ?? null,
    message: job.message,
    processes: [...(job.result?.processes ?? [])],
  };
}
