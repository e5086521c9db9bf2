import { startMonthClose } from '../../http/consolidation.routes.ts';
import { consolidationAnswer, consolidationBody, consolidationTenant } from '../../http/consolidation.ts';
import { route } from '../../http/route.ts';

export const runConsolidationRoute = route({
  operationId: 'closeMonth',
  method: 'POST',
  path: '/runconsolidation',
  summary: 'Closes a month of a branch, or of all branches, in the background',
  tag: 'Consolidation',
  access: { to: 'tenant', of: consolidationTenant, routine: 'CONSOLIDATION' },
  body: consolidationBody,
  answer: consolidationAnswer,
  handle: ({ body, context, tenants }) => startMonthClose(context, tenants, body),
});
