import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { refuse } from '../../accounting/problem.ts';
import { named } from '../../accounting/record-name.ts';
import type { CompanyTenant, Tenant } from '../../features/access/access.ts';
import { type ConsolidationState, selectConsolidation } from '../../features/consolidation/consolidation.read.sql.ts';
import { requestConsolidation, requestConsolidationOfAll } from '../../features/consolidation/request-consolidation.ts';
import type { Context } from '../../platform/context.ts';
import {
  ALL_BRANCHES,
  consolidationAnswer,
  type consolidationBody,
  consolidationToWire,
  monthOfBody,
} from './consolidation.ts';
import { idParams } from './fields.ts';
import { route, streamed } from './route.ts';

/** What both services' POST /runconsolidation do; only their answers differ. */
export async function startConsolidation(
  context: Context,
  tenants: readonly CompanyTenant[],
  body: z.output<typeof consolidationBody>,
): Promise<z.output<typeof consolidationAnswer>> {
  const [tenant] = tenants as readonly [CompanyTenant];
  const month = monthOfBody(body);
  const job =
    body.branch === ALL_BRANCHES
      ? await requestConsolidationOfAll(context, tenant, month)
      : await requestConsolidation(context, tenant as Tenant, month);
  return consolidationToWire(await stateOf(context, tenant.companyId, job.id));
}

export const getConsolidationRoute = route({
  method: 'GET',
  path: '/runconsolidation/{id}',
  summary: 'A consolidation as it stands',
  tag: 'Consolidation',
  addition: true,
  access: { to: 'record', record: 'job', id: (input) => input.id },
  params: idParams,
  answer: consolidationAnswer,
  handle: async ({ params, context, tenants }) =>
    consolidationToWire(await stateOf(context, tenants[0]!.companyId, params.id)),
});

export const getConsolidationEventsRoute = route({
  method: 'GET',
  path: '/runconsolidation/{id}/events',
  cost: 'events',
  summary: 'A consolidation as server-sent events until it ends',
  tag: 'Consolidation',
  addition: true,
  access: { to: 'record', record: 'job', id: (input) => input.id },
  params: idParams,
  handle: async ({ params, context, tenants, raw }) => {
    const { companyId } = tenants[0]!;
    await stateOf(context, companyId, params.id);
    const goesOn = () => raw.server.server.listening;
    return streamed(Readable.from(events(context, companyId, params.id, goesOn)), 'text/event-stream', {
      'cache-control': 'no-store',
    });
  },
});

const POLL_MS = 250;
/** A listener that stays longer asks again. */
const MAX_EVENTS = 4 * 60 * 60;

/** Until the end of the consolidation, or of the service: its listener asks the next one. */
async function* events(context: Context, companyId: number, id: number, goesOn: () => boolean): AsyncGenerator<string> {
  let last = '';
  for (let turn = 0; turn < MAX_EVENTS && goesOn(); turn++) {
    const state = consolidationToWire(await stateOf(context, companyId, id));
    const text = JSON.stringify(state);
    if (text !== last) yield `event: consolidation\ndata: ${text}\n\n`;
    last = text;
    if (state.status === 'DONE' || state.status === 'ERROR') return;
    await sleep(POLL_MS);
  }
}

async function stateOf(context: Context, companyId: number, id: number): Promise<ConsolidationState> {
  return (await selectConsolidation(context.sql, companyId, id)) ?? refuse('NOT_FOUND', named('Consolidation', id));
}
