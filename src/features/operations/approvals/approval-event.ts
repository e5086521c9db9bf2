import { monthOfDay } from '../../../accounting/period.ts';
import type { NamedApproval } from '../events/event-data.ts';
import type { ApprovalRow } from './approvals.read.sql.ts';

/** A request as events name it; its content and its people stand in GET /approvals. */
export function namedApproval({ id, kind, month, books }: ApprovalRow): NamedApproval {
  return {
    approvalId: id,
    kind,
    operation: kind === 'DRAFT' ? (JSON.parse(books) as { operation: string }).operation : null,
    month: month && monthOfDay(month),
  };
}
