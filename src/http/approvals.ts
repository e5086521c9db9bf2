import { z } from 'zod';
import { APPROVAL_KINDS } from '../accounting/four-eyes.ts';
import { decimalOf } from '../accounting/money.ts';
import { monthOfDay, slashOf } from '../accounting/period.ts';
import type { ApprovalRow } from '../features/operations/approvals/approvals.read.sql.ts';
import type { AwaitingApproval } from '../features/operations/approvals/ask-approval.ts';
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

function plainly(_key: string, value: unknown): unknown {
  const { $bigint, $date } = (value ?? {}) as { $bigint?: string; $date?: string };
  if ($bigint !== undefined) return decimalOf(BigInt($bigint));
  return $date ?? value;
}
