import { z } from 'zod';
import type { BranchId, CompanyId } from '../../accounting/ids.ts';
import type { Day, Month } from '../../accounting/period.ts';
import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import { selectProcesses } from '../../features/compliance/processes.read.sql.ts';
import { readProcess } from '../../features/compliance/read-process.ts';
import { booleanText, branchPathId, companyPathId, isoMonth, pathId } from '../../http/fields.ts';
import { languageOf } from '../../http/language.ts';
import { pageQuery } from '../../http/paging.ts';
import { type AnswerOf, RouteResponse, route } from '../../http/route.ts';
import type { Context } from '../../platform/context.ts';
import { offsetOf, type PageRequest } from '../../platform/page-request.ts';
import { since } from './form-fields.ts';
import { processDetailAnswer, processDetailToWire, processItemToWire, processListAnswer } from './results.ts';

const tag = 'Processes';

/**
 * Additions: those of one branch, month or document, the replaced processes too, and pages of a long list (its length in
 * X-Total-Count).
 */
const listQuery = {
  branchid: branchPathId.optional(),
  refmonth: isoMonth.optional(),
  documentid: pathId.optional(),
  history: booleanText.optional(),
  ...pageQuery(1_000, 10_000),
};
const companyQuery = { ...listQuery, companyid: companyPathId.optional() };

interface MaybePlace {
  readonly companyid?: CompanyId | undefined;
  readonly branchid?: BranchId | undefined;
}

/** Without either, everything that the caller can access. */
const ofCompanyOrBranch = {
  to: 'record',
  record: ({ branchid }: MaybePlace) => (branchid === undefined ? 'company' : 'branch'),
  id: ({ companyid, branchid }: MaybePlace) => branchid ?? companyid ?? [],
} as const;

export const getProcessesRoute = route({
  operationId: 'listProcesses',
  method: 'GET',
  path: '/api/compliance/process/result/list/',
  summary: 'The latest process of each branch, document and month',
  tag,
  access: ofCompanyOrBranch,
  query: z.strictObject({ ...companyQuery, since: since.optional() }),
  answer: processListAnswer,
  headers: ['X-Total-Count'],
  handle: ({ query, context }) => listProcesses(context, query),
});

export const getProcessesSinceRoute = route({
  operationId: 'listProcessesSince',
  method: 'GET',
  path: '/api/compliance/process/result/list/{since}',
  summary: 'The latest processes executed since a month or day',
  tag,
  access: ofCompanyOrBranch,
  params: z.object({ since }),
  query: z.strictObject(companyQuery),
  answer: processListAnswer,
  headers: ['X-Total-Count'],
  handle: ({ params, query, context }) => listProcesses(context, { ...query, ...params }),
});

export const getProcessesOfCompanyRoute = route({
  operationId: 'listCompanyProcesses',
  method: 'GET',
  path: '/api/compliance/process/result/list/{since}/{companyid}',
  summary: 'The latest processes of a company executed since a month or day',
  tag,
  access: ofCompanyOrBranch,
  params: z.object({ since, companyid: companyPathId }),
  query: z.strictObject(listQuery),
  answer: processListAnswer,
  headers: ['X-Total-Count'],
  handle: ({ params, query, context }) => listProcesses(context, { ...query, ...params }),
});

export const getProcessRoute = route({
  operationId: 'getProcess',
  method: 'GET',
  path: '/api/compliance/process/result/get/{processid}',
  summary: 'A process: what each rule found, and what changed since the run before it',
  tag,
  access: { to: 'record', record: 'complianceProcess', id: ({ processid }) => processid },
  params: z.object({ processid: pathId }),
  answer: processDetailAnswer,
  handle: async ({ params, tenants, context, raw }) => {
    const process = await readProcess(context.sql, tenants[0]!.companyId, params.processid);
    const found = process ?? reject('NOT_FOUND', recordRef('Process', params.processid));
    return processDetailToWire(found, languageOf(raw.headers['accept-language']));
  },
});

interface ListRequest extends PageRequest, MaybePlace {
  readonly since?: Day | undefined;
  readonly refmonth?: Month | undefined;
  readonly documentid?: number | undefined;
  readonly history?: boolean | undefined;
}

async function listProcesses(
  context: Context,
  request: ListRequest,
): Promise<RouteResponse<AnswerOf<typeof processListAnswer>>> {
  const { rows, total } = await selectProcesses(context.sql, {
    since: request.since,
    companyId: request.companyid,
    branchId: request.branchid,
    month: request.refmonth,
    documentId: request.documentid,
    history: request.history ?? false,
    limit: request.size,
    offset: offsetOf(request),
  });
  return new RouteResponse(200, rows.map(processItemToWire), { 'x-total-count': String(total) });
}
