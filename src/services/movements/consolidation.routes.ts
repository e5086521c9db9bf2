import { z } from 'zod';
import { selectMonthCloses } from '../../features/closing/month-close/month-close.read.sql.ts';
import { AwaitingApproval } from '../../features/operations/approvals/ask-approval.ts';
import { approvalAnswer, awaitingAnswer } from '../../http/approvals.ts';
import { startMonthClose } from '../../http/consolidation.routes.ts';
import {
  consolidationAnswer,
  consolidationBody,
  consolidationTenant,
  consolidationToWire,
} from '../../http/consolidation.ts';
import { codeText, companyCode, isoMonth } from '../../http/fields.ts';
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
  otherAnswers: { 202: approvalAnswer },
  handle: async ({ body, context, tenants }) => {
    const started = await startMonthClose(context, tenants, body);
    return started instanceof AwaitingApproval ? awaitingAnswer(started, context.caller) : started;
  },
});

/** Maximum number of month closes of one month; older ones are removed after a while anyway. */
const MAX_LISTED = 20;

export const getConsolidationsRoute = route({
  operationId: 'listMonthCloses',
  method: 'GET',
  path: '/consolidations/{company}/{branch}',
  summary: 'The last 20 month closes of a month, newest first: of a branch, or with * those of all branches together',
  tag: 'Consolidation',
  addition: true,
  access: { to: 'tenant', of: consolidationTenant },
  params: z.object({ company: companyCode, branch: codeText(10).meta({ example: '0001' }) }),
  query: z.strictObject({ month: isoMonth }),
  answer: z.array(consolidationAnswer),
  handle: async ({ query, context, tenants }) =>
    (await selectMonthCloses(context.sql, tenants[0]!, query.month, MAX_LISTED)).map(consolidationToWire),
});
