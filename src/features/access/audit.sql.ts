import type { BranchId, CompanyId } from '../../accounting/ids.ts';
import type { Context } from '../../platform/context.ts';
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

/** Writes the trail of a change in the change's own transaction (domain: audit). */
export async function recordAudit(
  sql: Sql,
  context: Pick<Context, 'caller' | 'address'>,
  entry: AuditEntry,
): Promise<void> {
  await sql.run(SQL.named('audit')`
    INSERT INTO audit (user_id, username, address, action, entity, entity_id, company_id, branch_id, before, after)
    VALUES (${context.caller.id}, ${context.caller.username}, ${context.address}, ${entry.action}, ${entry.entity},
            ${entry.entityId === undefined ? null : String(entry.entityId)}, ${entry.companyId ?? null},
            ${entry.branchId ?? null}, ${entry.before === undefined ? null : JSON.stringify(entry.before, asText)},
            ${entry.after === undefined ? null : JSON.stringify(entry.after, asText)})`);
}

function asText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
