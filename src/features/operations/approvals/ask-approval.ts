import type { ApprovalKind } from '../../../accounting/four-eyes.ts';
import type { Month } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import type { Context } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { BranchKey } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { recordEvents } from '../events/record-events.sql.ts';
import { namedApproval } from './approval-event.ts';
import { type ApprovalRow, selectFourEyes } from './approvals.read.sql.ts';
import { expireApprovals, insertApproval, selectWaitingApproval } from './approvals.sql.ts';
import { hashOfRequest, keepRequest } from './kept-request.ts';

/** What a use case returns instead of its result: nothing was done, a second person is asked. */
export class AwaitingApproval {
  readonly approval: ApprovalRow;

  constructor(approval: ApprovalRow) {
    this.approval = approval;
  }
}

export interface Asked {
  readonly kind: ApprovalKind;
  readonly month?: Month | undefined;
  /** What is done once it is approved, as effects.ts reads it. */
  readonly request: unknown;
  /** What the decision depends on: where it is another when somebody approves, he must say that he has seen it. */
  readonly books: () => Promise<unknown>;
}

/** Days after which a request of that kind is asked again. A draft waits until somebody decides: it is somebody's work. */
const DAYS = 7;

/**
 * Asks for a second person where the branch wants one for this kind; undefined: the caller may go on, because nobody is
 * to be asked or because this is what was approved (domain: four eyes, 1). Throws APPROVAL_WAITS where something else of
 * the kind waits for the month.
 */
export async function askIfNeeded(
  sql: Transaction,
  context: Context,
  branch: BranchKey,
  asked: Asked & { readonly kind: Exclude<ApprovalKind, 'OPTIONS' | 'DRAFT'> },
): Promise<AwaitingApproval | undefined> {
  if (context.approved) return rejectOtherBooks(context, asked);
  const kinds = await selectFourEyes(sql, branch);
  return kinds.includes(asked.kind) ? askApproval(sql, context, branch, asked) : undefined;
}

/** The same where the caller knows that a second person is wanted. */
export async function askApproval(
  sql: Transaction,
  context: Context,
  branch: BranchKey,
  { kind, month, request, books }: Asked,
): Promise<AwaitingApproval> {
  await expireApprovals(sql, branch);
  const kept = keepRequest(request);
  const requestHash = hashOfRequest(kept);
  const days = kind === 'DRAFT' ? undefined : DAYS;
  const { companyId, branchId } = branch;
  const added = await insertApproval(sql, {
    ...{ companyId, branchId, kind, month, requestHash, days },
    request: kept,
    books: keepRequest((await books()) ?? null),
    by: context.caller,
  });
  if (added === undefined) {
    const waiting = await selectWaitingApproval(sql, branch, kind, month);
    const isSame = waiting.requestHash === requestHash && waiting.requestedById === context.caller.id;
    if (!isSame) reject('APPROVAL_WAITS', { approval: waiting.id, username: waiting.requestedBy });
    return new AwaitingApproval(waiting);
  }
  await recordAudit(sql, context, {
    action: 'REQUEST',
    entity: 'approval',
    entityId: added.id,
    ...{ companyId, branchId },
    // A draft may be a file of a million lines.
    after: { kind, month, requestHash, request: JSON.parse(kind === 'DRAFT' ? added.books : kept) },
  });
  recordEvents(sql, [{ type: 'approval.requested', companyId, branchId, data: namedApproval(added) }]);
  return new AwaitingApproval(added);
}

async function rejectOtherBooks({ approved }: Context, { books }: Asked): Promise<undefined> {
  if (approved!.confirmed || keepRequest((await books()) ?? null) === approved!.books) return undefined;
  return reject('APPROVAL_BOOKS_CHANGED', {}, 'confirmed');
}
