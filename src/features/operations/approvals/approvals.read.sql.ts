import type { ApprovalKind, ApprovalState, FourEyesKind } from '../../../accounting/four-eyes.ts';
import type { BranchId, CompanyId } from '../../../accounting/ids.ts';
import type { Day, Month } from '../../../accounting/period.ts';
import { firstDay } from '../../../accounting/period.ts';
import type { Sql } from '../../../platform/database/sql.ts';
import { type Fragment, SQL } from '../../../platform/database/statement.ts';
import { offsetOf, type PageRequest } from '../../../platform/page-request.ts';
import type { BranchKey } from '../../access/access.ts';

export interface ApprovalRow {
  readonly id: number;
  readonly companyId: CompanyId;
  readonly branchId: BranchId;
  readonly company: string;
  readonly branch: string;
  readonly kind: ApprovalKind;
  /** First day of the month that it is about. */
  readonly month: Day | null;
  /** Kept text (kept-request.ts). */
  readonly request: string;
  readonly requestHash: string;
  readonly books: string;
  /** EXPIRED as soon as its time is over. */
  readonly state: ApprovalState;
  readonly requestedById: number;
  readonly requestedBy: string;
  readonly requestedAt: Date;
  readonly expiresAt: Date | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
  readonly reason: string | null;
}

const STATE_NOW = SQL`CASE WHEN approval.state = 'PENDING' AND approval.expires_at <= now() THEN 'EXPIRED'
                           ELSE approval.state END`;

const columnsWith = (request: Fragment) => SQL`approval.id, approval.company_id AS "companyId",
  approval.branch_id AS "branchId",
  company.code AS company, branch.code AS branch, approval.kind, approval.month, ${request} AS request,
  approval.request_hash AS "requestHash", approval.books, ${STATE_NOW} AS state,
  approval.requested_by_id AS "requestedById", approval.requested_by AS "requestedBy",
  approval.requested_at AS "requestedAt", approval.expires_at AS "expiresAt", approval.decided_by AS "decidedBy",
  approval.decided_at AS "decidedAt", approval.reason`;

export const APPROVAL_COLUMNS = columnsWith(SQL`approval.request`);

/** The same without the content of drafts, which may be a file. */
const APPROVAL_LIST_COLUMNS = columnsWith(SQL`CASE approval.kind WHEN 'DRAFT' THEN '{}' ELSE approval.request END`);

export const APPROVAL_JOINS = SQL`JOIN company ON company.id = approval.company_id
  JOIN branch ON branch.company_id = approval.company_id AND branch.id = approval.branch_id`;

export interface ApprovalFilter {
  readonly company?: string | undefined;
  readonly branch?: string | undefined;
  readonly kind?: ApprovalKind | undefined;
  readonly state?: ApprovalState | undefined;
  readonly month?: Month | undefined;
}

/** Requests of the branches that the caller can access, newest first, and how many there are. */
export async function selectApprovals(
  sql: Sql,
  { company, branch, kind, state, month }: ApprovalFilter,
  page: PageRequest,
): Promise<{ rows: ApprovalRow[]; total: number }> {
  const chosen = SQL`
      FROM approval ${APPROVAL_JOINS}
     WHERE can_access(approval.company_id, approval.branch_id)
       AND (${company ?? null}::text IS NULL OR company.code = ${company ?? null})
       AND (${branch ?? null}::text IS NULL OR branch.code = ${branch ?? null})
       AND (${kind ?? null}::text IS NULL OR approval.kind = ${kind ?? null})
       AND (${state ?? null}::text IS NULL OR ${STATE_NOW} = ${state ?? null})
       AND (${month ? firstDay(month) : null}::date IS NULL OR approval.month = ${month ? firstDay(month) : null})`;
  const [{ total }, rows] = await sql.pipelined((reads) =>
    Promise.all([
      reads.one<{ total: number }>(SQL`SELECT count(*) AS total ${chosen}`),
      reads.rows<ApprovalRow>(SQL`
        SELECT ${APPROVAL_LIST_COLUMNS} ${chosen}
         ORDER BY approval.requested_at DESC, approval.company_id, approval.id DESC
         LIMIT ${page.size} OFFSET ${offsetOf(page)}`),
    ]),
  );
  return { rows, total };
}

export function selectApproval(sql: Sql, companyId: CompanyId, id: number): Promise<ApprovalRow | undefined> {
  return sql.maybe<ApprovalRow>(SQL`
    SELECT ${APPROVAL_COLUMNS} FROM approval ${APPROVAL_JOINS}
     WHERE approval.company_id = ${companyId} AND approval.id = ${id}`);
}

/** What waits for a second person in the branch. */
export async function selectFourEyes(sql: Sql, { companyId, branchId }: BranchKey): Promise<readonly FourEyesKind[]> {
  const row = await sql.maybe<{ fourEyes: FourEyesKind[] }>(SQL`
    SELECT company_options.four_eyes AS "fourEyes" FROM company_options
     WHERE company_options.company_id = ${companyId} AND company_options.branch_id = ${branchId}`);
  return row?.fourEyes ?? [];
}
