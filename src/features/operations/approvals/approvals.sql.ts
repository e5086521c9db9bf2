import type { ApprovalKind } from '../../../accounting/four-eyes.ts';
import type { CompanyId } from '../../../accounting/ids.ts';
import { firstDay, type Month } from '../../../accounting/period.ts';
import type { Caller } from '../../../platform/context.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { SQL } from '../../../platform/database/statement.ts';
import type { BranchKey } from '../../access/access.ts';
import { APPROVAL_COLUMNS, APPROVAL_JOINS, type ApprovalRow } from './approvals.read.sql.ts';

export interface NewApproval extends BranchKey {
  readonly kind: ApprovalKind;
  readonly month: Month | undefined;
  readonly request: string;
  readonly requestHash: string;
  readonly books: string;
  readonly by: Caller;
  /** undefined: it waits until somebody decides. */
  readonly days: number | undefined;
}

/** The request of that kind and month whose time is over makes room for another. */
export async function expireApprovals(sql: Sql, branch: BranchKey): Promise<void> {
  await sql.run(SQL`
    UPDATE approval SET state = 'EXPIRED', decided_at = approval.expires_at
     WHERE approval.company_id = ${branch.companyId} AND approval.branch_id = ${branch.branchId}
       AND approval.state = 'PENDING' AND approval.expires_at <= now()`);
}

/** undefined: one of the kind and month waits already. */
export function insertApproval(sql: Sql, added: NewApproval): Promise<ApprovalRow | undefined> {
  return sql.maybe<ApprovalRow>(SQL`
    WITH added AS (
      INSERT INTO approval (company_id, branch_id, kind, month, request, request_hash, books, requested_by_id,
                            requested_by, expires_at)
      VALUES (${added.companyId}, ${added.branchId}, ${added.kind}, ${added.month ? firstDay(added.month) : null},
              ${added.request}, ${added.requestHash}, ${added.books}, ${added.by.id}, ${added.by.username},
              now() + ${added.days ?? null}::integer * interval '1 day')
      ON CONFLICT DO NOTHING
      RETURNING approval.*
    )
    SELECT ${APPROVAL_COLUMNS} FROM added AS approval ${APPROVAL_JOINS}`);
}

export function selectWaitingApproval(
  sql: Sql,
  { companyId, branchId }: BranchKey,
  kind: ApprovalKind,
  month: Month | undefined,
): Promise<ApprovalRow> {
  return sql.one<ApprovalRow>(SQL`
    SELECT ${APPROVAL_COLUMNS} FROM approval ${APPROVAL_JOINS}
     WHERE approval.company_id = ${companyId} AND approval.branch_id = ${branchId} AND approval.kind = ${kind}
       AND approval.month IS NOT DISTINCT FROM ${month ? firstDay(month) : null}::date AND approval.state = 'PENDING'`);
}

/** The request with a row lock: of two who decide at once, the second finds it decided. */
export function lockApproval(sql: Sql, companyId: CompanyId, id: number): Promise<ApprovalRow | undefined> {
  return sql.maybe<ApprovalRow>(SQL`
    SELECT ${APPROVAL_COLUMNS} FROM approval ${APPROVAL_JOINS}
     WHERE approval.company_id = ${companyId} AND approval.id = ${id} FOR UPDATE OF approval`);
}

export async function markDecided(
  sql: Sql,
  { companyId, id }: Pick<ApprovalRow, 'companyId' | 'id'>,
  state: 'APPROVED' | 'REJECTED' | 'WITHDRAWN',
  by: Caller,
  reason: string | undefined,
): Promise<void> {
  await sql.run(SQL`
    UPDATE approval SET state = ${state}, decided_by_id = ${by.id}, decided_by = ${by.username}, decided_at = now(),
                        reason = ${reason ?? null}
     WHERE approval.company_id = ${companyId} AND approval.id = ${id}`);
}
