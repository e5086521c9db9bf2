import { z } from 'zod';
import { AwaitingApproval } from '../../features/operations/approvals/ask-approval.ts';
import { approvalAnswer, awaitingAnswer } from '../../http/approvals.ts';
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
  answer: z.object({ success: z.boolean(), message: z.string(), data: consolidationAnswer }),
  otherAnswers: { 202: approvalAnswer },
  handle: async ({ body, context, tenants }) => {
    const data = await startMonthClose(context, tenants, body);
    if (data instanceof AwaitingApproval) return awaitingAnswer(data, context.caller);
    return { success: true, message: 'Consolidação solicitada', data };
  },
});
