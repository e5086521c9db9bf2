import type { BranchId, CompanyId } from '../../accounting/ids.ts';
import type { Approved, Context } from '../../platform/context.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { SQL } from '../../platform/database/statement.ts';

export interface AuditEntry {
  /** CREATE, UPDATE, DELETE, IMPORT, OPEN, REOPEN, Close, CLOSE_DAY, Archive, RESTORE, GRANT, READ_LOGS … */
  readonly action: string;
  /** Table or record name in the words of the books: company, account, batch, month … */
  readonly entity: string;
  readonly entityId?: string | number | undefined;
  readonly companyId?: CompanyId | undefined;
  readonly branchId?: BranchId | undefined;
  readonly before?: unknown;
  readonly after?: unknown;
}

/** Who does it, and by whose approval. */
export type AuditContext = Pick<Context, 'caller' | 'address'> & { readonly approved?: Approved | undefined };

/** Writes the trail of a change in the change's own transaction (domain: audit). */
export function recordAudit(sql: Sql, context: AuditContext, entry: AuditEntry): Promise<void> {
  return recordAudits(sql, context, [entry]);
}

/** The same of a change of several records, in their order. */
export async function recordAudits(
  sql: Sql,
  { caller, address, approved }: AuditContext,
  entries: readonly AuditEntry[],
): Promise<void> {
  const idOf = ({ entityId }: AuditEntry) => (entityId === undefined ? null : String(entityId));
  // What a second person approved names both.
  const afterOf = ({ after }: AuditEntry) =>
    approved === undefined ? after : { ...(after as object | undefined), approval: namesOf(approved) };
  const textOf = (value: unknown) => (value === undefined ? null : JSON.stringify(value, asText));
  await sql.run(SQL.named('audit')`
    INSERT INTO audit (user_id, username, address, action, entity, entity_id, company_id, branch_id, before, after)
    SELECT ${caller.id}, ${caller.username}, ${address}, added.action, added.entity, added.entity_id, added.company_id,
           added.branch_id, added.before::jsonb, added.after::jsonb
      FROM unnest(${entries.map((entry) => entry.action)}::text[], ${entries.map((entry) => entry.entity)}::text[],
                  ${entries.map(idOf)}::text[], ${entries.map((entry) => entry.companyId ?? null)}::bigint[],
                  ${entries.map((entry) => entry.branchId ?? null)}::bigint[],
                  ${entries.map((entry) => textOf(entry.before))}::text[],
                  ${entries.map((entry) => textOf(afterOf(entry)))}::text[])
             AS added (action, entity, entity_id, company_id, branch_id, before, after)`);
}

function namesOf({ id, requestedBy, approvedBy }: Approved): Approved {
  return { id, requestedBy, approvedBy };
}

function asText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
