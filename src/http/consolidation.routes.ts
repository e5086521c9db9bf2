import type { z } from 'zod';
import type { CompanyTenant, Tenant } from '../features/access/access.ts';
import { readMonthClose, watchedMonthClose } from '../features/closing/month-close/read-month-close.ts';
import { requestMonthClose, requestMonthCloseOfAll } from '../features/closing/month-close/request-month-close.ts';
import { AwaitingApproval } from '../features/operations/approvals/ask-approval.ts';
import type { Context } from '../platform/context.ts';
import {
  ALL_BRANCHES,
  consolidationAnswer,
  type consolidationBody,
  consolidationToWire,
  monthOfBody,
} from './consolidation.ts';
import { idParams } from './fields.ts';
import { jobEvents } from './job-events.ts';
import { route } from './route.ts';

/** POST /runconsolidation of both services; only the responses differ. */
export async function startMonthClose(
  context: Context,
  tenants: readonly CompanyTenant[],
  body: z.output<typeof consolidationBody>,
): Promise<z.output<typeof consolidationAnswer> | AwaitingApproval> {
  const [tenant] = tenants as readonly [CompanyTenant];
  const month = monthOfBody(body);
  const job =
    body.branch === ALL_BRANCHES
      ? await requestMonthCloseOfAll(context, tenant, month)
      : await requestMonthClose(context, tenant as Tenant, month);
  if (job instanceof AwaitingApproval) return job;
  return consolidationToWire(await readMonthClose(context, tenant.companyId, job.id));
}

export const getConsolidationRoute = route({
  operationId: 'getMonthClose',
  method: 'GET',
  path: '/runconsolidation/{id}',
  summary: 'A month close as it stands',
  tag: 'Consolidation',
  addition: true,
  access: { to: 'record', record: 'job', id: (input) => input.id },
  params: idParams,
  answer: consolidationAnswer,
  handle: async ({ params, context, tenants }) =>
    consolidationToWire(await readMonthClose(context, tenants[0]!.companyId, params.id)),
});

export const getConsolidationEventsRoute = route({
  operationId: 'followMonthClose',
  method: 'GET',
  path: '/runconsolidation/{id}/events',
  cost: 'events',
  summary: 'A month close as server-sent events until it ends',
  tag: 'Consolidation',
  addition: true,
  access: { to: 'record', record: 'job', id: (input) => input.id },
  params: idParams,
  files: ['text/event-stream'],
  handle: (request) => {
    const { context, tenants, params } = request;
    const job = watchedMonthClose(context, tenants[0]!.companyId, params.id);
    return jobEvents(request, 'consolidation', job, consolidationToWire);
  },
});
