import { z } from 'zod';
import { APPROVAL_KINDS } from '../accounting/four-eyes.ts';
import { decimalOf } from '../accounting/money.ts';
import { monthOfDay, slashOf } from '../accounting/period.ts';
import type { Tenant } from '../features/access/access.ts';
import type { ApprovalRow } from '../features/operations/approvals/approvals.read.sql.ts';
import { AwaitingApproval } from '../features/operations/approvals/ask-approval.ts';
import type { Draft } from '../features/operations/approvals/draft-effects.ts';
import { postOrKeep } from '../features/operations/approvals/keep-draft.ts';
import type { Context } from '../platform/context.ts';
import { id, instant } from './fields.ts';
import { RouteResponse } from './route.ts';

// Requests that wait for a second person, as every service shows them.

export const APPROVAL_STATUSES = ['PENDING_APPROVAL', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'EXPIRED'] as const;

export const approvalAnswer = z
  .object({
    id,
    company: z.string().meta({ example: '0001' }),
    branch: z.string().meta({ example: '0001' }),
    kind: z.enum(APPROVAL_KINDS),
    month: z.string().nullable().meta({ example: '01/2026' }),
    status: z.enum(APPROVAL_STATUSES),
    draft: z
      .object({
        operation: z.string().meta({ example: 'postEntry' }),
        month: z.string().meta({ example: '2026-01' }),
        batch: z.string().meta({ example: '7' }),
        total: z.string().meta({ example: '150000.00', description: 'debits that the batch would have' }),
        limit: z.string().meta({ example: '100000.00' }),
      })
      .nullable()
      .meta({ example: null, description: 'of lines that wait because of the limit of their batch' }),
    request: z.record(z.string(), z.unknown()).meta({ example: { month: '2026-01' }, description: 'what was asked' }),
    requestHash: z.string().meta({ description: 'SHA-256 of the request: what is done has the same' }),
    requestedBy: z.string().meta({ example: 'ana' }),
    requestedAt: instant,
    expiresAt: instant.nullable(),
    decidedBy: z.string().nullable().meta({ example: null }),
    decidedAt: instant.nullable(),
    reason: z.string().nullable().meta({ example: null }),
    own: z.boolean().meta({ description: 'the caller asked: somebody else decides' }),
  })
  .meta({ title: 'Approval' });

export function approvalToWire(row: ApprovalRow, caller: { readonly id: number }): z.output<typeof approvalAnswer> {
  return {
    id: row.id,
    company: row.company,
    branch: row.branch,
    kind: row.kind,
    month: row.month === null ? null : slashOf(monthOfDay(row.month)),
    status: row.state === 'PENDING' ? 'PENDING_APPROVAL' : row.state,
    draft: row.kind === 'DRAFT' ? JSON.parse(row.books) : null,
    request: JSON.parse(row.request, plainly),
    requestHash: row.requestHash,
    requestedBy: row.requestedBy,
    requestedAt: row.requestedAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    decidedBy: row.decidedBy,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    reason: row.reason,
    own: row.requestedById === caller.id,
  };
}

/** The answer of an operation that waits: 202 with the request. */
export function awaitingAnswer(
  { approval }: AwaitingApproval,
  caller: { readonly id: number },
): RouteResponse<z.output<typeof approvalAnswer>> {
  return new RouteResponse(202, approvalToWire(approval, caller));
}

/** The answer of a way into the books: what was posted, or 202 where it waits as a draft. */
export async function postedOrKept<Answer>(
  context: Context,
  tenant: Tenant,
  draft: Draft,
  post: (draft: Draft) => Promise<Answer>,
): Promise<Answer | RouteResponse<z.output<typeof approvalAnswer>>> {
  const posted = await postOrKeep(context, tenant, draft, () => post(draft));
  return posted instanceof AwaitingApproval ? awaitingAnswer(posted, context.caller) : posted;
}

function plainly(key: string, value: unknown): unknown {
  // The content of a file says nothing to a reader.
  if (key === 'content') return undefined;
  const { $bigint, $date } = (value ?? {}) as { $bigint?: string; $date?: string };
  if ($bigint !== undefined) return decimalOf(BigInt($bigint));
  return $date ?? value;
}
