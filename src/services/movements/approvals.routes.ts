import { z } from 'zod';
import { APPROVAL_KINDS, type ApprovalState } from '../../accounting/four-eyes.ts';
import { reject } from '../../accounting/problem.ts';
import { recordRef } from '../../accounting/record-name.ts';
import type { Access, Tenant } from '../../features/access/access.ts';
import {
  type ApprovalRow,
  selectApproval,
  selectApprovals,
} from '../../features/operations/approvals/approvals.read.sql.ts';
import { approve, rejectApproval, withdrawApproval } from '../../features/operations/approvals/decide-approval.ts';
import { APPROVAL_STATUSES, approvalAnswer, approvalToWire } from '../../http/approvals.ts';
import { branchCode, companyCode, idParams, isoMonth, text } from '../../http/fields.ts';
import { pageOf, pageQuery, pageToWire } from '../../http/paging.ts';
import { route } from '../../http/route.ts';
import type { Context } from '../../platform/context.ts';

const tag = 'Approvals';
const ofApproval: Access<{ id: number }> = { to: 'record', record: 'approval', id: (input) => input.id };
const toDecide: Access<{ id: number }> = { ...ofApproval, routine: 'APPROVALS' };

export const getApprovalsRoute = route({
  operationId: 'listApprovals',
  method: 'GET',
  path: '/approvals',
  summary: 'What waits, or waited, for a second person in the branches that the caller sees, newest first',
  tag,
  addition: true,
  access: { to: 'signedIn' },
  query: z.strictObject({
    company: companyCode.optional(),
    branch: branchCode.optional(),
    kind: z.enum(APPROVAL_KINDS).optional(),
    status: z.enum(APPROVAL_STATUSES).optional(),
    month: isoMonth.optional(),
    ...pageQuery(50),
  }),
  answer: pageOf(approvalAnswer),
  handle: async ({ query, context }) => {
    const { page, size, status, ...filter } = query;
    const state: ApprovalState | undefined = status === 'PENDING_APPROVAL' ? 'PENDING' : status;
    const { rows, total } = await selectApprovals(context.sql, { ...filter, state }, { page, size });
    const content = rows.map((row) => approvalToWire(row, context.caller));
    return pageToWire(content, total, { page, size });
  },
});

export const getApprovalRoute = route({
  operationId: 'getApproval',
  method: 'GET',
  path: '/approvals/{id}',
  summary: 'A request for approval',
  tag,
  addition: true,
  access: ofApproval,
  params: idParams,
  answer: approvalAnswer,
  handle: async ({ params, context, tenant }) => {
    const found = await selectApproval(context.sql, tenant.companyId, params.id);
    return approvalToWire(found ?? reject('NOT_FOUND', recordRef('Approval', params.id)), context.caller);
  },
});

export const approveRoute = decisionRoute({
  operationId: 'approveRequest',
  path: '/approvals/{id}/approve',
  summary: 'Approves what somebody else asked, and does it',
  cost: 'bulk',
  access: toDecide,
  body: z.strictObject({
    confirmed: z.boolean().default(false).meta({
      example: false,
      description: 'the caller knows that the books have changed since the request',
    }),
  }),
  decide: (context, tenant, id, { confirmed }) => approve(context, tenant, id, confirmed),
});

export const rejectApprovalRoute = decisionRoute({
  operationId: 'rejectRequest',
  path: '/approvals/{id}/reject',
  summary: 'Rejects what somebody else asked, with a reason',
  access: toDecide,
  body: z.strictObject({ reason: text(500, 1).meta({ example: 'Falta o documento de suporte' }) }),
  decide: (context, tenant, id, { reason }) => rejectApproval(context, tenant, id, reason),
});

export const withdrawApprovalRoute = decisionRoute({
  operationId: 'withdrawRequest',
  path: '/approvals/{id}/withdraw',
  summary: "Takes one's own request back",
  access: ofApproval,
  body: z.strictObject({}),
  decide: withdrawApproval,
});

interface Decision<Body extends z.ZodType> {
  readonly operationId: string;
  readonly path: string;
  readonly summary: string;
  readonly cost?: 'bulk';
  readonly access: Access<{ id: number }>;
  readonly body: Body;
  readonly decide: (context: Context, tenant: Tenant, id: number, body: z.output<Body>) => Promise<ApprovalRow>;
}

/** A way in which a request ends. */
function decisionRoute<Body extends z.ZodType>({ decide, ...given }: Decision<Body>) {
  return route({
    ...given,
    method: 'POST',
    tag,
    addition: true,
    params: idParams,
    answer: approvalAnswer,
    idempotent: true,
    handle: async ({ params, body, context, tenant }) =>
      approvalToWire(await decide(context, tenant, params.id, body as z.output<Body>), context.caller),
  });
}
