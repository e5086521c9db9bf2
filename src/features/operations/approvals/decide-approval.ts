import type { ApprovalState } from '../../../accounting/four-eyes.ts';
import { monthOfDay } from '../../../accounting/period.ts';
import { reject } from '../../../accounting/problem.ts';
import { recordRef } from '../../../accounting/record-name.ts';
import { type Context, withTransaction } from '../../../platform/context.ts';
import type { Transaction } from '../../../platform/database/sql.ts';
import type { Tenant } from '../../access/access.ts';
import { recordAudit } from '../../access/audit.sql.ts';
import { mayStill } from '../../access/authorize.ts';
import { ELEVATION } from '../../access/elevation-reasons.ts';
import { selectUserState } from '../../access/permissions.read.sql.ts';
import type { NamedApproval } from '../events/event-data.ts';
import { recordEvents } from '../events/record-events.sql.ts';
import { namedApproval } from './approval-event.ts';
import { type ApprovalRow, selectApproval } from './approvals.read.sql.ts';
import { lockApproval, markDecided } from './approvals.sql.ts';
import { EFFECTS, routinesOf } from './effects.ts';
import { hashOfRequest, readRequest } from './kept-request.ts';

/**
 * Does what was asked, in the name of who asked and by the approval of the caller, in one transaction with the decision
 * (domain: four eyes, 3). Both must be able to do it themselves at this moment. `confirmed`: the caller knows that the
 * books have changed since.
 */
export async function approve(context: Context, tenant: Tenant, id: number, confirmed: boolean): Promise<ApprovalRow> {
  requirePerson(context);
  const { requester, routines } = await partiesOf(context, tenant, id);
  const decided = await context.transaction(async (sql) => {
    const approval = await lockPending(sql, tenant, id);
    if (approval.requestedById === context.caller.id) reject('APPROVAL_OWN');
    if (!mayStill(requester, tenant, routines, context.now())) {
      reject('APPROVAL_REQUESTER', { username: approval.requestedBy });
    }
    if (hashOfRequest(approval.request) !== approval.requestHash) reject('APPROVAL_OUTDATED');
    // First the decision: what it lets happen looks for it in this transaction.
    await decide(sql, context, tenant, approval, 'APPROVED', undefined);
    const { requestedById, requestedBy, books } = approval;
    const approved = { id, requestedBy, approvedBy: context.caller.username, books, confirmed };
    const caller = { id: requestedById, username: requestedBy, admin: requester!.admin };
    await EFFECTS[approval.kind].run(
      { ...withTransaction(context, sql), caller, approved },
      tenant,
      readRequest(approval.request),
    );
    return (await selectApproval(sql, tenant.companyId, id))!;
  });
  context.wakeJobs();
  return decided;
}

/** Nothing happens; the request stays with the reason. */
export async function rejectApproval(
  context: Context,
  tenant: Tenant,
  id: number,
  reason: string,
): Promise<ApprovalRow> {
  await partiesOf(context, tenant, id);
  return end(context, tenant, id, 'REJECTED', reason);
}

/** Who asked does not want it any more. */
export function withdrawApproval(context: Context, tenant: Tenant, id: number): Promise<ApprovalRow> {
  return end(context, tenant, id, 'WITHDRAWN', undefined);
}

function end(
  context: Context,
  tenant: Tenant,
  id: number,
  state: 'REJECTED' | 'WITHDRAWN',
  reason: string | undefined,
): Promise<ApprovalRow> {
  return context.transaction(async (sql) => {
    const approval = await lockPending(sql, tenant, id);
    const isOwn = approval.requestedById === context.caller.id;
    if (isOwn !== (state === 'WITHDRAWN')) reject(isOwn ? 'APPROVAL_OWN' : 'APPROVAL_NOT_OWN');
    if (state === 'REJECTED') requirePerson(context);
    await decide(sql, context, tenant, approval, state, reason);
    return (await selectApproval(sql, tenant.companyId, id))!;
  });
}

/** The second pair of eyes is a person's: a machine that approves has seen nothing. */
function requirePerson({ caller }: Context): void {
  if (caller.service) reject('APPROVAL_BY_SERVICE');
}

/** Requester and caller as they are now, read of themselves; throws where the caller may not decide. */
async function partiesOf(context: Context, tenant: Tenant, id: number) {
  const approval =
    (await selectApproval(context.sql, tenant.companyId, id)) ?? reject('NOT_FOUND', recordRef('Approval', id));
  const routines = routinesOf(approval);
  const [approver, requester] = await context.elevated(ELEVATION.approval, (system) =>
    Promise.all([selectUserState(system, context.caller.id), selectUserState(system, approval.requestedById)]),
  );
  const needed = [...routines, 'APPROVALS'] as const;
  if (!mayStill(approver, tenant, needed, context.now())) reject('APPROVAL_APPROVER');
  return { requester, routines };
}

async function lockPending(sql: Transaction, tenant: Tenant, id: number): Promise<ApprovalRow> {
  const approval = (await lockApproval(sql, tenant.companyId, id)) ?? reject('NOT_FOUND', recordRef('Approval', id));
  if (approval.state !== 'PENDING') reject('APPROVAL_DECIDED', { approvalState: approval.state });
  return approval;
}

async function decide(
  sql: Transaction,
  context: Context,
  { companyId, branchId }: Tenant,
  approval: ApprovalRow,
  decision: Exclude<ApprovalState, 'PENDING' | 'EXPIRED'>,
  reason: string | undefined,
): Promise<void> {
  await markDecided(sql, approval, decision, context.caller, reason);
  const { id, kind, requestedBy, requestHash } = approval;
  const action = ({ APPROVED: 'APPROVE', REJECTED: 'REJECT', WITHDRAWN: 'WITHDRAW' } as const)[decision];
  const month = approval.month && monthOfDay(approval.month);
  await recordAudit(sql, context, {
    action,
    entity: 'approval',
    entityId: id,
    ...{ companyId, branchId },
    after: { kind, month, requestedBy, requestHash, reason },
  });
  const data = namedApproval(approval);
  recordEvents(sql, [{ companyId, branchId, ...eventOf(decision, data, reason) }]);
}

function eventOf(
  decision: Exclude<ApprovalState, 'PENDING' | 'EXPIRED'>,
  data: NamedApproval,
  reason: string | undefined,
) {
  if (decision === 'REJECTED') return { type: 'approval.rejected', data: { ...data, reason: reason! } } as const;
  return { type: decision === 'APPROVED' ? 'approval.approved' : 'approval.withdrawn', data } as const;
}
